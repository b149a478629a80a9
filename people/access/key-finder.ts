import type { KeyRecord, KeyStore } from '../store/store.js'
import { hashApiKey, isApiKey } from './api-key.js'

/** Finds the record of an API key, revoked ones too. */
export type KeyFinder = (key: string) => Promise<KeyRecord | undefined>

export interface KeyFinderOptions {
  readonly keys: Pick<KeyStore, 'find'>
  readonly now: () => Date
}

/**
 * A running service notices new and revoked keys within five seconds. Open streams ask every second, and may be a second
 * late twice.
 */
const maxAge = 2_000
/** Bounds the memory for guesses; they have a cache of their own and cannot evict real keys. */
const maxFound = 10_000
const maxUnconfirmed = 1_000

interface Entry {
  readonly since: number
  readonly found: Promise<KeyRecord | undefined>
}

/** Looks keys up by their hash through a bounded cache. */
export function createKeyFinder({ keys, now }: KeyFinderOptions): KeyFinder {
  const foundKeys = new Map<string, Entry>()
  const unconfirmedKeys = new Map<string, Entry>()

  const look = (hash: string, time: number): Entry => {
    // The age counts from the query, since a key may be revoked before its result arrives.
    const entry: Entry = { since: time, found: keys.find(hash) }
    keep(unconfirmedKeys, hash, entry, maxUnconfirmed)
    entry.found.then(
      (record) => {
        if (record === undefined || unconfirmedKeys.get(hash) !== entry) return
        unconfirmedKeys.delete(hash)
        keep(foundKeys, hash, entry, maxFound)
      },
      () => {
        if (unconfirmedKeys.get(hash) === entry) unconfirmedKeys.delete(hash)
      },
    )
    return entry
  }

  return async (key) => {
    if (!isApiKey(key)) return undefined
    const hash = hashApiKey(key)
    const time = now().getTime()
    const entry = foundKeys.get(hash) ?? unconfirmedKeys.get(hash)
    if (entry !== undefined && Math.abs(time - entry.since) < maxAge) return entry.found
    foundKeys.delete(hash)
    return look(hash, time).found
  }
}

/** Adds an entry as the newest and drops the oldest if there are too many. */
function keep(entries: Map<string, Entry>, hash: string, entry: Entry, limit: number): void {
  entries.delete(hash)
  entries.set(hash, entry)
  const [oldest] = entries.keys()
  if (entries.size > limit && oldest !== undefined) entries.delete(oldest)
}
