import { type JsonObject, cutText, failure, success, type Outcome } from 'graphwire/base'
import { findInputFaults, withoutPrototypes, type Settings } from 'graphwire/surface/parts'
import { toPointer, type ProblemError } from 'graphwire/http'
import type { RoutePlan } from '../plan/plan.js'
import { isTaken, type PlannedVariable } from '../plan/plan-variables.js'
import { ruleOf, type ParameterRule } from '../route/route.js'
import type { RouteRefusal } from '../route/route-refusals.js'

/** The parts of a request that variables are read from. */
export interface RequestValues {
  /** The values of the path by name. */
  readonly path: ReadonlyMap<string, string>
  readonly query: URLSearchParams
  /** The members of the body; undefined if the method has none. */
  readonly body: JsonObject | undefined
  /** The values of the body by variable, as sent. */
  readonly sent: JsonObject
}

/** Returns the values of a body by variable, without looking at them. */
export function findSent(plan: RoutePlan, body: JsonObject | undefined): JsonObject {
  if (body === undefined) return {}
  const sent: [string, unknown][] = []
  for (const { name, source } of plan.variables.values()) {
    if (source === 'body') sent.push([name, restOf(plan, body)])
    else if (source === 'member' && Object.hasOwn(body, name)) sent.push([name, body[name]])
  }
  return Object.fromEntries(sent)
}

/** Reads the variables of a request, each converted to its type; fails with every invalid value. */
export function readVariables(
  plan: RoutePlan,
  values: RequestValues,
  settings: Settings,
): Outcome<JsonObject, RouteRefusal> {
  const differing = findDifference(plan, values)
  if (differing !== undefined) return failure({ kind: 'values-differ', name: differing })
  const errors = findUnknown(plan, values, settings.maxErrors)
  const variables: [string, unknown][] = []
  for (const variable of plan.variables.values()) {
    const read = readVariable(plan, variable, values, settings)
    if (read === undefined) continue
    if (read.ok) variables.push([variable.name, read.value])
    else errors.push(...read.reason)
  }
  if (errors.length === 0) return success(Object.fromEntries(variables))
  const shown = errors.slice(0, settings.maxErrors).map(({ detail, pointer, parameter }) => ({
    detail: cutText(detail, settings.maxMessageLength),
    pointer,
    parameter,
  }))
  return failure({ kind: 'invalid-values', errors: shown })
}

/** A member of the body that repeats a value of the path must be equal to it. */
function findDifference(
  { variables }: RoutePlan,
  { path, body }: RequestValues,
): string | undefined {
  if (body === undefined) return undefined
  return [...path].find(([name, text]) => {
    if (!Object.hasOwn(body, name) || saysSame(body[name], text)) return false
    const value = convert(text, variables.get(name)?.named.name)
    return !value.ok || !saysSame(body[name], value.value)
  })?.[0]
}

function saysSame(member: unknown, value: unknown): boolean {
  return ['string', 'number', 'boolean'].includes(typeof member) && String(member) === String(value)
}

/** Unknown query parameters, and members of the body that no variable takes. */
function findUnknown(
  { route, variables }: RoutePlan,
  { query, body }: RequestValues,
  maxErrors: number,
): ProblemError[] {
  const parameters = [...new Set(query.keys())].filter(
    (name) => variables.get(name)?.source !== 'query',
  )
  const names = body === undefined || route.body !== undefined ? [] : Object.keys(body)
  const members = names.filter((name) => !isTaken(name, variables))
  return [
    ...parameters.map((name) => ({ detail: 'Unknown parameter.', parameter: cutText(name, 100) })),
    ...members
      .slice(0, maxErrors)
      .map((name) => ({ detail: 'Unknown member.', pointer: toPointer([name]) })),
  ]
}

type ReadValue = Outcome<unknown, readonly ProblemError[]> | undefined

/** Undefined if the variable is left out and optional. */
function readVariable(
  plan: RoutePlan,
  variable: PlannedVariable,
  { path, query, sent }: RequestValues,
  settings: Settings,
): ReadValue {
  const { name, source, isRequired } = variable
  switch (source) {
    case 'version':
      return undefined
    case 'path':
      return readText(variable, [path.get(name) ?? ''], undefined, settings)
    case 'query': {
      const texts = query.getAll(name)
      if (texts.length > 0) return readText(variable, texts, ruleOf(plan.route, name), settings)
      return isRequired ? failure([{ detail: 'Required.', parameter: name }]) : undefined
    }
    case 'member': {
      if (Object.hasOwn(sent, name)) return checkValue(variable, sent[name], [name], settings)
      return isRequired ? failure([{ detail: 'Required.', pointer: toPointer([name]) }]) : undefined
    }
    case 'body':
      return checkValue(variable, sent[name], [], settings)
  }
}

/** The body without the members that other variables take. */
function restOf({ variables }: RoutePlan, body: JsonObject): JsonObject {
  const members = Object.entries(body)
  const rest = members.filter(([name]) => !isTaken(name, variables))
  return rest.length === members.length ? body : Object.fromEntries(rest)
}

function checkValue(
  { type, ownOnly }: PlannedVariable,
  json: unknown,
  base: readonly string[],
  settings: Settings,
): ReadValue {
  const value = ownOnly ? withoutPrototypes(json) : json
  const faults = findInputFaults(settings, value, type)
  if (faults.length === 0) return success(value)
  return failure(
    faults.map(({ path, message }) => ({
      detail: message,
      pointer: toPointer([...base, ...path]),
    })),
  )
}

/** Reads the value of a variable from the texts of a URL: a list takes all of them, other types exactly one. */
function readText(
  variable: PlannedVariable,
  texts: readonly string[],
  rule: ParameterRule | undefined,
  settings: Settings,
): Outcome<unknown, readonly ProblemError[]> {
  const { isList, named, name: parameter, type } = variable
  const fail = (detail: string) => failure([{ detail, parameter }])
  if (!isList && texts.length > 1) return fail('Must not be repeated.')
  const values: unknown[] = []
  for (const text of texts) {
    const value = convert(text, named.name)
    if (!value.ok) return fail(value.reason)
    const excess = rule && findExcess(value.value, rule)
    if (excess !== undefined) return fail(excess)
    values.push(value.value)
  }
  const value = isList ? values : values[0]
  const [fault] = findInputFaults(settings, value, type)
  return fault === undefined ? success(value) : fail(fault.message)
}

/** Converts a text to the JSON value that its type suggests; a custom scalar gets the text itself. */
function convert(text: string, typeName: string | undefined): Outcome<unknown, string> {
  switch (typeName) {
    case 'Int':
      return /^-?\d+$/.test(text) ? success(Number(text)) : failure('Must be an integer.')
    case 'Float':
      return decimal.test(text) ? success(Number(text)) : failure('Must be a number.')
    case 'Boolean':
      return text === 'true' || text === 'false'
        ? success(text === 'true')
        : failure('Must be true or false.')
    default:
      return success(text)
  }
}

const decimal = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/

function findExcess(value: unknown, { minimum, maximum }: ParameterRule): string | undefined {
  if (typeof value !== 'number') return undefined
  const isLess = minimum !== undefined && value < minimum
  const isMore = maximum !== undefined && value > maximum
  if (!isLess && !isMore) return undefined
  if (minimum === undefined) return `Must be at most ${maximum}.`
  return maximum === undefined
    ? `Must be at least ${minimum}.`
    : `Must be from ${minimum} to ${maximum}.`
}
