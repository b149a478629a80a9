import type { RouteMethod } from '../route.js'
import { describeOperation, type OperationSource } from './describe-operation.js'
import type { JsonSchema } from './json-schema.js'
import type { DescribedPlan } from './describe-plan.js'

/** Path items by template. */
export interface PathItems {
  readonly [path: string]: JsonSchema
}

const methods: readonly RouteMethod[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** The path items of routes, in the order of the routes. */
export function describePaths(plans: readonly DescribedPlan[], source: OperationSource): PathItems {
  const paths = new Set(plans.map(({ route }) => route.path))
  return Object.fromEntries(
    [...paths].map((path) => {
      const here = plans.filter(({ route }) => route.path === path)
      const operations = methods.map((method) => {
        const own = here.filter(({ route }) => route.method === method)
        const meant = method === 'POST' && source.methodOverride ? here.filter(isMeantByPost) : []
        return describeOperation({ method, own, meant }, source)
      })
      return [path, Object.assign({}, ...operations) as JsonSchema]
    }),
  )
}

/** The path items of both, where no method of a path is in both. Throws a TypeError otherwise. */
export function mergePaths(described: PathItems, more: PathItems): PathItems {
  const merged = new Map(Object.entries(described))
  for (const [path, item] of Object.entries(more)) {
    const known = merged.get(path) ?? {}
    const twice = Object.keys(item).find((key) => Object.hasOwn(known, key))
    if (twice !== undefined) {
      throw new TypeError(`moreOperations: ${twice.toUpperCase()} ${path} is a route already.`)
    }
    merged.set(path, { ...known, ...item })
  }
  checkTemplates([...merged.keys()])
  return Object.fromEntries(merged)
}

/** OpenAPI 3.1.1, section 4.8.8.2: templates that differ in names only are one path. */
function checkTemplates(paths: readonly string[]): void {
  const known = new Map<string, string>()
  for (const path of paths) {
    const unnamed = path.replaceAll(/\{[^}]*\}/g, '{}')
    const other = known.get(unnamed)
    if (other !== undefined) {
      throw new TypeError(`${other} and ${path} are one path: name its variables alike.`)
    }
    known.set(unnamed, path)
  }
}

function isMeantByPost({ route }: DescribedPlan): boolean {
  return route.method !== 'GET' && route.method !== 'POST'
}
