import type { HttpResponse } from '../http/message.js'
import { ResponseHeaders } from '../http/response-headers.js'
import { acceptedTypes, acceptHeaders } from './accepted-types.js'
import type { Resource } from './router.js'

/** The answer to OPTIONS: the methods of a resource, and which bodies they take. */
export function describeResource({ allow, routes }: Resource): HttpResponse {
  const headers = new ResponseHeaders()
  headers.set('Allow', allow)
  for (const method of ['POST', 'PATCH'] as const) {
    const placed = routes.get(method)
    if (placed === undefined) continue
    const { Accept: _, ...own } = acceptHeaders(method, acceptedTypes(placed))
    headers.assign(own)
  }
  const base = ['X-Content-Type-Options', 'nosniff']
  return { status: 204, headers: headers.mergeInto(base), body: '' }
}
