import type {
  GraphQLError,
  GraphQLInputType,
  GraphQLSchema,
  OperationDefinitionNode,
} from 'graphql'
import type { GraphQLParams } from './params.js'
import type { CoercedValues, ErrorOptions, GraphQLModule } from '../js/graphql.js'

export interface InputFault {
  readonly path: readonly (string | number)[]
  readonly message: string
}

interface InputSettings extends Required<ErrorOptions> {
  readonly graphql: GraphQLModule
}

/**
 * The length of messages after which no more faults are looked for. graphql-js repeats the value in each:
 * 90,000 unknown fields take it 50 ms for each of them.
 */
const maxMessages = 200_000

/** Returns every place where a value does not fit its type, up to `maxErrors`; fewer in a very large object. */
export function findInputFaults(
  { graphql, maxErrors, hideSuggestions }: InputSettings,
  value: unknown,
  type: GraphQLInputType,
): readonly InputFault[] {
  const faults: InputFault[] = []
  let length = 0
  const add = ({ message }: GraphQLError, path: readonly (string | number)[]): void => {
    faults.push(describe(message, path))
    length += message.length
    // Each message repeats the value, so thousands of errors would take quadratic time.
    if (faults.length >= maxErrors || length > maxMessages) throw enough
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

const enough = new Error('Enough faults have been found.')

/**
 * The majors have different messages, which repeat the whole value and point to the object instead of its
 * field. Each pattern is anchored at the start and cannot backtrack: the rest of the message is text from
 * the client.
 */
const sentences: readonly (readonly [pattern: RegExp, sentence: string])[] = [
  [/^Expected value of type "[^"]*" to include required field "(\w+)"/, 'Required.'],
  [/^Field "(\w+)" of required type /, 'Required.'],
  [
    /^Expected value of type "[^"]*" not to include unknown field "(.*?)"(?:, found:|\. Did you mean)/s,
    'Unknown field.',
  ],
  [/^Field "(.*)" is not defined by type "/s, 'Unknown field.'],
  [/^Expected a value of non-null type "[^"]*" to be provided\.$/, 'Required.'],
  [/^Expected (?:value of )?non-null(?:able)? type "[^"]*" not to be null\.$/, 'Must not be null.'],
  [/^Expected (?:value of )?type "[^"]*" to be an object/, 'Must be an object.'],
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

/** An operation that was executed, so its variables are valid. */
interface ExecutedOperation {
  readonly schema: GraphQLSchema
  readonly definition: OperationDefinitionNode
  readonly params: GraphQLParams
}

/** The variables of an operation as its resolvers got them, including defaults. */
export function coerceVariables(
  graphql: GraphQLModule,
  { schema, definition, params }: ExecutedOperation,
): CoercedValues {
  const sent = params.variables ?? {}
  const coerced = graphql.getVariableValues(schema, definition.variableDefinitions ?? [], sent)
  return coerced.variableValues?.coerced ?? coerced.coerced ?? {}
}
