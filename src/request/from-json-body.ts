import type { GraphQLParams } from '../engine/params.js'
import { contentCoding } from '../http/content-coding.js'
import { isValueNestedDeeper } from '../http/json-nesting.js'
import type { HeaderList, ParsedJson } from '../http/message.js'
import { readText } from '../http/read-text.js'
import { failure, type Outcome } from '../outcome.js'
import { andThen } from '../promise.js'
import type { Refusal } from '../refusal.js'
import { checkParams, type ParamsLimits } from './check-params.js'
import { decodeBody, type Decoders } from './decode-body.js'
import { readJson } from './read-json.js'

/** What a body may be. */
export interface BodyRules extends ParamsLimits {
  readonly maxBodyBytes: number
  readonly maxJsonNesting: number
  readonly decoders: Decoders
}

type Params = Outcome<GraphQLParams, Refusal>

/** The parameters in the body of a POST or QUERY request; a promise only where it has to be decoded. */
export function fromJsonBody(
  body: Uint8Array | ParsedJson,
  headers: HeaderList,
  rules: BodyRules,
): Params | Promise<Params> {
  if ('json' in body) return fromParsed(body.json, rules)
  const coding = contentCoding(headers)
  if (coding === undefined) return fromBytes(body, rules)
  return andThen(decodeBody(body, coding, rules), (decoded) =>
    decoded.ok ? fromBytes(decoded.value, rules) : decoded,
  )
}

function fromBytes(bytes: Uint8Array, rules: BodyRules): Params {
  const { maxBodyBytes: limit, maxJsonNesting } = rules
  if (bytes.byteLength > limit) return failure({ kind: 'body-too-large', limit })
  const text = readText(bytes)
  if (!text.ok) return failure({ kind: 'invalid-utf-8' })
  const json = readJson(text.value, 'body', maxJsonNesting)
  return json.ok ? checkParams(json.value, rules) : json
}

function fromParsed(json: unknown, rules: BodyRules): Params {
  const { maxJsonNesting: limit } = rules
  if (isValueNestedDeeper(json, limit))
    return failure({ kind: 'json-too-deep', where: 'body', limit })
  return checkParams(json, rules)
}
