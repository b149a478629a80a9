import { fieldValue, type RequestHead } from '../http/message.js'
import { parseMediaType } from '../http/media-type.js'
import type { Refusal } from '../refusal.js'

/** What a GET must be like. */
export interface GetRules {
  /** Header fields of which it must bring one, in lower case. */
  readonly getHeaders: readonly string[]
  readonly cors: { readonly allows: (origin: string) => boolean }
}

/**
 * Refuses a GET that a page of somebody else may have made its visitor's browser send: a link, a form
 * or an image of any site brings the visitor's cookies along, and no preflight asks before.
 */
export function checkGet(
  { headers }: RequestHead,
  { getHeaders, cors }: GetRules,
): Refusal | undefined {
  const contentType = fieldValue(headers, 'content-type')
  if (contentType !== undefined && !isJson(contentType)) {
    return { kind: 'content-on-get', mediaType: contentType }
  }
  const origin = fieldValue(headers, 'origin')
  const isAllowed = origin !== undefined && cors.allows(origin)
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

function isJson(contentType: string): boolean {
  const mediaType = parseMediaType(contentType)
  return mediaType?.type === 'application' && mediaType.subtype === 'json'
}

/** Whether a page of the server's own sent it; behind a proxy that ends TLS, the schemes differ. */
function isOwn(origin: string, host: string | undefined): boolean {
  const schemeEnd = origin.indexOf('://')
  // An opaque origin, sent as `null`, is nobody's own.
  if (schemeEnd < 1) return false
  return (
    host !== undefined && origin.slice(schemeEnd + 3) === host.toLowerCase().replace(usualPort, '')
  )
}

/** Browsers leave it out of an origin, and proxies put it into `Host`. */
const usualPort = /:(?:80|443)$/
