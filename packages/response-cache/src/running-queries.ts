import { digestOf } from './request-keys.js'
import type { StoredResponse } from './store.js'

/** How the execution of a query ended, for those that wait for it. */
type RunEnd = StoredResponse | 'not for others' | 'failed'

/** A query that is being executed. */
export interface RunningQuery {
  end(this: void, end: RunEnd): void
}

/** How many queries are remembered whose responses were not for others. */
const maxUnshared = 1000

/**
 * Queries that are being executed. Those with the same key wait for them, unless something has been invalidated since they began:
 * they may have read it before. Nor do they wait if the last response to such a query was not for others.
 */
export class RunningQueries {
  readonly #ends = new Map<string, Promise<RunEnd>>()
  /** Digests, since keys may be long. */
  readonly #unshared = new Set<string>()

  has(key: string, epoch: number): boolean {
    return this.#ends.has(`${epoch} ${key}`)
  }

  /** The end of the query with this key, of the same epoch; undefined if there is none to wait for. */
  toWaitFor(key: string, epoch: number): Promise<RunEnd> | undefined {
    const ended = this.#ends.get(`${epoch} ${key}`)
    return ended === undefined || this.#unshared.has(digestOf(key)) ? undefined : ended
  }

  begin(key: string, epoch: number): RunningQuery {
    const name = `${epoch} ${key}`
    let settle: ((end: RunEnd) => void) | undefined
    const ended = new Promise<RunEnd>((resolve) => (settle = resolve))
    this.#ends.set(name, ended)
    return {
      end: (end) => {
        if (this.#ends.get(name) === ended) this.#ends.delete(name)
        this.#remember(key, end)
        settle?.(end)
      },
    }
  }

  #remember(key: string, end: RunEnd): void {
    const unshared = this.#unshared
    if (end === 'not for others') unshared.add(digestOf(key))
    else if (end !== 'failed' && unshared.size > 0) unshared.delete(digestOf(key))
    const [first = ''] = unshared
    if (unshared.size > maxUnshared) unshared.delete(first)
  }
}
