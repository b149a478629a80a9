import { acceptedTypes } from '../route/accepted-types.js'
import { hasBody, ruleOf } from '../route/route.js'
import {
  choiceOf,
  objectOf,
  ofShape,
  remarksOf,
  type JsonSchema,
  type Member,
  isInputObject,
  type NamedSchemas,
} from '@graphwire/json-schema'
import type { DescribedPlan, OperationPlans } from './describe-plan.js'

/** The parameters of an operation; those of several routes with the same name are merged. */
export function parametersOf(
  plans: readonly DescribedPlan[],
  named: NamedSchemas,
): readonly JsonSchema[] {
  const found = new Map<string, JsonSchema>()
  for (const plan of plans) {
    for (const variable of plan.described) {
      if (variable.source !== 'path' && variable.source !== 'query') continue
      const key = `${variable.source} ${variable.name}`
      if (!found.has(key)) found.set(key, parameterOf(variable, plan, named))
    }
  }
  return [...found.values()]
}

/** The request headers that all routes of an operation support. */
export function headerParameters({ method, own, meant }: OperationPlans): readonly JsonSchema[] {
  const headers: JsonSchema[] = []
  if (own.some(isStream)) {
    headers.push(header('Last-Event-ID', 'To resume: the `id` of the last event, if it had one.'))
  } else if (method === 'GET') {
    headers.push(
      header(
        'If-None-Match',
        'ETags of stored responses; the response is 304 if one of them is current.',
      ),
    )
  }
  if ([...own, ...meant].some(isConditional)) {
    headers.push(
      header('If-Match', 'The expected ETag; the response is 412 if the current one differs.'),
    )
  }
  if (meant.length > 0) {
    const methods = [...new Set(meant.map(({ route }) => route.method))]
    headers.push({
      ...header(
        'X-HTTP-Method-Override',
        'The intended method, for clients that can only send POST.',
      ),
      required: own.length === 0,
      schema: { type: 'string', enum: methods },
    })
  }
  return headers
}

/** Whether a route supports `If-Match`: a write by its version, a GET by its response. */
export function isConditional(plan: DescribedPlan): boolean {
  const { method, ifMatch } = plan.route
  return (method === 'GET' && !isStream(plan)) || ifMatch !== undefined
}

export function isStream({ route }: DescribedPlan): boolean {
  return route.stream === true
}

function parameterOf(
  variable: DescribedPlan['described'][number],
  plan: DescribedPlan,
  named: NamedSchemas,
): JsonSchema {
  const { name, source, shape } = variable
  const rule = ruleOf(plan.route, name)
  const { description, ...remarks } = variable.remarks
  const words = rule?.description ?? description
  const bounds = {
    ...(rule?.minimum !== undefined && { minimum: rule.minimum }),
    ...(rule?.maximum !== undefined && { maximum: rule.maximum }),
  }
  const schema = ofShape({ ...shape, nullable: false }, named.of)
  return {
    name,
    in: source,
    required: source === 'path' || variable.isRequired,
    ...(words !== undefined && { description: words }),
    ...remarks,
    schema: {
      ...schema,
      // Each item of a list has them.
      ...('items' in schema ? { items: { ...(schema['items'] as object), ...bounds } } : bounds),
      ...(source === 'query' && variable.byDefault),
    },
  }
}

function header(name: string, description: string): JsonSchema {
  return { name, in: 'header', required: false, description, schema: { type: 'string' } }
}

/**
 * The body of an operation: one of those of its own routes, which are tried in order, or, if a POST can
 * stand for another method, of any of its routes.
 */
export function requestBodyOf(
  { own, meant }: OperationPlans,
  named: NamedSchemas,
): JsonSchema | undefined {
  const plans = [...own, ...meant]
  const withBody = plans.filter(({ route }) => hasBody(route.method))
  if (withBody.length === 0) return undefined
  const first = alternatives(own, named)
  const schema = choiceOf('anyOf', [
    ...(first.length > 0 ? [choiceOf('oneOf', first)] : []),
    ...alternatives(meant, named),
  ])
  const types = acceptedTypes(withBody)
  return {
    required: withBody.length === plans.length,
    content: Object.fromEntries(types.map((type) => [type, { schema }])),
  }
}

/** The bodies of routes with the same method, without those that an earlier route takes. */
function alternatives(plans: readonly DescribedPlan[], named: NamedSchemas): readonly JsonSchema[] {
  const earlierMembers = new Map<string, Set<string>>()
  return plans
    .filter(({ route }) => hasBody(route.method))
    .map((plan) => {
      const { method, when } = plan.route
      const before = earlierMembers.get(method) ?? new Set()
      const schema = bodyOf(plan, before, named)
      earlierMembers.set(method, when === undefined ? before : new Set([...before, when]))
      return schema
    })
}

function bodyOf(
  plan: DescribedPlan,
  earlierMembers: ReadonlySet<string>,
  named: NamedSchemas,
): JsonSchema {
  const { when } = plan.route
  const members = membersOf(plan, named)
  const type = plan.described.find(({ source }) => source === 'body')?.named
  if (type === undefined) return pickFrom(members, when, earlierMembers, closed)
  if (!isInputObject(type)) {
    // A custom scalar may accept any members.
    const isWhole = members.length === 0 && when === undefined && earlierMembers.size === 0
    if (isWhole) return { ...named.of(type), type: 'object' }
    const refused = [...earlierMembers].map((name) => ({ required: [name] }))
    return pickFrom(
      members,
      when,
      earlierMembers,
      refused.length > 0 ? { not: { anyOf: refused } } : {},
    )
  }
  const names = new Set(members.map(({ name }) => name))
  const rest = named.membersOf(type).filter(({ name }) => !names.has(name))
  const isWhole =
    members.length === 0 && when === undefined && !rest.some(({ name }) => earlierMembers.has(name))
  if (isWhole) return named.of(type)
  const oneOf = rest.map(({ name }) => objectOf([{ name, schema: {}, required: true }]))
  return pickFrom([...members, ...rest], when, earlierMembers, {
    ...closed,
    ...remarksOf(type),
    ...(type.isOneOf && { oneOf }),
  })
}

const closed: JsonSchema = { additionalProperties: false }

/** The members that variables take, by name; a body may also repeat values of the path. */
function membersOf({ described }: DescribedPlan, named: NamedSchemas): readonly Member[] {
  return described
    .filter(({ source }) => source === 'member' || source === 'path')
    .map((variable) => {
      const { name, source, shape, byDefault } = variable
      const schema = { ...ofShape(shape, named.of), ...variable.remarks, ...byDefault }
      return { name, schema, required: variable.isRequired && source === 'member' }
    })
}

/** Members of bodies that reach a route: they have its `when`, and not that of an earlier route. */
function pickFrom(
  members: readonly Member[],
  when: string | undefined,
  earlierMembers: ReadonlySet<string>,
  more: JsonSchema,
): JsonSchema {
  const isListed = members.some(({ name }) => name === when)
  const all =
    when === undefined || isListed
      ? members
      : [...members, { name: when, schema: {}, required: true }]
  return objectOf(
    all
      .filter(({ name }) => !earlierMembers.has(name))
      .map(({ name, schema, required }) => ({ name, schema, required: required || name === when })),
    more,
  )
}
