import type { GraphQLParams } from '../engine/params.js'
import { memo } from '../http/memo.js'
import { decodeValue, findParameters } from '../http/query-string.js'
import { queryOf } from '../http/target.js'
import { success, type Outcome } from '../outcome.js'
import type { Refusal } from '../refusal.js'
import { checkParams, type ParamsLimits } from './check-params.js'
import { readJson } from './read-json.js'

/** What the parameters of a URL may be. */
export interface UrlRules extends ParamsLimits {
  readonly maxJsonNesting: number
}

const names = ['query', 'operationName', 'variables', 'extensions'] as const

/** Reads the parameters in the query component of a GET request. */
export type UrlReader = (target: string) => Outcome<GraphQLParams, Refusal>

/** Makes the reader. An empty parameter, where it is optional, was not given. */
export function createUrlReader(rules: UrlRules): UrlReader {
  // Clients send few documents and many variables; to decode a short document is 2 % of a request.
  const decodeQuery = memo((text = '') => decodeValue(text), 128, 2048)
  return (target) => {
    const { query, operationName, variables, extensions } = findParameters(queryOf(target), names)
    const variablesJson = readOptionalJson(variables, 'variables', rules)
    if (!variablesJson.ok) return variablesJson
    const extensionsJson = readOptionalJson(extensions, 'extensions', rules)
    if (!extensionsJson.ok) return extensionsJson
    const given = {
      query: query === undefined ? undefined : decodeQuery(query),
      operationName: operationName ? decodeValue(operationName) : undefined,
      variables: variablesJson.value,
      extensions: extensionsJson.value,
    }
    return checkParams(given, rules)
  }
}

function readOptionalJson(
  encoded: string | undefined,
  name: string,
  { maxJsonNesting }: UrlRules,
): Outcome<unknown, Refusal> {
  return encoded ? readJson(decodeValue(encoded), name, maxJsonNesting) : success(undefined)
}
