import type { GraphQLResolveInfo } from 'graphql'
import type { Run } from './run.js'
import { show } from './show.js'

type Path = GraphQLResolveInfo['path']

/** The path as a key: what makes a value and where a call belongs. */
export function pathKey(path: Path | undefined): string {
  if (path === undefined) return ''
  const above = pathKey(path.prev)
  return above === '' ? String(path.key) : `${above}.${path.key}`
}

/** Records a call with all that a resolver can see of it. */
export function recordCall(run: Run, info: GraphQLResolveInfo, args: object, how: string): void {
  const key = pathKey(info.path)
  run.record(key, `${info.parentType.name}.${info.fieldName} at ${key}: ${how} ${show(args)}`)
  if (run.randomFor(`${key}!`).chance(0.2)) run.record(key, describeInfo(info))
  // The next call must not see what this one does to its arguments.
  for (const name of Object.keys(args)) Reflect.set(args, name, 'changed by a resolver')
  Reflect.set(args, 'added', 'by a resolver')
}

function describeInfo(info: GraphQLResolveInfo): string {
  const { fieldNodes, returnType, operation, fragments, path, variableValues } = info
  const places = fieldNodes.map(({ loc }) => loc?.start)
  const names: (string | undefined)[] = []
  for (let at: Path | undefined = path; at !== undefined; at = at.prev) names.push(at.typename)
  return [
    Object.keys(info).toSorted().join(),
    `nodes ${places.join()}`,
    `type ${String(returnType)}`,
    `operation ${operation.loc?.start}`,
    `fragments ${Object.keys(fragments).join()}`,
    `types ${names.join()}`,
    ...variablesOf(variableValues).map((values) => `variables ${values}`),
  ].join('; ')
}

/** Graphql 17 has them in a member, beside what they were made from, whose types are too much to be shown. */
function variablesOf(values: object): string[] {
  if (!('coerced' in values && 'sources' in values)) return [show(values)]
  const { coerced, sources } = values as { readonly coerced: object; readonly sources: object }
  const isBare = Object.getPrototypeOf(sources) === null
  return [show(coerced), `${isBare ? '~' : ''}${Object.keys(sources).join()}`]
}
