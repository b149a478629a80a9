import type { HeaderList, TextResponse } from '../http/message.js'

/** The response to a bug in the host; the handler masks errors of user functions in the same way. */
export function internalError(id: string): TextResponse {
  return hostError(500, 'Internal server error', { code: 'INTERNAL_SERVER_ERROR', id })
}

export function badRequest(message: string): TextResponse {
  return hostError(400, message, { code: 'BAD_REQUEST' })
}

/** The response to a body in too many pieces, which cost the same however small they are. */
export function tooManyChunks(most: number): TextResponse {
  return hostError(413, `The body has more than ${most} chunks of less than 64 bytes.`, {
    code: 'TOO_MANY_CHUNKS',
  })
}

/** The 503 for a client that has to retry later. */
export function overloaded(reason: string): TextResponse {
  const message = `${reason}; retry in 1 second.`
  return hostError(503, message, { code: 'OVERLOADED' }, ['Retry-After', '1'])
}

/** RFC 9110 section 10.2.1: an empty `allow` means that no method is allowed. */
export function methodNotAllowed(message: string, allow: string): TextResponse {
  return hostError(405, message, { code: 'METHOD_NOT_ALLOWED' }, ['Allow', allow])
}

/** An error of the host in the form of a GraphQL response, so that clients can show it. */
export function hostError(
  status: number,
  message: string,
  extensions: { readonly code: string; readonly id?: string },
  headers: HeaderList = [],
): TextResponse {
  return {
    status,
    headers: [
      'Content-Type',
      'application/graphql-response+json; charset=utf-8',
      'X-Content-Type-Options',
      'nosniff',
      'Cache-Control',
      'no-store',
      ...headers,
    ],
    body: JSON.stringify({ errors: [{ message, extensions }] }),
  }
}
