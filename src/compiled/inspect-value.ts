import type { Run } from './run.js'

const before = 'Expected '
const after = ' to be a GraphQL type.'

/** Shows a value as graphql-js does in its messages. Its own function for that is not public, but a refusal has the text. */
export function inspectValue({ plan: { graphql } }: Run, value: unknown): string {
  try {
    return String(graphql.assertType(value))
  } catch (error) {
    const { message } = error as Error
    // Members of the value may throw, too.
    if (!message.startsWith(before) || !message.endsWith(after)) throw error
    return message.slice(before.length, -after.length)
  }
}
