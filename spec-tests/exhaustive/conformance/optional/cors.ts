import type { Call } from './call.js'
import type { Has } from './defects.js'

/** The fields of the CORS protocol: answers are shared with https://allowed.example alone. */
export function corsFields({ method, headers }: Call, has: Has): Record<string, string> {
  const { origin } = headers
  const isPreflight = method === 'OPTIONS'
  if (origin === undefined || (has('cors-preflight-only') && !isPreflight)) return {}
  if (!isAllowed(origin, has)) {
    return has('cors-talkative') ? { 'Access-Control-Allow-Credentials': 'true' } : {}
  }
  const fields = {
    'Access-Control-Allow-Origin': allowedOrigin(origin, has),
    'Access-Control-Allow-Credentials': has('cors-credentials-form') ? 'True' : 'true',
    'Access-Control-Expose-Headers': has('cors-list') ? 'Retry After' : 'Retry-After',
  }
  return isPreflight ? { ...fields, ...preflightFields(has) } : fields
}

function isAllowed(origin: string, has: Has): boolean {
  return (
    origin === 'https://allowed.example' ||
    (has('cors-prefix') && origin.startsWith('https://allowed.example')) ||
    (has('cors-null') && origin === 'null') ||
    has('cors-reflect')
  )
}

function allowedOrigin(origin: string, has: Has): string {
  if (has('cors-wildcard')) return '*'
  return has('cors-two-origins') ? `${origin}, https://b.example` : origin
}

function preflightFields(has: Has): Record<string, string> {
  return {
    'Access-Control-Allow-Methods': has('cors-query') ? 'GET, POST' : 'GET, POST, QUERY',
    'Access-Control-Allow-Headers': has('cors-headers') ? 'x-other' : 'content-type, accept',
    ...(has('cors-no-max-age')
      ? {}
      : { 'Access-Control-Max-Age': has('cors-max-age') ? '10m' : '600' }),
  }
}
