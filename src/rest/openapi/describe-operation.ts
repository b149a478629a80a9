import { remarksOf, type JsonSchema } from './json-schema.js'
import type { NamedSchemas } from './named-schemas.js'
import { nameOf, type OperationIds } from './operation-ids.js'
import { headerParameters, parametersOf } from './parameters.js'
import type { OperationPlans, DescribedPlan } from './describe-plan.js'
import { requestBodyOf } from './request-body.js'
import { headResponsesOf, responsesOf } from './responses.js'

/** What a credential has to be: one of these, each the schemes that it takes and their scopes. */
export type Security = readonly { readonly [scheme: string]: readonly string[] }[]

/** What operations are described with. */
export interface OperationSource {
  readonly named: NamedSchemas
  readonly ids: OperationIds
  /** Whether a POST may stand for another method. */
  readonly methodOverride: boolean
  securityOf(plan: DescribedPlan): Security | undefined
}

/** The operations of a method by name: one, and that of HEAD beside a GET. */
export function describeOperation(routes: OperationPlans, source: OperationSource): JsonSchema {
  const { method, own, meant } = routes
  const { named, ids, methodOverride } = source
  const plans = [...own, ...meant]
  const main = mainOf(own) ?? meant[0]
  if (main === undefined) return {}
  const security = source.securityOf(main)
  const secured = security !== undefined && security.length > 0
  const parameters = [...parametersOf(plans, named), ...headerParameters(routes)]
  const body = requestBodyOf(routes, named)
  const shared = {
    ...wordsOf(routes, main),
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && { requestBody: body }),
    ...(security !== undefined && { security }),
  }
  const id = own.length > 0 ? ids.take(nameOf(main)) : ids.take('post', main.route.path)
  const responses = { method, plans, named, secured, methodOverride }
  const operation = { operationId: id, ...shared, responses: responsesOf(responses) }
  if (method !== 'GET') return { [method.toLowerCase()]: operation }
  const head = {
    operationId: ids.take('head', id),
    ...shared,
    responses: headResponsesOf(responses),
  }
  return { get: operation, head }
}

/** The route for bodies of any kind, which says more than those for bodies with a certain member. */
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
  const { summary } = main.route
  return {
    ...(summary !== undefined && { summary }),
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
