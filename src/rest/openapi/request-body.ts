import { acceptedTypes } from '../route/accepted-types.js'
import { hasBody } from '../route/has-body.js'
import {
  choiceOf,
  objectOf,
  ofShape,
  remarksOf,
  type JsonSchema,
  type Member,
} from './json-schema.js'
import { isInputObject, type NamedSchemas } from './named-schemas.js'
import type { DescribedPlan, OperationPlans } from './describe-plan.js'

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

/** The bodies of routes with the same method: what an earlier route takes does not reach the next. */
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
  const whole = plan.described.find(({ source }) => source === 'body')
  const type = whole && 'named' in whole.shape ? whole.shape.named : undefined
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
  return pickFrom([...members, ...rest], when, earlierMembers, { ...closed, ...remarksOf(type) })
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
