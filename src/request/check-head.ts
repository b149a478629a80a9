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
}

/** Refuses a head that HTTP itself calls broken or too large, whatever it asks for. */
export function checkFraming({ headers, target }: RequestHead, limits: Route): Refusal | undefined {
  const { maxUrlLength, maxHeaderCount } = limits
  if (target.length > maxUrlLength) return { kind: 'uri-too-long', limit: maxUrlLength }
  if (headers.length > 2 * maxHeaderCount) {
    return { kind: 'too-many-headers', limit: maxHeaderCount }
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
  { path }: Route,
): Outcome<Carrier, Refusal> {
  // RFC 9110 section 9.3.7: the server as a whole.
  if (method === 'OPTIONS' && target === '*') return success('none')
  if (path !== undefined && pathOf(target) !== path) {
    return failure({ kind: 'not-found', path: pathOf(target) })
  }
  const carrier = Object.hasOwn(carriers, method) ? carriers[method] : undefined
  return carrier ? success(carrier) : failure({ kind: 'method-not-allowed', method })
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

/** Makes the check of what a head says of its body, before a byte of it is read; cheapest first. */
export function createContentCheck(maxBytes: number): ContentCheck {
  const checkContentType = memo(refusalOfType)
  return (head) => checkContent(head, maxBytes, checkContentType)
}

function checkContent(
  { headers }: RequestHead,
  maxBytes: number,
  checkContentType: typeof refusalOfType,
): Refusal | undefined {
  const encoding = fieldValue(headers, 'content-encoding')
  if (encoding !== undefined && !isIdentity(encoding)) {
    return { kind: 'unsupported-encoding', encoding }
  }
  const refused = checkContentType(fieldValue(headers, 'content-type'))
  if (refused !== null) return refused
  const length = fieldValue(headers, 'content-length')
  return length !== undefined && Number(length) > maxBytes
    ? { kind: 'body-too-large', limit: maxBytes }
    : undefined
}

function isIdentity(encoding: string): boolean {
  return splitList(encoding.toLowerCase(), ',').every(
    (coding) => coding === 'identity' || coding === '',
  )
}

function refusalOfType(field: string | undefined): Refusal | null {
  const mediaType = field === undefined ? undefined : parseMediaType(field)
  // Matched exactly: what a form can send never executes, so browsers must ask before they send.
  if (mediaType?.type !== 'application' || mediaType.subtype !== 'json') {
    return { kind: 'unsupported-media-type', mediaType: field }
  }
  for (const [name, value] of mediaType.parameters) {
    if (name === 'charset' && value.toLowerCase() !== 'utf-8') {
      return { kind: 'unsupported-charset', charset: value }
    }
  }
  return null
}
