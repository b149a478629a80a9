import type { Denial } from 'graphwire'

/** `WWW-Authenticate` if no credential was sent: both kinds are accepted. */
export const anyChallenge = 'Bearer realm="people", ApiKey realm="people"'

/** The response to a bad API key. */
export function badKey(message: string): Denial {
  return { kind: 'unauthenticated', challenge: 'ApiKey realm="people"', message }
}

/** The response to a bad token (RFC 6750 section 3.1). */
export function badToken(message: string): Denial {
  return {
    kind: 'unauthenticated',
    challenge: 'Bearer realm="people", error="invalid_token"',
    message,
  }
}

/** The response while the database is unavailable. */
export const storeAway: Denial = {
  kind: 'unavailable',
  retryAfter: 1,
  message: 'The database is unavailable. Try again in a moment.',
}
