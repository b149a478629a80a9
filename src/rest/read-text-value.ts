import { findInputFaults } from '../engine/find-input-faults.js'
import type { GraphQLModule } from '../engine/graphql.js'
import { failure, success, type Outcome } from '../outcome.js'
import type { PlannedVariable } from './plan-variables.js'
import type { ProblemError } from './problem.js'
import type { ParameterRule } from './route.js'

/** How values are checked, and how much is told of it. */
export interface ValueSettings {
  readonly graphql: GraphQLModule
  readonly maxErrors: number
  readonly maxMessageLength: number
  readonly hideSuggestions: boolean
}

/** The value of a variable from the texts of a URL: a list takes all of them, anything else one. */
export function readText(
  variable: PlannedVariable,
  texts: readonly string[],
  rule: ParameterRule | undefined,
  settings: ValueSettings,
): Outcome<unknown, readonly ProblemError[]> {
  const { isList, named, name: parameter, type } = variable
  const fail = (detail: string) => failure([{ detail, parameter }])
  if (!isList && texts.length > 1) return fail('This can be given once only.')
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

/** The JSON value that a text stands for; what a type of the schema's own means by it is its own affair. */
function convert(text: string, typeName: string): Outcome<unknown, string> {
  switch (typeName) {
    case 'Int':
      return /^-?\d+$/.test(text) ? success(Number(text)) : failure('This must be an integer.')
    case 'Float':
      return decimal.test(text) ? success(Number(text)) : failure('This must be a number.')
    case 'Boolean':
      return text === 'true' || text === 'false'
        ? success(text === 'true')
        : failure('This must be true or false.')
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
  if (minimum === undefined) return `This must be at most ${maximum}.`
  return maximum === undefined
    ? `This must be at least ${minimum}.`
    : `This must be from ${minimum} to ${maximum}.`
}
