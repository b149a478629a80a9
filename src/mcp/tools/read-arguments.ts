import { cutText } from '../../base/cut-text.js'
import type { JsonObject } from '../../base/json.js'
import { failure, success, type Outcome } from '../../base/outcome.js'
import type { RequestError } from '../../graphql/errors/request-error.js'
import type { PlannedTool } from './plan-tool.js'

/**
 * The variables of a call: its arguments, whose values are checked when they are coerced. Unlike GraphQL, unknown
 * names are errors: a model that misspells an argument should be told.
 */
export function readArguments(
  given: JsonObject,
  { parameters }: PlannedTool,
  { maxErrors }: { readonly maxErrors: number },
): Outcome<JsonObject, RequestError> {
  const unknown: string[] = []
  for (const name of Object.keys(given)) {
    if (parameters.has(name)) continue
    if (unknown.push(name) >= maxErrors) break
  }
  if (unknown.length === 0) return success(given)
  const errors = unknown.map((name) => ({
    message: `Unknown argument ${JSON.stringify(cutText(name, 100))}.`,
  }))
  return failure({ kind: 'variables', errors })
}
