import type { HttpResponse, HeaderList } from '../http/message.js'
import type { Refusal } from '../refusal.js'
import type { Encoding } from './choose-encoding.js'
import type { Edition } from './editions.js'
import { codeOf } from './code-of.js'
import { baseHeaders } from './headers.js'
import { messageOf } from './message-of.js'
import { refusalStatus } from './status.js'

/** The methods that are served, as `Allow` lists them. */
const allMethods = 'GET, HEAD, POST, QUERY, OPTIONS'
const methodsWithoutGet = 'POST, QUERY, OPTIONS'
const acceptQuery = ['Accept-Query', 'application/json']

/** The answer to a request that HTTP refuses: a small GraphQL response, so that clients can show it. */
export function refuse(refusal: Refusal, encoding: Encoding, edition: Edition): HttpResponse {
  const extensions = { code: codeOf(refusal), ...detailsOf(refusal) }
  return {
    status: refusalStatus(refusal, edition),
    headers: [...baseHeaders(encoding.failure, false), ...headersOf(refusal)],
    body: JSON.stringify({ errors: [{ message: messageOf(refusal), extensions }] }),
  }
}

/** The answer to OPTIONS. */
export function describeMethods(get: boolean): HttpResponse {
  return {
    status: 204,
    headers: [
      'Allow',
      get ? allMethods : methodsWithoutGet,
      ...acceptQuery,
      'X-Content-Type-Options',
      'nosniff',
    ],
    body: '',
  }
}

function detailsOf(refusal: Refusal): { readonly [name: string]: unknown } | undefined {
  if (refusal.kind === 'internal') return { id: refusal.id }
  if (refusal.kind === 'cancelled') return { cause: refusal.cause }
  if (!('limit' in refusal)) return undefined
  const found = 'found' in refusal ? { found: refusal.found } : undefined
  return { allowed: refusal.limit, ...found }
}

/** The header fields that RFC 9110 and RFC 10008 want beside a status. */
function headersOf(refusal: Refusal): HeaderList {
  switch (refusal.kind) {
    case 'method-not-allowed':
      return ['Allow', refusal.get ? allMethods : methodsWithoutGet, ...acceptQuery]
    case 'operation-not-allowed':
      // The URL names a mutation: of this resource GET and HEAD are not allowed methods.
      return ['Allow', methodsWithoutGet, ...acceptQuery]
    case 'unsupported-media-type':
    case 'unsupported-charset':
      return ['Accept', 'application/json', ...acceptQuery]
    case 'unsupported-encoding':
      return ['Accept-Encoding', [...refusal.supported, 'identity'].join(', '), ...acceptQuery]
    case 'unauthenticated':
      return ['WWW-Authenticate', refusal.challenge]
    case 'cancelled':
    case 'overloaded':
      return ['Retry-After', '1']
    case 'rate-limited':
    case 'unavailable':
      return ['Retry-After', String(Math.max(0, Math.ceil(refusal.retryAfter)))]
    default:
      return []
  }
}
