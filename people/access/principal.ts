import { networkOf, type Denial } from 'graphwire'
import type { Scope } from '../store/credential-stores.js'

/** Every scope there is, the weakest first. */
export const allScopes: readonly Scope[] = ['read', 'write']

/** The scopes in a list such as 'read,write', without duplicates; undefined for an empty list or an unknown scope. */
export function readScopes(text: string, separator: string): readonly Scope[] | undefined {
  const words = text.split(separator).map((word) => word.trim())
  if (!words.every((word) => allScopes.some((scope) => scope === word))) return undefined
  return allScopes.filter((scope) => words.includes(scope))
}

/** The sender of a request, and their scopes; neither key nor login without a valid credential. */
export interface Principal {
  /** Empty for a client without a credential; all of them where AUTH is off. */
  readonly scopes: ReadonlySet<Scope>
  readonly key?: string | undefined
  /** The key's own limit a minute. */
  readonly keyLimit?: number | null | undefined
  readonly login?: string | undefined
  /** When its token expires, in milliseconds since 1970. */
  readonly expiresAt?: number | undefined
  /** The client's address, not that of a trusted proxy. */
  readonly address: string
}

/** Whether reads and writes need a credential. */
export type AuthMode = 'off' | 'writes' | 'all'

/** The credential of a principal, as the audit names it: the key, whose scopes count, before the login. */
export function credentialOf({ key, login }: Principal): string | undefined {
  if (key !== undefined) return `key:${key}`
  return login === undefined ? undefined : `login:${login}`
}

/** The limits of clients without one of their own: of each key or login, and of each address without either. */
export interface Limits {
  readonly perKey: number
  readonly perAddress: number
}

/** The owner of a limit, and the limit: the credential, or the network of the address. */
export function ownerOf(principal: Principal, { perKey, perAddress }: Limits) {
  const identity = credentialOf(principal)
  if (identity !== undefined) {
    return { kind: principal.key === undefined ? 'login' : 'key', identity, limit: perKey }
  }
  const network = `address:${networkOf(principal.address)}`
  return { kind: 'address', identity: network, limit: perAddress }
}

/** `WWW-Authenticate` if no credential was sent: both kinds are accepted. */
export const anyChallenge = 'Bearer realm="people", ApiKey realm="people"'

/** Why the principal may not write; undefined if it may. */
export function denyWrite(principal: Principal): Denial | undefined {
  if (principal.scopes.has('write')) return undefined
  if (credentialOf(principal) !== undefined) {
    return { kind: 'forbidden', message: 'The credential does not have the scope write.' }
  }
  return {
    kind: 'unauthenticated',
    challenge: anyChallenge,
    message: 'A credential with the scope write is required.',
  }
}
