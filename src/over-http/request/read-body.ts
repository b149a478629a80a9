import { mayNestDeeper, nestsDeeper } from '../../base/json.js'
import { failure, success, type Outcome } from '../../base/outcome.js'
import { andThen } from '../../base/promise.js'
import { contentCoding } from '../../http/message.js'
import type { AddressReader } from '../../http/client-address.js'
import type { Body, ParsedJson, RequestHead } from '../../http/message.js'
import type { Refusal } from '../refusals.js'

export interface BodyRules {
  readonly maxBodyBytes: number
  readonly maxJsonNesting: number
  readonly decoders: Decoders
  readonly clientOf: AddressReader
}

/** The request that waits for its body. */
export interface BodyOwner {
  readonly head: RequestHead
  readonly cancellation: DecodeSignal
}

type JsonOutcome = Outcome<unknown, Refusal>

/** Reads the JSON value of a body; a promise only if it has to be decoded. `hold` is that of the body. */
export function readJsonBody(
  body: Uint8Array | ParsedJson,
  owner: BodyOwner,
  rules: BodyRules,
  hold: Body['hold'],
): JsonOutcome | Promise<JsonOutcome> {
  if ('json' in body) return checkParsed(body.json, rules)
  const coding = contentCoding(owner.head.headers)
  if (coding === undefined) return fromBytes(body, rules)
  if (body.byteLength > rules.maxBodyBytes) return tooLarge(rules, false)
  const decoded = decodeBody(body, coding, rules, owner)
  return andThen(decoded, (bytes): JsonOutcome => {
    if (!bytes.ok) return bytes
    const hasRoom = hold?.(bytes.value) !== false
    return hasRoom
      ? fromBytes(bytes.value, rules, true)
      : failure({ kind: 'overloaded', by: 'bodies' })
  })
}

function tooLarge(
  { maxBodyBytes: limit }: BodyRules,
  isDecompressed: boolean,
): Outcome<never, Refusal> {
  return failure({ kind: 'body-too-large', limit, isDecompressed })
}

function fromBytes(bytes: Uint8Array, rules: BodyRules, isDecompressed = false): JsonOutcome {
  if (bytes.byteLength > rules.maxBodyBytes) return tooLarge(rules, isDecompressed)
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    return failure({ kind: 'invalid-utf-8' })
  }
  return readJson(text, 'body', rules.maxJsonNesting)
}

/** Strict; drops a leading byte order mark. */
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Checks a value that was parsed elsewhere. */
export function checkParsed(json: unknown, { maxJsonNesting: limit }: BodyRules): JsonOutcome {
  return nestsDeeper(json, limit)
    ? failure({ kind: 'json-too-deep', where: 'body', limit })
    : success(json)
}

/** Says whether the request is over, so that its body is not needed any more. */
export interface DecodeSignal {
  readonly aborted: boolean
}

/**
 * Reverses a content coding; fails if the result would be longer than `maxBytes`. `client` identifies who sent the body, for
 * decoders such as those of `graphwire/node`, whose clients take turns.
 */
export type Decoder = (
  bytes: Uint8Array,
  maxBytes: number,
  signal?: DecodeSignal,
  client?: string,
) => Outcome<Uint8Array, DecodeFault> | PromiseLike<Outcome<Uint8Array, DecodeFault>>

export type DecodeFault = 'too-large' | 'broken'

/** Decoders by coding in lower case, such as `gzip`. */
export interface Decoders {
  readonly [coding: string]: Decoder
}

/** Decodes a body with the decoder of its coding; the decoded size is limited like that of any body. */
function decodeBody(
  bytes: Uint8Array,
  coding: string,
  rules: BodyRules,
  { head, cancellation }: BodyOwner,
): Outcome<Uint8Array, Refusal> | Promise<Outcome<Uint8Array, Refusal>> {
  const { decoders, maxBodyBytes, clientOf } = rules
  const decode = Object.hasOwn(decoders, coding) ? decoders[coding] : undefined
  if (decode === undefined)
    throw new Error(
      `No decoder for the coding ${coding}, which the check of the head should have refused.`,
    )
  const work = decode(bytes, maxBodyBytes, cancellation, clientOf(head))
  return andThen(work, (decoded): Outcome<Uint8Array, Refusal> => {
    if (decoded.ok) return success(decoded.value)
    return decoded.reason === 'broken'
      ? failure({ kind: 'broken-encoding', coding })
      : tooLarge(rules, true)
  })
}

/** Parses JSON text with limited nesting; `where` names its place for the client. */
export function readJson(text: string, where: string, limit: number): Outcome<unknown, Refusal> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return failure({ kind: 'invalid-json', where, detail: describe(text, error) })
  }
  return mayNestDeeper(text, limit) && nestsDeeper(value, limit)
    ? failure({ kind: 'json-too-deep', where, limit })
    : success(value)
}

/** Newer runtimes quote an excerpt of the text in their message. It is left out, because it may be secret. */
function describe(text: string, error: unknown): string {
  if (text === '') return 'it is empty'
  const position = /at position (\d+)/.exec((error as Error).message)?.[1]
  return position === undefined
    ? 'it is truncated or is not JSON'
    : `error at character ${position}`
}
