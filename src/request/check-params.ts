import type { GraphQLParams, JsonObject } from '../engine/params.js'
import { failure, success, type Outcome } from '../outcome.js'
import type { Refusal } from '../refusal.js'

/** What parameters may be. */
export interface ParamsLimits {
  readonly maxDocumentLength: number
}

/**
 * Turns a JSON value into the parameters of a well-formed request. Own properties only, `null` is
 * "not given", unknown properties are ignored (specification section "JSON Encoding").
 */
export function checkParams(
  json: unknown,
  { maxDocumentLength: limit }: ParamsLimits,
): Outcome<GraphQLParams, Refusal> {
  if (Array.isArray(json)) return failure({ kind: 'batching-not-supported' })
  if (!isJsonObject(json)) return invalid('body', 'a JSON object')
  const query = own(json, 'query')
  if (typeof query !== 'string') return invalid('query', 'a string')
  if (query.length > limit) {
    return failure({ kind: 'document-too-long', limit, found: query.length })
  }
  const operationName = own(json, 'operationName')
  if (operationName !== undefined && typeof operationName !== 'string') {
    return invalid('operationName', 'a string or null')
  }
  const variables = own(json, 'variables')
  if (variables !== undefined && !isJsonObject(variables)) {
    return invalid('variables', 'a JSON object or null')
  }
  const extensions = own(json, 'extensions')
  if (extensions !== undefined && !isJsonObject(extensions)) {
    return invalid('extensions', 'a JSON object or null')
  }
  return success({ query, operationName, variables, extensions })
}

function own(json: JsonObject, name: string): unknown {
  return Object.hasOwn(json, name) ? (json[name] ?? undefined) : undefined
}

function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function invalid(name: string, expected: string): Outcome<never, Refusal> {
  return failure({ kind: 'invalid-parameter', name, expected })
}
