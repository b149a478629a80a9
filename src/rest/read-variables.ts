import { cutText } from '../cut-text.js'
import { findInputFaults } from '../engine/find-input-faults.js'
import type { JsonObject } from '../engine/params.js'
import { failure, success, type Outcome } from '../outcome.js'
import type { PlannedVariable } from './plan-variables.js'
import type { RoutePlan } from './plan.js'
import { toPointer } from './pointer.js'
import type { ProblemError } from './problem.js'
import { readText, type ValueSettings } from './read-text-value.js'
import type { RouteRefusal } from './route-refusal.js'

/** What a request brings for the variables of its route. */
export interface RequestValues {
  /** Of the path, by name. */
  readonly path: ReadonlyMap<string, string>
  /** The query component. */
  readonly query: string
  /** The members of the body; undefined where the method has none. */
  readonly body: JsonObject | undefined
}

/** The variables of a request, each of its type; else every place where a value is not what it must be. */
export function readVariables(
  plan: RoutePlan,
  values: RequestValues,
  settings: ValueSettings,
): Outcome<JsonObject, RouteRefusal> {
  const differing = findDifference(values)
  if (differing !== undefined) return failure({ kind: 'values-differ', name: differing })
  const query = new URLSearchParams(values.query)
  const errors = findUnknown(plan, query, values.body, settings.maxErrors)
  const variables: [string, unknown][] = []
  for (const variable of plan.variables.values()) {
    const read = readVariable(plan, variable, { ...values, parameters: query }, settings)
    if (read === undefined) continue
    if (read.ok) variables.push([variable.name, read.value])
    else errors.push(...read.reason)
  }
  if (errors.length === 0) return success(Object.fromEntries(variables))
  const told = errors.slice(0, settings.maxErrors)
  return failure({
    kind: 'invalid-values',
    errors: told.map((error) => cutDetail(error, settings)),
  })
}

function cutDetail(
  { detail, ...place }: ProblemError,
  { maxMessageLength }: ValueSettings,
): ProblemError {
  return { detail: cutText(detail, maxMessageLength), ...place }
}

/** A member that says again what the path says must say the same. */
function findDifference({ path, body }: RequestValues): string | undefined {
  if (body === undefined) return undefined
  return [...path.keys()].find((name) => {
    if (!Object.hasOwn(body, name)) return false
    return !saysSame(body[name], path.get(name))
  })
}

function saysSame(member: unknown, text: string | undefined): boolean {
  return ['string', 'number', 'boolean'].includes(typeof member) && String(member) === text
}

/** Parameters that the route has not, and members that go nowhere. */
function findUnknown(
  { route, variables }: RoutePlan,
  query: URLSearchParams,
  body: JsonObject | undefined,
  maxErrors: number,
): ProblemError[] {
  const errors: ProblemError[] = []
  for (const parameter of new Set(query.keys())) {
    if (variables.get(parameter)?.source === 'query') continue
    errors.push({ detail: 'There is no such parameter.', parameter: cutText(parameter, 100) })
  }
  if (body === undefined || route.body !== undefined) return errors
  for (const name of Object.keys(body)) {
    if (errors.length >= maxErrors) break
    const source = variables.get(name)?.source
    if (source === 'member' || source === 'path') continue
    errors.push({ detail: 'There is no such member.', pointer: toPointer([name]) })
  }
  return errors
}

type Given = RequestValues & { readonly parameters: URLSearchParams }
type Read = Outcome<unknown, readonly ProblemError[]> | undefined

/** Undefined where the variable is left out, as it may be. */
function readVariable(
  plan: RoutePlan,
  variable: PlannedVariable,
  given: Given,
  settings: ValueSettings,
): Read {
  const { name, source, isRequired } = variable
  switch (source) {
    case 'version':
      return undefined
    case 'path':
      return readText(variable, [given.path.get(name) ?? ''], undefined, settings)
    case 'query': {
      const texts = given.parameters.getAll(name)
      if (texts.length > 0)
        return readText(variable, texts, plan.route.parameters?.[name], settings)
      return isRequired ? failure([{ detail: 'This is required.', parameter: name }]) : undefined
    }
    case 'member': {
      const { body = {} } = given
      if (Object.hasOwn(body, name)) return checkValue(variable, body[name], [name], settings)
      return isRequired
        ? failure([{ detail: 'This is required.', pointer: toPointer([name]) }])
        : undefined
    }
    case 'body':
      return checkValue(variable, restOf(plan, given.body ?? {}), [], settings)
  }
}

/** The body less the members that other variables take. */
function restOf({ variables }: RoutePlan, body: JsonObject): JsonObject {
  const rest = Object.entries(body).filter(([name]) => {
    const source = variables.get(name)?.source
    return source !== 'member' && source !== 'path'
  })
  return Object.fromEntries(rest)
}

function checkValue(
  { type }: PlannedVariable,
  value: unknown,
  base: readonly string[],
  settings: ValueSettings,
): Read {
  const faults = findInputFaults(settings, value, type)
  if (faults.length === 0) return success(value)
  return failure(
    faults.map(({ path, message }) => ({
      detail: message,
      pointer: toPointer([...base, ...path]),
    })),
  )
}
