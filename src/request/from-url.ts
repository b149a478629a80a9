import type { GraphQLParams } from '../engine/params.js'
import { readParameters } from '../http/query-string.js'
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

/** The parameters in the query component of a GET request; an empty optional one was not given. */
export function fromUrl(target: string, rules: UrlRules): Outcome<GraphQLParams, Refusal> {
  const { query, operationName, variables, extensions } = readParameters(queryOf(target), names)
  const variablesJson = readOptionalJson(variables, 'variables', rules)
  if (!variablesJson.ok) return variablesJson
  const extensionsJson = readOptionalJson(extensions, 'extensions', rules)
  if (!extensionsJson.ok) return extensionsJson
  const given = {
    query,
    operationName: operationName === '' ? undefined : operationName,
    variables: variablesJson.value,
    extensions: extensionsJson.value,
  }
  return checkParams(given, rules)
}

function readOptionalJson(
  text: string | undefined,
  name: string,
  { maxJsonNesting }: UrlRules,
): Outcome<unknown, Refusal> {
  return text === undefined || text === ''
    ? success(undefined)
    : readJson(text, name, maxJsonNesting)
}
