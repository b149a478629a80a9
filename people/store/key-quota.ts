import type { Database } from './database.js'
import type { KeyedOutcome } from './request-records.js'

/** For how long a response is kept, in milliseconds. */
export const keptFor = 86_400_000

/** The keys of a principal, and when the oldest was stored, in milliseconds. */
interface Count {
  rows: number
  readonly oldest: number
}

/** For how long a count is used, in milliseconds: what other instances write meanwhile is not in it. */
const countedFor = 60_000

/** Principals whose counts are remembered. */
const maxCounts = 10_000

/** Limits the keys of each principal. Counting for each write would read the index of all its keys. */
export class KeyQuota {
  readonly #database: Database
  readonly #most: number
  readonly #counts = new Map<string, { readonly since: number; readonly count: Promise<Count> }>()

  constructor(database: Database, most: number) {
    this.#database = database
    this.#most = most
  }

  /** Does the work if there is room for one more key. */
  async during<Reason>(
    principal: string,
    work: () => Promise<KeyedOutcome<Reason>>,
  ): Promise<KeyedOutcome<Reason>> {
    if (this.#most === Infinity) return work()
    const count = await this.#countOf(principal)
    if (count.rows >= this.#most) {
      const left = count.oldest + keptFor - this.#database.now().getTime()
      return { kind: 'full', retryAfter: Math.max(1, Math.ceil(left / 1_000)) }
    }
    count.rows += 1
    let isDone = false
    try {
      const outcome = await work()
      isDone = outcome.kind === 'done'
      return outcome
    } finally {
      if (!isDone) count.rows -= 1
    }
  }

  #countOf(principal: string): Promise<Count> {
    const now = this.#database.now().getTime()
    const known = this.#counts.get(principal)
    if (known !== undefined && now - known.since < countedFor) return known.count
    const count = this.#count(principal, now)
    this.#counts.delete(principal)
    const [longestKnown = ''] = this.#counts.keys()
    if (this.#counts.size >= maxCounts) this.#counts.delete(longestKnown)
    this.#counts.set(principal, { since: now, count })
    count.catch(() => this.#counts.delete(principal))
    return count
  }

  async #count(principal: string, now: number): Promise<Count> {
    const cutoff = new Date(now - keptFor).toISOString()
    const { rows, oldest } = await this.#database.read((db) =>
      db
        .selectFrom('idempotency_keys')
        .select(({ fn }) => [fn.countAll().as('rows'), fn.min('created_at').as('oldest')])
        .where('principal', '=', principal)
        .where('created_at', '>', cutoff)
        .executeTakeFirstOrThrow(),
    )
    return { rows: Number(rows), oldest: oldest ? Date.parse(oldest) : now }
  }
}
