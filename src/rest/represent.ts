import { fieldValue, type HeaderList, type HttpResponse } from '../http/message.js'
import { ResponseHeaders, type HeaderRecord } from '../http/response-headers.js'
import { isPromise } from '../promise.js'
import { matchesTag, parseEntityTags } from './entity-tags.js'
import type { RoutePlan } from './plan.js'
import type { Precondition } from './precondition.js'
import { fillTemplate } from './template.js'

/** A value as it is sent. */
export interface Representation {
  readonly body: string
  /** What makes its tag; undefined where its digest does. */
  readonly version: string | undefined
}

/** Makes the body of a value: all of it but its version, which the tag says. */
export function toRepresentation(value: unknown, { route }: RoutePlan): Representation {
  if (route.version === undefined || !isRecord(value)) {
    return { body: JSON.stringify(value), version: undefined }
  }
  const { [route.version]: version, ...rest } = value
  return { body: JSON.stringify(rest), version: version == null ? undefined : tagText(version) }
}

function isRecord(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function tagText(version: unknown): string {
  const text = String(version)
  if (/^[\x21\x23-\x7e]+$/.test(text)) return text
  throw new TypeError(`The version ${JSON.stringify(text)} cannot stand in an entity tag.`)
}

/** The strong tag of a representation without a version; a promise, since platforms hash so. */
export async function digestOf(body: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(body))
  return btoa(String.fromCharCode(...new Uint8Array(digest)))
}

/** What goes with a representation. */
export interface Attachments {
  readonly tag: string | undefined
  readonly location: HeaderList
  /** The route's own headers, which go before the usual ones. */
  readonly own: ResponseHeaders
}

/** The answer of success; undefined where the tag is none of those that the request demands. */
export function toSuccess(
  body: string,
  { tag, location, own }: Attachments,
  { route: { method, status = 200 } }: RoutePlan,
  headers: HeaderList,
  { match }: Precondition,
): HttpResponse | undefined {
  const etag = tag === undefined ? [] : ['ETag', `"${tag}"`]
  const caching = ['Cache-Control', method === 'GET' ? 'no-cache' : 'no-store', 'Vary', 'Accept']
  const usual = [...location, ...etag, ...caching, 'X-Content-Type-Options', 'nosniff']
  const common = own.mergeInto(usual)
  if (method === 'GET' && tag !== undefined) {
    if (!matchesTag(match, tag, 'strong')) return undefined
    if (isKnown(headers, tag)) return { status: 304, headers: common, body: '' }
  }
  const contentType = ['Content-Type', 'application/json; charset=utf-8']
  return { status, headers: [...contentType, ...common], body }
}

/** A field that is none of RFC 9110's asks for nothing: the whole answer is right, too. */
function isKnown(headers: HeaderList, tag: string): boolean {
  const field = fieldValue(headers, 'if-none-match')
  const tags = field === undefined ? undefined : parseEntityTags(field)
  return tags !== undefined && matchesTag(tags, tag, 'weak')
}

/** Where the value stands. */
export function toLocation(value: unknown, { location }: RoutePlan): HeaderList {
  return location === undefined ? [] : ['Location', fillTemplate(location, textOf(value))]
}

/** What the function of a route adds. */
export function toOwnHeaders(record: HeaderRecord | undefined): ResponseHeaders {
  const headers = new ResponseHeaders()
  if (record === undefined) return headers
  if (isPromise(record)) {
    void Promise.resolve(record).catch(() => undefined)
    throw new TypeError('headers: expected the headers at once, not by a promise.')
  }
  headers.assign(record)
  return headers
}

function textOf(value: unknown): (name: string) => string {
  return (name) => {
    const member = isRecord(value) ? value[name] : undefined
    if (typeof member === 'string' || typeof member === 'number') return String(member)
    throw new TypeError(`location: "${name}" is neither a text nor a number.`)
  }
}
