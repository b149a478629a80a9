import type { GraphQLError, GraphQLInputType } from 'graphql'
import type { GraphQLModule } from './graphql.js'

/** What is wrong at one place of a value that was given for an input type. */
export interface InputFault {
  readonly path: readonly (string | number)[]
  readonly message: string
}

/** How many faults are told, and what of. */
interface InputSettings {
  readonly graphql: GraphQLModule
  readonly maxErrors: number
  readonly hideSuggestions: boolean
}

/** Every place where a value does not fit its type, up to `maxErrors`. */
export function findInputFaults(
  { graphql, maxErrors, hideSuggestions }: InputSettings,
  value: unknown,
  type: GraphQLInputType,
): readonly InputFault[] {
  const faults: InputFault[] = []
  const add = ({ message }: GraphQLError, path: readonly (string | number)[]): void => {
    faults.push(describe(message, path))
    // Each message repeats the value: of thousands the work would be the square.
    if (faults.length >= maxErrors) throw enough
  }
  try {
    if (graphql.validateInputValue !== undefined) {
      graphql.validateInputValue(value, type, add, hideSuggestions)
    } else {
      const onError = (path: readonly (string | number)[], _: unknown, error: GraphQLError): void =>
        add(error, path)
      graphql.coerceInputValue?.(value, type, onError, hideSuggestions)
    }
  } catch (reason) {
    if (reason !== enough) throw reason
  }
  return faults
}

const enough = new Error('There are as many faults as are told.')

/**
 * The majors word these differently, repeat the whole value, and point to the object and not to its field.
 * Each pattern starts where the message does and takes one way through it: the rest is the client's own text.
 */
const sentences: readonly (readonly [pattern: RegExp, sentence: string])[] = [
  [/^Expected value of type "[^"]*" to include required field "(\w+)"/, 'This is required.'],
  [/^Field "(\w+)" of required type /, 'This is required.'],
  [
    /^Expected value of type "[^"]*" not to include unknown field "(.*?)"(?:, found:|\. Did you mean)/s,
    'There is no such field.',
  ],
  [/^Field "(.*)" is not defined by type "/s, 'There is no such field.'],
  [/^Expected a value of non-null type "[^"]*" to be provided\.$/, 'This is required.'],
  [
    /^Expected (?:value of )?non-null(?:able)? type "[^"]*" not to be null\.$/,
    'This must not be null.',
  ],
  [/^Expected (?:value of )?type "[^"]*" to be an object/, 'This must be an object.'],
]

function describe(message: string, path: InputFault['path']): InputFault {
  for (const [pattern, sentence] of sentences) {
    const found = pattern.exec(message)
    if (found === null) continue
    const [, field] = found
    return { path: field === undefined ? path : [...path, field], message: sentence }
  }
  return { path, message }
}
