import { isJsonObject, type JsonObject } from '../../base/json.js'
import { failure, success, type Outcome } from '../../base/outcome.js'
import type { GraphQLParams } from '../../graphql/execute/params.js'
import { memo } from '../../http/memo.js'
import { decodeValue, findParameters, queryOf } from '../../http/target.js'
import type { Refusal } from '../refusals.js'
import { readJson } from './read-body.js'

/** Limits of the parameters. */
export interface ParamsLimits {
  readonly maxDocumentLength: number
}

/**
 * Checks that a JSON value contains the parameters of a well-formed request. Only own properties count,
 * `null` means absent, and unknown properties are ignored (specification section "JSON Encoding").
 */
export function checkParams(
  json: unknown,
  { maxDocumentLength: limit }: ParamsLimits,
  where: 'body' | 'entry' = 'body',
): Outcome<GraphQLParams, Refusal> {
  if (Array.isArray(json) && where === 'body') return failure({ kind: 'batching-not-supported' })
  if (!isJsonObject(json)) return invalid(where, 'a JSON object')
  const query = own(json, 'query')
  if (query === undefined) return invalid('query', undefined)
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

/** An own member, with null as absent. */
export function own(json: JsonObject, name: string): unknown {
  return Object.hasOwn(json, name) ? (json[name] ?? undefined) : undefined
}

/** `expected` is undefined if a required parameter is missing. */
export function invalid(name: string, expected: string | undefined): Outcome<never, Refusal> {
  return failure({ kind: 'invalid-parameter', name, expected })
}

/** Limits of the parameters in a URL. */
export interface UrlRules {
  readonly maxJsonNesting: number
}

const names = ['query', 'operationName', 'variables', 'extensions'] as const

type ParameterName = (typeof names)[number]

/** Reads the parameters from the query of a GET request, as those of a body are read: they are not checked yet. */
export type UrlReader = (target: string) => Outcome<JsonObject, Refusal>

/** An empty parameter counts as absent if it is optional. */
export function createUrlReader(rules: UrlRules, readsId = false): UrlReader {
  const read: readonly (ParameterName | 'documentId')[] = readsId ? [...names, 'documentId'] : names
  // Clients send few documents and many variables; decoding a short document is 2 % of a request.
  const decodeQuery = memo((text = '') => decodeValue(text), 128, 2048)
  return (target) => {
    const found = findParameters(queryOf(target), read)
    const { query, operationName, variables, extensions, documentId } = found
    const variablesJson = readOptionalJson(variables, 'variables', rules)
    if (!variablesJson.ok) return variablesJson
    const extensionsJson = readOptionalJson(extensions, 'extensions', rules)
    if (!extensionsJson.ok) return extensionsJson
    return success({
      query: query === undefined ? undefined : decodeQuery(query),
      operationName: operationName ? decodeValue(operationName) : undefined,
      variables: variablesJson.value,
      extensions: extensionsJson.value,
      documentId: documentId === undefined ? undefined : decodeValue(documentId),
    })
  }
}

function readOptionalJson(
  encoded: string | undefined,
  name: string,
  { maxJsonNesting }: UrlRules,
): Outcome<unknown, Refusal> {
  return encoded ? readJson(decodeValue(encoded), name, maxJsonNesting) : success(undefined)
}
