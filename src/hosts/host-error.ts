import type { HeaderList, TextResponse } from '../http/message.js'

/** The response to a bug in the host; the handler masks errors of user functions in the same way. */
export function internalError(id: string): TextResponse {
  return hostError(500, 'INTERNAL_SERVER_ERROR', 'Internal server error', [], id)
}

export function badRequest(message: string): TextResponse {
  return hostError(400, 'BAD_REQUEST', message)
}

/** The response to a body in too many pieces, which cost the same however small they are. */
export function tooManyChunks(most: number): TextResponse {
  return hostError(
    413,
    'TOO_MANY_CHUNKS',
    `The body has more than ${most} chunks of less than 64 bytes.`,
  )
}

/** The 503 for a client that has to retry later. */
export function overloaded(reason: string): TextResponse {
  return hostError(503, 'OVERLOADED', `${reason}; retry in 1 second.`, ['Retry-After', '1'])
}

/** RFC 9110 section 10.2.1: an empty `allow` means that no method is allowed. */
export function methodNotAllowed(message: string, allow: string): TextResponse {
  return hostError(405, 'METHOD_NOT_ALLOWED', message, ['Allow', allow])
}

/** An error of the host in the form of a GraphQL response, so that clients can show it. */
export function hostError(
  status: number,
  code: string,
  message: string,
  headers: HeaderList = [],
  id?: string,
): TextResponse {
  const body = JSON.stringify({ errors: [{ message, extensions: { code, id } }] })
  const type = 'application/graphql-response+json; charset=utf-8'
  return { status, headers: ['Content-Type', type, ...unstored, ...headers], body }
}

/** For responses that are JSON and that caches must not keep. */
export const unstored: HeaderList = [
  'X-Content-Type-Options',
  'nosniff',
  'Cache-Control',
  'no-store',
]
