import { contentCoding } from '../http/content-coding.js'
import { memo } from '../http/memo.js'
import { fieldValue, type RequestHead } from '../http/message.js'
import { parseMediaType } from '../http/media-type.js'
import { splitList } from '../http/split-list.js'
import { pathOf } from '../http/target.js'
import { failure, success, type Outcome } from '../outcome.js'
import type { Refusal } from '../refusal.js'

/** How the parameters of a request arrive, decided by its method. */
export type Carrier = 'url' | 'body' | 'none'

/** What is served, and how large a head may be. */
export interface Route {
  readonly path: string | undefined
  readonly maxUrlLength: number
  readonly maxHeaderCount: number
  /** Whether parameters may come by GET. */
  readonly get: boolean
}

/** Refuses a head that HTTP itself calls broken or too large, whatever it asks for. */
export function checkFraming({ headers, target }: RequestHead, limits: Route): Refusal | undefined {
  const { maxUrlLength, maxHeaderCount } = limits
  if (target.length > maxUrlLength) {
    return { kind: 'uri-too-long', limit: maxUrlLength, found: target.length }
  }
  const lines = headers.length / 2
  if (lines > maxHeaderCount) {
    return { kind: 'too-many-headers', limit: maxHeaderCount, found: lines }
  }
  // RFC 9112 section 3.2: also two Host lines are to be refused, which join to what is no host.
  const host = fieldValue(headers, 'host')
  if (host !== undefined && !uriHost.test(host)) return { kind: 'invalid-host', host }
  const coding = fieldValue(headers, 'transfer-encoding')
  // Where chunked is not the last coding, the framing is broken and the parser of HTTP refuses it.
  return coding !== undefined && hasCodingBeforeChunked(coding)
    ? { kind: 'unsupported-transfer-coding', coding }
    : undefined
}

function hasCodingBeforeChunked(coding: string): boolean {
  const codings = splitList(coding.toLowerCase(), ',').filter((one) => one !== '')
  return codings.length > 1 && codings.at(-1) === 'chunked'
}

/** `uri-host [ ":" port ]` of RFC 3986 section 3.2, without the comma, which no name has. */
const uriHost = /^(?:\[[0-9a-fv:.]+\]|[\w.~!$&'()*+;=%-]*)(?::\d*)?$/i

/** The method's way of carrying parameters, or the refusal of a path or method that is not served. */
export function checkRequestLine(
  { method, target }: RequestHead,
  { path, get }: Route,
): Outcome<Carrier, Refusal> {
  // RFC 9110 section 9.3.7: the server as a whole.
  if (method === 'OPTIONS' && target === '*') return success('none')
  if (path !== undefined && target !== path && pathOf(target) !== path) {
    return failure({ kind: 'not-found', path: pathOf(target) })
  }
  const carrier = Object.hasOwn(carriers, method) ? carriers[method] : undefined
  if (carrier === undefined || (carrier === 'url' && !get)) {
    return failure({ kind: 'method-not-allowed', method, get })
  }
  return success(carrier)
}

const carriers: { readonly [method: string]: Carrier } = {
  POST: 'body',
  GET: 'url',
  HEAD: 'url',
  QUERY: 'body',
  OPTIONS: 'none',
}

/** Says of a head why its body is not wanted, if so. */
export type ContentCheck = (head: RequestHead) => Refusal | undefined

/** What a body may be, as far as its head tells. */
export interface ContentRules {
  readonly maxBodyBytes: number
  readonly decoders: { readonly [coding: string]: unknown }
}

/** Makes the check of what a head says of its body, before a byte of it is read; cheapest first. */
export function createContentCheck(
  { maxBodyBytes, decoders }: ContentRules,
  types: readonly string[] = ['application/json'],
): ContentCheck {
  const refusalOfContentType = memo((field) => refusalOfType(field, types))
  const supported = Object.keys(decoders)
  return ({ headers }) => {
    const coding = contentCoding(headers)
    if (coding !== undefined && !supported.includes(coding)) {
      return { kind: 'unsupported-encoding', coding, supported }
    }
    const refused = refusalOfContentType(fieldValue(headers, 'content-type'))
    if (refused !== null) return refused
    const length = Number(fieldValue(headers, 'content-length') ?? 0)
    return length > maxBodyBytes
      ? { kind: 'body-too-large', limit: maxBodyBytes, found: length }
      : undefined
  }
}

function refusalOfType(field: string | undefined, types: readonly string[]): Refusal | null {
  const mediaType = field === undefined ? undefined : parseMediaType(field)
  // Matched exactly: what a form can send never executes, so browsers must ask before they send.
  if (mediaType === undefined || !types.includes(`${mediaType.type}/${mediaType.subtype}`)) {
    return { kind: 'unsupported-media-type', mediaType: field }
  }
  for (const [name, value] of mediaType.parameters) {
    if (name === 'charset' && value.toLowerCase() !== 'utf-8') {
      return { kind: 'unsupported-charset', charset: value }
    }
  }
  return null
}
