import { failure, success, type Outcome } from '../outcome.js'
import type { Route, RouteMethod } from './route.js'
import { decodeSegment, type Template } from './template.js'

/** A route and its path, taken apart. */
export interface PlacedRoute {
  readonly route: Route<never>
  readonly template: Template
}

/** What stands at one path. */
export interface Resource {
  /** The routes of each method, in the order in which they are tried. */
  readonly routes: ReadonlyMap<RouteMethod, readonly PlacedRoute[]>
  /** The methods for `Allow`. */
  readonly allow: string
}

/** A resource and the texts that stand where its template has names, in order. */
export interface Match {
  readonly resource: Resource
  readonly values: readonly string[]
}

/** Knows what stands where. */
export interface Router {
  /** The resource of a path: undefined where there is none, 'broken-path' where an escape is broken. */
  find(path: string): Outcome<Match | undefined, 'broken-path'>
  /** All routes, as if they stood at one path. */
  readonly whole: Resource
}

interface Node {
  readonly literals: Map<string, Node>
  name: Node | undefined
  readonly placed: PlacedRoute[]
  resource: Resource | undefined
}

/** Makes the router: a tree of segments, in which a text goes before a name. */
export function createRouter(placed: readonly PlacedRoute[]): Router {
  const root = createNode()
  const nodes = new Set<Node>()
  for (const one of placed) {
    let node = root
    for (const segment of one.template.segments) {
      node = 'name' in segment ? (node.name ??= createNode()) : literalOf(node, segment.literal)
    }
    node.placed.push(one)
    nodes.add(node)
  }
  for (const node of nodes) node.resource = toResource(node.placed)
  return { whole: toResource(placed), find: (path) => findPath(root, path) }
}

function findPath(root: Node, path: string): Outcome<Match | undefined, 'broken-path'> {
  if (!path.startsWith('/')) return success(undefined)
  const segments: string[] = []
  for (const text of path === '/' ? [] : path.slice(1).split('/')) {
    const segment = decodeSegment(text)
    if (segment === undefined) return failure('broken-path')
    segments.push(segment)
  }
  return success(find(root, segments, 0, []))
}

function createNode(): Node {
  return { literals: new Map(), name: undefined, placed: [], resource: undefined }
}

function literalOf({ literals }: Node, literal: string): Node {
  const node = literals.get(literal) ?? createNode()
  literals.set(literal, node)
  return node
}

/** Goes no deeper than the templates do. */
function find(
  node: Node,
  segments: readonly string[],
  at: number,
  values: readonly string[],
): Match | undefined {
  const segment = segments[at]
  if (segment === undefined) return node.resource && { resource: node.resource, values }
  const literal = node.literals.get(segment)
  const found = literal && find(literal, segments, at + 1, values)
  if (found !== undefined || node.name === undefined || segment === '') return found
  return find(node.name, segments, at + 1, [...values, segment])
}

const methods: readonly RouteMethod[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

function toResource(placed: readonly PlacedRoute[]): Resource {
  const routes = new Map<RouteMethod, readonly PlacedRoute[]>()
  for (const method of methods) {
    const own = placed.filter(({ route }) => route.method === method)
    if (own.length > 0) routes.set(method, own)
  }
  return { routes, allow: formatAllow([...routes.keys()]) }
}

/** The value of `Allow`: HEAD beside GET, and OPTIONS always. */
function formatAllow(served: readonly RouteMethod[]): string {
  const names = served.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
  return [...names, 'OPTIONS'].join(', ')
}
