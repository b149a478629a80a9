import type { GraphQLParams } from '../engine/params.js'
import { readParameters } from '../http/query-string.js'
import { queryOf } from '../http/target.js'
import { success, type Outcome } from '../outcome.js'
import type { Refusal } from '../refusal.js'
import { checkParams } from './check-params.js'
import { readJson } from './read-json.js'

const names = ['query', 'operationName', 'variables', 'extensions'] as const

/** The parameters in the query component of a GET request; an empty optional one was not given. */
export function fromUrl(target: string): Outcome<GraphQLParams, Refusal> {
  const { query, operationName, variables, extensions } = readParameters(queryOf(target), names)
  const variablesJson = readOptionalJson(variables, 'variables')
  if (!variablesJson.ok) return variablesJson
  const extensionsJson = readOptionalJson(extensions, 'extensions')
  if (!extensionsJson.ok) return extensionsJson
  return checkParams({
    query,
    operationName: operationName === '' ? undefined : operationName,
    variables: variablesJson.value,
    extensions: extensionsJson.value,
  })
}

function readOptionalJson(text: string | undefined, name: string): Outcome<unknown, Refusal> {
  return text === undefined || text === '' ? success(undefined) : readJson(text, name)
}
