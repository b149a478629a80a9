import type { StoredResponse } from './store.js'

/** How the execution of a query ended, for those that wait for it. */
type RunEnd = StoredResponse | 'not for others' | 'failed'

/** A query that is being executed. */
export interface RunningQuery {
  end(this: void, end: RunEnd): void
}

/** Queries that are being executed. Those with the same key wait for them. */
export class RunningQueries {
  readonly #ends = new Map<string, Promise<RunEnd>>()

  /** The end of the query with this key; undefined if there is none. */
  get(key: string): Promise<RunEnd> | undefined {
    return this.#ends.get(key)
  }

  begin(key: string): RunningQuery {
    let settle: ((end: RunEnd) => void) | undefined
    const ended = new Promise<RunEnd>((resolve) => (settle = resolve))
    this.#ends.set(key, ended)
    return {
      end: (end) => {
        if (this.#ends.get(key) === ended) this.#ends.delete(key)
        settle?.(end)
      },
    }
  }
}
