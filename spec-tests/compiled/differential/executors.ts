import * as graphql from 'graphql'
import type { ExecutionArgs, ExecutionResult, GraphQLError } from 'graphql'

/** What the compiled executor gives: the JSON of the data, or nothing for a request error. */
export interface TextResult {
  readonly text: string | undefined
  readonly errors: readonly GraphQLError[]
}

export type TextExecutor = (args: ExecutionArgs) => TextResult | Promise<TextResult>

/** The same by graphql-js: the reference. */
export const executeByReference: TextExecutor = (args) => {
  const result = graphql.execute(args)
  return 'then' in result ? result.then(toText) : toText(result)
}

function toText({ data, errors = [] }: ExecutionResult): TextResult {
  return { text: data === undefined ? undefined : JSON.stringify(data), errors }
}
