import { networkOf, type Denial } from 'graphwire'
import type { Scope } from '../store/credential-stores.js'

/** The sender of a request, and their scopes. */
export interface Principal {
  /** Empty for a client without a credential; all of them where AUTH is off. */
  readonly scopes: ReadonlySet<Scope>
  /** The name of the API key. */
  readonly key: string | undefined
  /** The key's own limit a minute. */
  readonly keyLimit: number | undefined
  readonly login: string | undefined
  /** When its token expires, in milliseconds since 1970. */
  readonly expiresAt: number | undefined
  /** The client's address, not that of a trusted proxy. */
  readonly address: string
  /** Whether the request has a valid credential. */
  readonly isKnown: boolean
}

/** Whether reads and writes need a credential. */
export type AuthMode = 'off' | 'writes' | 'all'

/** The name of a principal in the audit: that of the key, whose scopes count, before that of the login. */
export function nameOf({ key, login }: Pick<Principal, 'key' | 'login'>): string {
  if (key !== undefined) return `key:${key}`
  return login === undefined ? 'anonymous' : `login:${login}`
}

/** The limits of clients without one of their own: of each key or login, and of each address without either. */
export interface Limits {
  readonly perKey: number
  readonly perAddress: number
}

/** The owner of a limit, and the limit: the key, before the login, before the network of the address. */
export function ownerOf({ key, login, address }: Principal, { perKey, perAddress }: Limits) {
  if (key !== undefined) return { kind: 'key', identity: `key:${key}`, limit: perKey }
  if (login !== undefined) return { kind: 'login', identity: `login:${login}`, limit: perKey }
  return { kind: 'address', identity: `address:${networkOf(address)}`, limit: perAddress }
}

/** `WWW-Authenticate` if no credential was sent: both kinds are accepted. */
export const anyChallenge = 'Bearer realm="people", ApiKey realm="people"'

/** Why the principal lacks the scope; undefined if it has it. `write` includes `read`. */
export function missingScope(
  { scopes, isKnown }: Pick<Principal, 'scopes' | 'isKnown'>,
  scope: Scope,
): Denial | undefined {
  if (scopes.has(scope) || (scope === 'read' && scopes.has('write'))) return undefined
  if (isKnown) {
    return { kind: 'forbidden', message: `The credential does not have the scope ${scope}.` }
  }
  return {
    kind: 'unauthenticated',
    challenge: anyChallenge,
    message: `A credential with the scope ${scope} is required.`,
  }
}
