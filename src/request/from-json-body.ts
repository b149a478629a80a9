import type { GraphQLParams } from '../engine/params.js'
import type { ParsedJson } from '../http/message.js'
import { readText } from '../http/read-text.js'
import { failure, type Outcome } from '../outcome.js'
import type { Refusal } from '../refusal.js'
import { checkParams } from './check-params.js'
import { readJson } from './read-json.js'

/** The parameters in the body of a POST or QUERY request. */
export function fromJsonBody(
  body: Uint8Array | ParsedJson,
  maxBytes: number,
): Outcome<GraphQLParams, Refusal> {
  if ('json' in body) return checkParams(body.json)
  if (body.byteLength > maxBytes) return failure({ kind: 'body-too-large', limit: maxBytes })
  const text = readText(body)
  if (!text.ok) return failure({ kind: 'invalid-utf-8' })
  const json = readJson(text.value, 'body')
  return json.ok ? checkParams(json.value) : json
}
