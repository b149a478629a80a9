import type { IncomingMessage } from 'node:http'
import {
  failure,
  success,
  type AddressReader,
  type Denial,
  type Outcome,
  type RequestHead,
} from 'graphwire'
import { StoreUnavailable } from '../store/store.js'
import type { KeyRecord } from '../store/credential-stores.js'
import type { KeyFinder } from './key-finder.js'
import { anyChallenge, type AuthMode, type Principal } from './principal.js'
import { allScopes } from './credentials.js'
import type { CheckedClaims, Tokens } from './tokens.js'

/** The dependencies of authentication. */
export interface AuthenticationParts {
  readonly mode: AuthMode
  readonly findKey: KeyFinder
  readonly tokens: Pick<Tokens, 'check'>
  readonly readAddress: AddressReader
}

export type Authenticate = (
  head: RequestHead<IncomingMessage>,
) => Promise<Outcome<Principal, Denial>>

/** Identifies the caller. If a request has two credentials, both must be valid. */
export function createAuthenticate(parts: AuthenticationParts): Authenticate {
  const { mode, readAddress } = parts
  return async (head) => {
    const caller = { ...anonymous, address: readAddress(head) ?? 'local' }
    if (mode === 'off') return success({ ...caller, scopes: new Set(allScopes) })
    const keys = linesOf(head, 'x-api-key')
    const authorizations = linesOf(head, 'authorization')
    if (keys.length + authorizations.length === 0) {
      return mode === 'all' ? failure(credentialMissing) : success(caller)
    }
    const key = await checkKey(keys, parts)
    if (!key.ok) return key
    const token = await checkAuthorization(authorizations, parts)
    if (!token.ok) return token
    return success({
      ...caller,
      isKnown: true,
      scopes: new Set(key.value?.scopes ?? token.value?.scopes),
      key: key.value?.name,
      keyLimit: key.value?.limit ?? undefined,
      login: token.value?.login,
      expiresAt: token.value?.expiresAt,
    })
  }
}

const anonymous: Omit<Principal, 'address'> = {
  scopes: new Set(),
  key: undefined,
  keyLimit: undefined,
  login: undefined,
  expiresAt: undefined,
  isKnown: false,
}

const credentialMissing: Denial = {
  kind: 'unauthenticated',
  challenge: anyChallenge,
  message: 'A credential is required: send an API key in X-API-Key, or a token from POST /login.',
}

async function checkKey(
  lines: readonly string[],
  { findKey }: AuthenticationParts,
): Promise<Outcome<KeyRecord | undefined, Denial>> {
  const [line] = lines
  if (line === undefined) return success(undefined)
  if (lines.length > 1) return failure(badKey('X-API-Key must be sent only once.'))
  try {
    const record = await findKey(line)
    return record === undefined || record.revokedAt !== null
      ? failure(badKey('The API key is unknown or has been revoked.'))
      : success(record)
  } catch (fault) {
    if (fault instanceof StoreUnavailable) return failure(storeAway)
    throw fault
  }
}

async function checkAuthorization(
  lines: readonly string[],
  { tokens }: AuthenticationParts,
): Promise<Outcome<CheckedClaims | undefined, Denial>> {
  const [line] = lines
  if (line === undefined) return success(undefined)
  if (lines.length > 1) return failure(badToken('Authorization must be sent only once.'))
  const token = /^Bearer +([\w.~+/-]+=*)$/i.exec(line)?.[1]
  if (token === undefined) {
    return failure(badToken('Authorization must be "Bearer" and a token from POST /login.'))
  }
  const claims = await tokens.check(token)
  if (claims.ok) return claims
  return failure(
    badToken(
      claims.reason === 'expired'
        ? 'The token has expired: log in again.'
        : 'The token was not issued by this service.',
    ),
  )
}

function linesOf({ headers }: RequestHead, name: string): readonly string[] {
  return headers.filter((_, at) => at % 2 === 1 && headers[at - 1]?.toLowerCase() === name)
}

/** The response to a bad API key. */
function badKey(message: string): Denial {
  return { kind: 'unauthenticated', challenge: 'ApiKey realm="people"', message }
}

/** The response to a bad token (RFC 6750 section 3.1). */
function badToken(message: string): Denial {
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
