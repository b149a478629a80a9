import type { StoredResponse } from './store.js'

/** How the execution of a query ended, for those that wait for it. */
type RunEnd = StoredResponse | 'not for others' | 'failed'

/** A query that is being executed. */
export interface RunningQuery {
  end(this: void, end: RunEnd): void
}

/**
 * Queries that are being executed. Those with the same key wait for them, unless something has been invalidated since they began:
 * they may have read it before.
 */
export class RunningQueries {
  readonly #ends = new Map<string, Promise<RunEnd>>()

  /** The end of the query with this key, of the same epoch; undefined if there is none. */
  get(key: string, epoch: number): Promise<RunEnd> | undefined {
    return this.#ends.get(`${epoch} ${key}`)
  }

  begin(key: string, epoch: number): RunningQuery {
    const name = `${epoch} ${key}`
    let settle: ((end: RunEnd) => void) | undefined
    const ended = new Promise<RunEnd>((resolve) => (settle = resolve))
    this.#ends.set(name, ended)
    return {
      end: (end) => {
        if (this.#ends.get(name) === ended) this.#ends.delete(name)
        settle?.(end)
      },
    }
  }
}
