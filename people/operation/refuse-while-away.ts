import type { Denial } from 'graphwire'
import { storeAway } from '../access/challenges.js'
import type { Store } from '../store/store.js'

/**
 * Makes the check that turns requests away as a whole while the database is away: fields that fail one by
 * one would look like an answer. It is asked once for all that come meanwhile.
 */
export function createAwayCheck(store: Store): () => Promise<Denial | undefined> {
  let asked: Promise<boolean> | undefined
  return async () => {
    if (!store.isAway) return undefined
    asked ??= store.check().finally(() => {
      asked = undefined
    })
    return (await asked) ? undefined : storeAway
  }
}
