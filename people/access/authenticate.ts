import { createAddressReader, failure, success } from 'graphwire'
import type { Denial, Outcome, RequestHead } from 'graphwire'
import { StoreUnavailable } from '../store/store.js'
import type { KeyFinder } from './api-keys.js'
import { allScopes, anyChallenge, type AuthMode, type Principal } from './principal.js'
import type { Tokens } from './tokens.js'

/** Identifies the caller. If a request has a key and a token, both must be valid, and the scopes of the key count. */
export function createAuthenticate(
  mode: AuthMode,
  findKey: KeyFinder,
  tokens: Tokens,
  trustedProxies: number,
) {
  const readAddress = createAddressReader(trustedProxies)
  return async (head: RequestHead): Promise<Outcome<Principal, Denial>> => {
    const address = readAddress(head) ?? 'local'
    if (mode === 'off') return success({ scopes: new Set(allScopes), address })
    const keys = linesOf(head, 'x-api-key')
    const authorizations = linesOf(head, 'authorization')
    if (keys.length + authorizations.length === 0 && mode === 'all') {
      return failure(credentialMissing)
    }
    const key = await checkKey(keys, findKey)
    if (!key.ok) return key
    const token = await checkToken(authorizations, tokens)
    if (!token.ok) return token
    const { name, limit: keyLimit, scopes = token.value?.scopes } = key.value ?? {}
    const { login, expiresAt } = token.value ?? {}
    return success({ scopes: new Set(scopes), key: name, keyLimit, login, expiresAt, address })
  }
}

const credentialMissing: Denial = {
  kind: 'unauthenticated',
  challenge: anyChallenge,
  message: 'A credential is required: send an API key in X-API-Key, or a token from POST /login.',
}

async function checkKey([line, ...more]: readonly string[], findKey: KeyFinder) {
  if (line === undefined) return success(undefined)
  if (more.length > 0) return badKey('X-API-Key must be sent only once.')
  try {
    const record = await findKey(line)
    return record === undefined || record.revokedAt !== null
      ? badKey('The API key is unknown or has been revoked.')
      : success(record)
  } catch (fault) {
    if (fault instanceof StoreUnavailable) return failure(storeAway)
    throw fault
  }
}

async function checkToken([line, ...more]: readonly string[], tokens: Tokens) {
  if (line === undefined) return success(undefined)
  if (more.length > 0) return badToken('Authorization must be sent only once.')
  const token = /^Bearer +([\w.~+/-]+=*)$/i.exec(line)?.[1]
  if (token === undefined) {
    return badToken('Authorization must be "Bearer" and a token from POST /login.')
  }
  const claims = await tokens.check(token)
  if (claims.ok) return claims
  return badToken(
    claims.reason === 'expired'
      ? 'The token has expired: log in again.'
      : 'The token was not issued by this service.',
  )
}

/** The values of a field, by its name in lower case: one for each line. */
export function linesOf({ headers }: RequestHead, name: string): readonly string[] {
  return headers.filter((_, at) => at % 2 === 1 && headers[at - 1]?.toLowerCase() === name)
}

function badKey(message: string) {
  return failure<Denial>({ kind: 'unauthenticated', challenge: 'ApiKey realm="people"', message })
}

/** RFC 6750 section 3.1. */
function badToken(message: string) {
  const challenge = 'Bearer realm="people", error="invalid_token"'
  return failure<Denial>({ kind: 'unauthenticated', challenge, message })
}

export const storeAway: Denial = {
  kind: 'unavailable',
  retryAfter: 1,
  message: 'The database is unavailable. Try again in a moment.',
}
