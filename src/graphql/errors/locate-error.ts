import type { FieldNode, GraphQLError, GraphQLResolveInfo, SourceLocation } from 'graphql'
import type { GraphQLModule } from '../js/graphql.js'

/** The functions of graphql-js that locating needs. */
export type LocatingModule = Required<Pick<GraphQLModule, 'GraphQLError' | 'locatedError'>>

/**
 * `locatedError` of graphql-js, without what it does for each error: it looks for the line in the whole source, and captures a
 * stack that it then replaces by that of the original.
 */
export function locateError(
  graphql: LocatingModule,
  error: unknown,
  nodes: readonly FieldNode[],
  path: readonly (string | number)[],
): GraphQLError {
  const { stackTraceLimit } = Error
  Reflect.set(Error, 'stackTraceLimit', 0)
  try {
    return locateReadable(graphql, error, nodes, path)
  } catch (cause) {
    // A member of the error throws, or is not what graphql-js expects. In a callback this would end the process.
    const bug = new TypeError('An error was thrown that cannot be read.', { cause })
    return locateReadable(graphql, bug, nodes, path)
  } finally {
    Reflect.set(Error, 'stackTraceLimit', stackTraceLimit)
  }
}

function locateReadable(
  graphql: LocatingModule,
  error: unknown,
  nodes: readonly FieldNode[],
  path: readonly (string | number)[],
): GraphQLError {
  if (nodes.some(({ loc }) => loc === undefined)) return graphql.locatedError(error, nodes, path)
  const located = graphql.locatedError(error, [], path)
  // It was located before, or points to other nodes.
  if (located === error || (located.originalError as Partial<GraphQLError>).nodes) return located
  return Object.assign(located, {
    nodes,
    source: located.source ?? nodes[0]?.loc?.source,
    positions: located.positions ?? nodes.map(({ loc }) => loc?.start),
    locations: located.locations ?? nodes.map((node) => ({ ...placeOf(graphql, node) })),
  })
}

const places = new WeakMap<FieldNode, SourceLocation>()

function placeOf({ GraphQLError: Located }: LocatingModule, node: FieldNode): SourceLocation {
  const known = places.get(node)
  if (known !== undefined) return known
  const [place] = new Located('', { nodes: node }).locations as [SourceLocation]
  places.set(node, place)
  return place
}

/** The path of graphql-js as a list. */
export function keysOf(path: GraphQLResolveInfo['path'] | undefined): (string | number)[] {
  const keys: (string | number)[] = []
  for (let at = path; at !== undefined; at = at.prev) keys.push(at.key)
  return keys.toReversed()
}
