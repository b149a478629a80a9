import {
  choiceOf,
  objectOf,
  ofShape,
  remarksOf,
  type JsonSchema,
  type Member,
} from './json-schema.js'
import { isInputObject, type NamedSchemas } from './named-schemas.js'
import { variableRemarks, type RoutePlan } from './plan-route.js'

/**
 * The body of an operation: one of those of its own routes, which are tried in order, or, where another method
 * may be meant, any of those of its routes.
 */
export function requestBodyOf(
  own: readonly RoutePlan[],
  meant: readonly RoutePlan[],
  named: NamedSchemas,
): JsonSchema | undefined {
  const plans = [...own, ...meant].filter(takesBody)
  if (plans.length === 0) return undefined
  const first = alternatives(own, named)
  const schema = choiceOf('anyOf', [
    ...(first.length > 0 ? [choiceOf('oneOf', first)] : []),
    ...alternatives(meant, named),
  ])
  const types = new Set(['application/json', ...plans.flatMap(({ route }) => route.accepts ?? [])])
  const bodiless = own.concat(meant).some((plan) => !takesBody(plan))
  return {
    required: !bodiless,
    content: Object.fromEntries([...types].map((type) => [type, { schema }])),
  }
}

/** Whether anything of a body becomes a variable. */
export function takesBody({ route, variables }: RoutePlan): boolean {
  return (
    route.when !== undefined ||
    variables.some(({ source }) => source === 'body' || source === 'member')
  )
}

/** The bodies of routes of one method: what an earlier one takes does not reach the next. */
function alternatives(plans: readonly RoutePlan[], named: NamedSchemas): readonly JsonSchema[] {
  const taken = new Set<string>()
  return plans.filter(takesBody).map((plan) => {
    const schema = bodyOf(plan, taken, named)
    if (plan.route.when !== undefined) taken.add(plan.route.when)
    return schema
  })
}

function bodyOf(plan: RoutePlan, taken: ReadonlySet<string>, named: NamedSchemas): JsonSchema {
  const { when } = plan.route
  const members = membersOf(plan, named)
  const whole = plan.variables.find(({ source }) => source === 'body')
  const type = whole && 'named' in whole.shape ? whole.shape.named : undefined
  if (type === undefined) return pickFrom(members, when, taken, closed)
  if (!isInputObject(type)) {
    // A scalar of the schema's own may take any member.
    const isWhole = members.length === 0 && when === undefined && taken.size === 0
    if (isWhole) return { ...named.of(type), type: 'object' }
    const refused = [...taken].map((name) => ({ required: [name] }))
    return pickFrom(members, when, taken, refused.length > 0 ? { not: { anyOf: refused } } : {})
  }
  const names = new Set(members.map(({ name }) => name))
  const rest = named.membersOf(type).filter(({ name }) => !names.has(name))
  const isWhole =
    members.length === 0 && when === undefined && !rest.some(({ name }) => taken.has(name))
  if (isWhole) return named.of(type)
  return pickFrom([...members, ...rest], when, taken, { ...closed, ...remarksOf(type) })
}

const closed: JsonSchema = { additionalProperties: false }

/** What variables take by name; a body may also repeat what the path says. */
function membersOf({ variables }: RoutePlan, named: NamedSchemas): readonly Member[] {
  return variables
    .filter(({ source }) => source === 'member' || source === 'path')
    .map((variable) => {
      const { name, source, shape, byDefault } = variable
      const schema = { ...ofShape(shape, named.of), ...variableRemarks(variable), ...byDefault }
      return { name, schema, required: variable.required && source === 'member' }
    })
}

/** An object of the members that reach a route: `when` is there, and what an earlier route takes is not. */
function pickFrom(
  members: readonly Member[],
  when: string | undefined,
  taken: ReadonlySet<string>,
  more: JsonSchema,
): JsonSchema {
  const told = members.some(({ name }) => name === when)
  const all =
    when === undefined || told ? members : [...members, { name: when, schema: {}, required: true }]
  return objectOf(
    all
      .filter(({ name }) => !taken.has(name))
      .map(({ name, schema, required }) => ({ name, schema, required: required || name === when })),
    more,
  )
}
