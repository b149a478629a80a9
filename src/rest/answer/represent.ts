import { isJsonObject } from '../../base/json.js'
import { fieldValue, type HeaderList, type HttpResponse } from '../../http/message.js'
import { forClientOnly } from '../../http/storing.js'
import { matchesTag, parseEntityTags } from '../../http/entity-tags.js'
import { mistake } from '../route/mistake.js'
import type { RoutePlan } from '../plan/plan.js'
import type { Precondition } from '../read/precondition.js'
import { fillTemplate } from '../../http/template.js'

/** The representation of a value. */
export interface Representation {
  readonly body: string
  /** The version for its tag; undefined if the tag is a digest. */
  readonly version: string | undefined
}

/** Receives mistakes that do not change the response: after a write, reporting a failure would be wrong. */
export type ReportMistake = (mistake: Error) => void

/** Makes the body of a value, without the version, which goes into the tag. */
export function toRepresentation(
  value: unknown,
  { route }: RoutePlan,
  report: ReportMistake,
): Representation {
  if (route.version === undefined || !isJsonObject(value)) {
    return { body: JSON.stringify(value), version: undefined }
  }
  const { [route.version]: version, ...rest } = value
  const body = JSON.stringify(rest)
  if (version === null || version === undefined) return { body, version: undefined }
  const text = textOf(version)
  if (text !== undefined && /^[\x21\x23-\x7e]+$/.test(text)) return { body, version: text }
  report(mistake(route, 'the version cannot be written in an entity tag'))
  return { body, version: undefined }
}

function textOf(value: unknown): string | undefined {
  return ['string', 'number', 'bigint'].includes(typeof value) ? String(value) : undefined
}

/**
 * The strong tag of a representation: its version, or else its digest. What one user sees of a version can
 * differ from what another one sees, at the same URL and in the cache of the same browser (RFC 9110 section
 * 8.8.1). So requests with credentials get a tag of both.
 */
export function tagOf(
  body: string,
  version: string | undefined,
  isOfUser: boolean,
): string | Promise<string> {
  if (version === undefined) return digestOf(body)
  return isOfUser ? digestOf(body).then((digest) => `${version}.${digest.slice(0, 22)}`) : version
}

/** A promise, because the platform's digest is asynchronous. */
async function digestOf(body: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(body))
  return btoa(String.fromCharCode(...new Uint8Array(digest)))
}

/** What a response needs besides the representation. */
export interface Attachments {
  readonly tag: string | undefined
  /** The caching of a write's state, or of a reader without credentials. */
  readonly version: string | undefined
  readonly location: HeaderList
  /** Whether responses to GET depend on the caller. */
  readonly isPersonal: boolean
}

/** The response of a success; undefined if its tag is not one that the request requires. */
export function toSuccess(
  body: string,
  { tag, version = tag, location, isPersonal }: Attachments,
  { route: { method, status = 200 } }: RoutePlan,
  headers: HeaderList,
  { match }: Precondition,
): HttpResponse | undefined {
  const etag = tag === undefined ? [] : ['ETag', `"${tag}"`]
  const fresh = isPersonal ? forClientOnly : 'no-cache'
  const caching = ['Cache-Control', method === 'GET' ? fresh : 'no-store', 'Vary', 'Accept']
  const common = [...location, ...etag, ...caching, 'X-Content-Type-Options', 'nosniff']
  if (method === 'GET' && tag !== undefined && version !== undefined) {
    const isDemanded = [tag, version].some((one) => matchesTag(match, one, 'strong'))
    if (!isDemanded) return undefined
    if (isKnown(headers, tag)) return { status: 304, headers: common, body: '' }
  }
  if (status === 204) return { status, headers: common, body: '' }
  const contentType = ['Content-Type', 'application/json; charset=utf-8']
  return { status, headers: [...contentType, ...common], body }
}

/** A malformed field is ignored, since a full response is always correct. */
function isKnown(headers: HeaderList, tag: string): boolean {
  const field = fieldValue(headers, 'if-none-match')
  const tags = field === undefined ? undefined : parseEntityTags(field)
  return tags !== undefined && matchesTag(tags, tag, 'weak')
}

/** The `Location` of the value, if a path can represent it. */
export function toLocation(
  value: unknown,
  { location, route }: RoutePlan,
  report: ReportMistake,
): HeaderList {
  if (location === undefined) return []
  const filled = fillTemplate(location, (name) =>
    isJsonObject(value) ? textOf(value[name]) : undefined,
  )
  if (filled.ok) return ['Location', filled.value]
  report(mistake(route, `location: the value of "${filled.reason}" cannot be written in a path`))
  return []
}
