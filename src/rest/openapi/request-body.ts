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
  const schema =
    meant.length === 0
      ? choiceOf('oneOf', alternatives(own, named))
      : choiceOf('anyOf', [...alternatives(own, named), ...alternatives(meant, named)])
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
    variables.some(({ from }) => from === 'body' || from === 'whole body')
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
  const members = plan.variables
    .filter(({ from }) => from === 'body')
    .map((variable): Member => ({
      name: variable.name,
      schema: {
        ...ofShape(variable.shape, named.of),
        ...variableRemarks(variable),
        ...variable.byDefault,
      },
      required: variable.required,
    }))
  const whole = plan.variables.find(({ from }) => from === 'whole body')
  if (whole === undefined) return closedObject(members, when, taken)
  const { shape } = whole
  const input = 'named' in shape && isInputObject(shape.named) ? shape.named : undefined
  if (input === undefined) return openBody(ofShape(shape, named.of), members, when, taken)
  const inner = named.membersOf(input)
  const isWhole =
    members.length === 0 && when === undefined && !inner.some(({ name }) => taken.has(name))
  if (isWhole) return named.of(input)
  return { ...closedObject([...members, ...inner], when, taken), ...remarksOf(input) }
}

function closedObject(
  members: readonly Member[],
  when: string | undefined,
  taken: ReadonlySet<string>,
): JsonSchema {
  const told = members.some(({ name }) => name === when)
  const all =
    when === undefined || told ? members : [...members, { name: when, schema: {}, required: true }]
  return objectOf(
    all
      .filter(({ name }) => !taken.has(name))
      .map(({ name, schema, required }) => ({ name, schema, required: required || name === when })),
    { additionalProperties: false },
  )
}

/** A body of which only some members are known, such as a custom scalar's. */
function openBody(
  rest: JsonSchema,
  members: readonly Member[],
  when: string | undefined,
  taken: ReadonlySet<string>,
): JsonSchema {
  if (members.length === 0 && when === undefined && taken.size === 0) return rest
  const { additionalProperties: _, ...known } = closedObject(members, when, taken)
  const refused = [...taken].map((name) => ({ required: [name] }))
  return { ...known, ...(refused.length > 0 && { not: { anyOf: refused } }) }
}
