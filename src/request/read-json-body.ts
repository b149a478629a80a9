import { contentCoding } from '../http/content-coding.js'
import { nestsDeeper } from '../http/json-nesting.js'
import type { HeaderList, ParsedJson } from '../http/message.js'
import { readText } from '../http/read-text.js'
import { failure, success, type Outcome } from '../outcome.js'
import { isPromise } from '../promise.js'
import type { Refusal } from '../refusal.js'
import { decodeBody, type Decoders } from './decode-body.js'
import { readJson } from './read-json.js'

/** What a body may be. */
export interface BodyRules {
  readonly maxBodyBytes: number
  readonly maxJsonNesting: number
  readonly decoders: Decoders
}

type Json = Outcome<unknown, Refusal>

/** The JSON value that is the body of a request; a promise only where it has to be decoded. */
export function readJsonBody(
  body: Uint8Array | ParsedJson,
  headers: HeaderList,
  rules: BodyRules,
): Json | Promise<Json> {
  if ('json' in body) return checkParsed(body.json, rules)
  const coding = contentCoding(headers)
  if (coding === undefined) return fromBytes(body, rules)
  const decoded = decodeBody(body, coding, rules)
  return isPromise(decoded)
    ? decoded.then((late) => fromDecoded(late, rules))
    : fromDecoded(decoded, rules)
}

function fromDecoded(decoded: Outcome<Uint8Array, Refusal>, rules: BodyRules): Json {
  return decoded.ok ? fromBytes(decoded.value, rules) : decoded
}

function fromBytes(bytes: Uint8Array, rules: BodyRules): Json {
  const { maxBodyBytes: limit, maxJsonNesting } = rules
  if (bytes.byteLength > limit) return failure({ kind: 'body-too-large', limit })
  const text = readText(bytes)
  return text.ok ? readJson(text.value, 'body', maxJsonNesting) : failure({ kind: 'invalid-utf-8' })
}

function checkParsed(json: unknown, { maxJsonNesting: limit }: BodyRules): Json {
  return nestsDeeper(json, limit)
    ? failure({ kind: 'json-too-deep', where: 'body', limit })
    : success(json)
}
