import { createHash, randomBytes } from 'node:crypto'
import type { Scope } from '../store/credential-stores.js'

/** A prefix that people and secret scanners recognize, and 32 random bytes. */
export function makeApiKey(): string {
  return `gw_${randomBytes(32).toString('base64url')}`
}

/** Whether a text has the form of an API key; nothing else is looked up. */
export function isApiKey(text: string): boolean {
  return /^gw_[A-Za-z0-9_-]{43}$/.test(text)
}

/** The stored hash of a key. Keys have 256 random bits, so a plain digest is safe. */
export function hashApiKey(key: string): string {
  return createHash('sha256').update(key).digest('hex')
}

/** Every scope there is, the weakest first. */
export const allScopes: readonly Scope[] = ['read', 'write']

/** The scopes in a list such as 'read,write', without duplicates; undefined for an empty list or an unknown scope. */
export function readScopes(text: string, separator: string): readonly Scope[] | undefined {
  const words = text.split(separator).map((word) => word.trim())
  if (!words.every((word) => allScopes.some((scope) => scope === word))) return undefined
  return allScopes.filter((scope) => words.includes(scope))
}
