import { failure, success, type Outcome } from '../../base/outcome.js'
import type { Cors } from '../../http/cors.js'
import { contentCoding } from '../../http/message.js'
import { isHostValue } from '../../http/host.js'
import { parseMediaType } from '../../http/media-type.js'
import { memo } from '../../http/memo.js'
import { fieldValue, type RequestHead } from '../../http/message.js'
import { splitList } from '../../http/split-list.js'
import { hasPath, pathOf } from '../../http/target.js'
import type { Refusal } from '../refusals.js'
import { findDocumentPlace } from './document-place.js'
import type { Operation } from '../../graphql/execute/operation.js'
import type { Encoding } from '../response/choose-encoding.js'

/** Where the parameters of a request are, decided by its method. */
export type ParamsPlace = 'url' | 'body' | 'none'

/** The served path and methods, and limits of the head. */
export interface HeadLimits {
  readonly path: string | undefined
  readonly maxUrlLength: number
  readonly maxHeaderCount: number
  /** Whether GET is supported. */
  readonly get: boolean
  readonly methods: readonly string[]
  /** Whether paths below that one name stored documents. */
  readonly documentPath: boolean
}

/** Refuses a head that is malformed or too large, for any path and method. */
export function checkFraming(
  { headers, target }: RequestHead,
  limits: HeadLimits,
): Refusal | undefined {
  const { maxUrlLength, maxHeaderCount } = limits
  if (target.length > maxUrlLength) {
    return { kind: 'uri-too-long', limit: maxUrlLength, found: target.length }
  }
  const lines = headers.length / 2
  if (lines > maxHeaderCount) {
    return { kind: 'too-many-headers', limit: maxHeaderCount, found: lines }
  }
  // RFC 9112 section 3.2. Two Host lines are joined by a comma, which is not valid in a host name.
  const host = fieldValue(headers, 'host')
  if (host !== undefined && !isHostValue(host)) return { kind: 'invalid-host', host }
  const coding = fieldValue(headers, 'transfer-encoding')
  // If chunked is not the last coding, the framing is invalid and the HTTP parser rejects the request.
  return coding !== undefined && hasCodingBeforeChunked(coding)
    ? { kind: 'unsupported-transfer-coding', coding }
    : undefined
}

function hasCodingBeforeChunked(coding: string): boolean {
  const codings = splitList(coding.toLowerCase(), ',').filter((one) => one !== '')
  return codings.length > 1 && codings.at(-1) === 'chunked'
}

/** Where the method has its parameters, or the refusal of an unsupported path or method. */
export function checkRequestLine(
  { method, target }: RequestHead,
  { path, get, methods, documentPath }: HeadLimits,
): Outcome<ParamsPlace, Refusal> {
  // RFC 9110 section 9.3.7: `*` is the server as a whole.
  if (method === 'OPTIONS' && target === '*') return success('none')
  if (path !== undefined && !hasPath(target, path)) {
    if (!documentPath || findDocumentPlace(target, path) === undefined) {
      return failure({ kind: 'not-found', path: pathOf(target) })
    }
  }
  const place = Object.hasOwn(placeByMethod, method) ? placeByMethod[method] : undefined
  if (place === undefined || (place === 'url' && !get)) {
    return failure({ kind: 'method-not-allowed', method, methods })
  }
  return success(place)
}

const placeByMethod: { readonly [method: string]: ParamsPlace } = {
  POST: 'body',
  GET: 'url',
  HEAD: 'url',
  QUERY: 'body',
  OPTIONS: 'none',
}

/** Returns the refusal of a body, judged by its head. */
export type ContentCheck = (head: RequestHead) => Refusal | undefined

/** The supported bodies, as far as the head describes them. */
export interface ContentRules {
  readonly maxBodyBytes: number
  readonly decoders: { readonly [coding: string]: unknown }
}

/** Checks what a head says about its body, before any of it is read; cheapest checks first. */
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
  // Matched exactly: a type that a form can send never runs anything, so browsers must send a preflight.
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

export interface GetRules {
  /** Header fields of which a GET must have at least one, in lower case. */
  readonly getHeaders: readonly string[]
  readonly cors: Pick<Cors, 'allows'>
}

/**
 * Refuses a GET that a page of another site may have triggered: links, forms and images on any site send
 * the cookies of the visitor, without a preflight.
 */
export function checkGet(head: RequestHead, { getHeaders, cors }: GetRules): Refusal | undefined {
  const { headers } = head
  const contentType = fieldValue(headers, 'content-type')
  if (contentType !== undefined && !isJson(contentType)) {
    return { kind: 'content-on-get', mediaType: contentType }
  }
  const origin = fieldValue(headers, 'origin')
  const isAllowed = origin !== undefined && cors.allows(origin, head)
  const isForeign =
    origin === undefined
      ? fieldValue(headers, 'sec-fetch-site') === 'cross-site'
      : !isOwn(origin, fieldValue(headers, 'host'))
  if (isForeign && !isAllowed) return { kind: 'cross-site', origin }
  if (getHeaders.length > 0 && !getHeaders.some((name) => fieldValue(headers, name))) {
    return { kind: 'header-missing', names: getHeaders }
  }
  return undefined
}

/**
 * Refuses a socket that a page of another site opens: browsers send cookies with the handshake and let every page
 * talk over the socket, without a preflight. So `*` does not admit all of them: an origin must be named.
 */
export function checkSocketOrigin(
  head: RequestHead,
  { cors }: { readonly cors: Pick<Cors, 'names'> },
): Refusal | undefined {
  const origin = fieldValue(head.headers, 'origin')
  if (origin === undefined || isOwn(origin, fieldValue(head.headers, 'host'))) return undefined
  return cors.names(origin, head) ? undefined : { kind: 'foreign-socket', origin }
}

function isJson(contentType: string): boolean {
  const mediaType = parseMediaType(contentType)
  return mediaType?.type === 'application' && mediaType.subtype === 'json'
}

/**
 * Whether the request comes from a page of this server. Schemes are not compared: they differ behind a
 * proxy that terminates TLS.
 */
export function isOwn(origin: string, host: string | undefined): boolean {
  const schemeEnd = origin.indexOf('://')
  // An opaque origin, sent as `null`, does not identify a site.
  if (schemeEnd < 1) return false
  return (
    host !== undefined && origin.slice(schemeEnd + 3) === host.toLowerCase().replace(usualPort, '')
  )
}

/** Browsers omit the default port from an origin, but proxies add it to `Host`. */
const usualPort = /:(?:80|443)$/

/**
 * Whether the method may run the selected operation, and the client can read its result: GET, HEAD and QUERY
 * never run mutations. `encoding` is undefined for routes, which have only one.
 */
export function checkOperation(
  method: string,
  { definition: { operation }, document }: Operation,
  encoding: Encoding | undefined,
  { methods }: Pick<HeadLimits, 'methods'>,
): Refusal | undefined {
  if (operation === 'mutation') {
    if (method === 'GET' || method === 'HEAD') {
      return { kind: 'operation-not-allowed', operation, method, methods }
    }
    // RFC 10008: QUERY is safe. The draft requires 422, not 405, since the method itself is supported.
    if (method === 'QUERY') return { kind: 'mutation-by-query' }
  }
  if (encoding === undefined) return undefined
  const { events, single, incremental } = encoding
  // If its directives are inactive, the whole result is the only part.
  const inParts = document.incremental === undefined ? undefined : incremental
  const chosen = operation === 'subscription' ? events : (inParts ?? single)
  return chosen === undefined ? { kind: 'not-acceptable', operation } : undefined
}
