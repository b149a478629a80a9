import { hash, randomBytes } from 'node:crypto'
import type { KeyStore } from '../store/credential-stores.js'

/** A prefix that people and secret scanners recognize, and 32 random bytes. */
export function makeApiKey(): string {
  return `gw_${randomBytes(32).toString('base64url')}`
}

/** The form of an API key; nothing else is looked up. */
const form = /^gw_[A-Za-z0-9_-]{43}$/

/** The stored hash of a key. Keys have 256 random bits, so a plain digest is safe. */
export function hashApiKey(key: string): string {
  return hash('sha256', key, 'hex')
}

export type KeyFinder = ReturnType<typeof createKeyFinder>

/**
 * A running service notices new and revoked keys within five seconds. Open streams ask every second, and may be a second
 * late twice.
 */
const maxAge = 2_000
/** Bounds the memory for guessed keys. A real key that they push out is looked up again. */
const maxKept = 10_000

/** Finds the record of an API key, of revoked ones too, by its hash through a bounded cache. */
export function createKeyFinder(keys: Pick<KeyStore, 'find'>, now: () => Date) {
  const entries = new Map<string, { since: number; found: ReturnType<KeyStore['find']> }>()
  return async (key: string) => {
    if (!form.test(key)) return undefined
    const hashed = hashApiKey(key)
    const time = now().getTime()
    const known = entries.get(hashed)
    if (known !== undefined && Math.abs(time - known.since) < maxAge) return known.found
    entries.delete(hashed)
    const [oldest = ''] = entries.keys()
    if (entries.size >= maxKept) entries.delete(oldest)
    // The age counts from the query, since a key may be revoked before its result arrives.
    const entry = { since: time, found: keys.find(hashed) }
    entries.set(hashed, entry)
    entry.found.catch(() => entries.delete(hashed))
    return entry.found
  }
}
