import { cutText, nameInWords } from 'graphwire/base'
import type { OperationPlans, DescribedPlan } from './describe-plan.js'
import { remarksOf, type JsonSchema, type NamedSchemas } from '@graphwire/json-schema'
import { headerParameters, parametersOf, requestBodyOf } from './describe-request.js'
import { responsesOf } from './responses.js'
import { routeMethods } from '../route/route.js'

/** The alternative credentials of an operation, each a set of schemes with their scopes. */
export type Security = readonly { readonly [scheme: string]: readonly string[] }[]

export interface OperationSource {
  readonly named: NamedSchemas
  readonly toId: (...words: readonly string[]) => string
  /** Whether a POST can stand for another method. */
  readonly methodOverride: boolean
  securityOf(plan: DescribedPlan): Security | undefined
  moreParametersOf(plan: DescribedPlan): readonly object[]
}

/** The operations of a method by name; a GET also has a HEAD. */
function describeOperation(routes: OperationPlans, source: OperationSource): JsonSchema {
  const { method, own, meant } = routes
  const { named, toId, methodOverride } = source
  const plans = [...own, ...meant]
  const main = mainOf(own) ?? meant[0]
  if (main === undefined) return {}
  const security = source.securityOf(main)
  const secured = security !== undefined && security.length > 0
  const ofRoutes = [...parametersOf(plans, named), ...headerParameters(routes)]
  const parameters = [...ofRoutes, ...source.moreParametersOf(main)]
  const body = requestBodyOf(routes, named)
  const shared = {
    ...wordsOf(routes, main),
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && { requestBody: body }),
    ...(security !== undefined && { security }),
  }
  const id = own.length > 0 ? toId(nameOf(main)) : toId('post', main.route.path)
  const responses = { method, plans, named, secured, methodOverride }
  const operation = { operationId: id, ...shared, responses: responsesOf(responses, false) }
  if (method !== 'GET') return { [method.toLowerCase()]: operation }
  const head = {
    operationId: toId('head', id),
    ...shared,
    responses: responsesOf(responses, true),
  }
  return { get: operation, head }
}

/** The route without `when`, whose description covers more than those of the others. */
function mainOf(plans: readonly DescribedPlan[]): DescribedPlan | undefined {
  return plans.find(({ route }) => route.when === undefined) ?? plans[0]
}

function wordsOf({ own, meant }: OperationPlans, main: DescribedPlan): JsonSchema {
  const tags = [...new Set([...own, ...meant].flatMap(({ route }) => route.tags ?? []))]
  const tagged = tags.length > 0 && { tags }
  if (own.length === 0) {
    const methods = [...new Set(meant.map(({ route }) => route.method))].join(', ')
    return { summary: `${methods}, for clients that can only POST`, ...tagged }
  }
  const deprecated = own.every(({ field }) => field.deprecationReason != null)
  const others = own.filter((plan) => plan !== main).map(wordsOfOther)
  const description = [describe(main), ...others].filter(Boolean).join('\n\n')
  return {
    summary: summaryOf(main),
    ...remarksOf({
      description,
      deprecationReason: deprecated ? main.field.deprecationReason : undefined,
    }),
    ...tagged,
  }
}

function wordsOfOther(plan: DescribedPlan): string {
  const { when, summary } = plan.route
  const words = summary ?? describe(plan) ?? nameOf(plan)
  return when === undefined ? words : `With \`${when}\` in the body: ${words}`
}

function describe({ route, field }: DescribedPlan): string | undefined {
  return route.description ?? field.description ?? undefined
}

/** The summary of an operation: that of its route, or else the start of its description, or else its name. */
function summaryOf({ route, field, definition }: DescribedPlan): string {
  const sentence = firstSentence(route.description ?? field.description ?? '')
  return route.summary ?? (sentence || nameInWords(definition.name?.value ?? field.name))
}

/** The first line without its full stop. */
function firstSentence(text: string): string {
  const [start = ''] = text.trim().split(/\n\s*\n|(?<=[.!?])\s/)
  return cutText(start.replaceAll(/\s+/g, ' ').replace(/\.$/, ''), 120)
}

export interface PathItems {
  readonly [path: string]: JsonSchema
}

export function describePaths(plans: readonly DescribedPlan[], source: OperationSource): PathItems {
  const paths = new Set(plans.map(({ route }) => route.path))
  return Object.fromEntries(
    [...paths].map((path) => {
      const here = plans.filter(({ route }) => route.path === path)
      const operations = routeMethods.map((method) => {
        const own = here.filter(({ route }) => route.method === method)
        const meant = method === 'POST' && source.methodOverride ? here.filter(isMeantByPost) : []
        return describeOperation({ method, own, meant }, source)
      })
      return [path, Object.assign({}, ...operations) as JsonSchema]
    }),
  )
}

/** Merges path items; throws a TypeError if both have the same method of a path. */
export function mergePaths(described: PathItems, more: PathItems): PathItems {
  const merged = new Map(Object.entries(described))
  for (const [path, item] of Object.entries(more)) {
    const operations = merged.get(path) ?? {}
    const twice = Object.keys(item).find((key) => Object.hasOwn(operations, key))
    if (twice !== undefined) {
      throw new TypeError(`moreOperations: ${twice.toUpperCase()} ${path} is already a route.`)
    }
    merged.set(path, { ...operations, ...item })
  }
  checkTemplates([...merged.keys()])
  return Object.fromEntries(merged)
}

/** OpenAPI 3.1.1, section 4.8.8.2: templates that differ only in names are the same path. */
function checkTemplates(paths: readonly string[]): void {
  const byShape = new Map<string, string>()
  for (const path of paths) {
    const unnamed = path.replaceAll(/\{[^}]*\}/g, '{}')
    const other = byShape.get(unnamed)
    if (other !== undefined) {
      throw new TypeError(
        `${other} and ${path} are the same path: use the same variable names in both.`,
      )
    }
    byShape.set(unnamed, path)
  }
}

function isMeantByPost({ route }: DescribedPlan): boolean {
  return route.method !== 'GET' && route.method !== 'POST'
}

/** Makes ids of operations: the words in camelCase; a second operation with the same name gets `name2`. */
export function createIdMaker(usedIds: Iterable<string>): (...words: readonly string[]) => string {
  const used = new Set(usedIds)
  return (...words) => {
    const id = camelCase(words.join(' '))
    let found = id
    for (let count = 2; used.has(found); count += 1) found = `${id}${count}`
    used.add(found)
    return found
  }
}

/** The name of the operation, or else the method and path. */
function nameOf({ definition, route }: DescribedPlan): string {
  return definition.name?.value ?? `${route.method.toLowerCase()} ${route.path}`
}

function camelCase(name: string): string {
  const joined = name.replaceAll(/[^0-9A-Za-z]+(.?)/g, (_, letter: string) => letter.toUpperCase())
  return joined.charAt(0).toLowerCase() + joined.slice(1)
}
