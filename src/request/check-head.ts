import { memo } from '../http/memo.js'
import { fieldValue, type RequestHead } from '../http/message.js'
import { parseMediaType } from '../http/media-type.js'
import { splitList } from '../http/split-list.js'
import { pathOf } from '../http/target.js'
import { failure, success, type Outcome } from '../outcome.js'
import type { Refusal } from '../refusal.js'

/** How the parameters of a request arrive, decided by its method. */
export type Carrier = 'url' | 'body' | 'none'

/** What of a request line is served. */
export interface Route {
  readonly path: string | undefined
  readonly maxUrlLength: number
}

/** The method's way of carrying parameters, or the refusal of a URL or method that is not served. */
export function checkRequestLine(
  { method, target }: RequestHead,
  { path, maxUrlLength }: Route,
): Outcome<Carrier, Refusal> {
  if (target.length > maxUrlLength) return failure({ kind: 'uri-too-long', limit: maxUrlLength })
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

/** Refuses a body by what its head says, before a byte of it is read; cheapest check first. */
export function checkContent({ headers }: RequestHead, maxBytes: number): Refusal | undefined {
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

const checkContentType = memo((field): Refusal | null => {
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
})
