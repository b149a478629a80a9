import { sql, type Kysely, type Transaction } from 'kysely'
import type { Database } from './database.js'
import { isTransient, toUnavailable } from './failures.js'
import type { Actor } from './request-records.js'
import { StoreUnavailable } from './store.js'
import type { Tables } from './tables.js'

/** A database whose statements all belong to one open transaction. */
export interface BoundDatabase extends Database {
  /** Waits for running work and starts no more; throws if the transaction cannot be committed as a whole. */
  end(): Promise<void>
  /** Whether it has changed what others follow. */
  readonly hasChanged: boolean
}

/** How often work is repeated after a deadlock with another transaction. */
const attempts = 4

/**
 * Binds a database to a transaction. Its reads see its writes. A transaction inside it is a savepoint: its failure undoes it alone, unless
 * the database itself has failed. Work is done one after the other: the connection has one statement at a time.
 */
export function bindDatabase(
  database: Database,
  transaction: Transaction<Tables>,
  actor: Actor | undefined,
): BoundDatabase {
  let last: Promise<unknown> = Promise.resolve()
  let hasEnded = false
  let hasChanged = false
  let broken: unknown

  const inTurn = <Value>(work: () => Promise<Value>): Promise<Value> => {
    const done = last.then(async () => {
      // SQLite has ended the transaction on a full disk: each further statement would be committed by itself.
      if (broken !== undefined) throw broken
      if (hasEnded) throw new StoreUnavailable('The transaction has ended', { reason: 'busy' })
      try {
        return await work()
      } catch (failure) {
        const shown = toUnavailable(failure)
        if (shown instanceof StoreUnavailable) broken = shown
        throw shown
      }
    })
    last = done.catch(() => {})
    return done
  }
  const run = <Value>(work: (db: Kysely<Tables>) => Promise<Value>): Promise<Value> =>
    inTurn(() => work(transaction))
  return {
    ...database,
    actor,
    read: run,
    write: run,
    transact: (work) => inTurn(() => withSavepoint(transaction, () => work(transaction))),
    transactOnce: (work) => inTurn(() => withSavepoint(transaction, () => work(transaction))),
    changeListeners: new Set([() => void (hasChanged = true)]),
    get hasChanged() {
      return hasChanged
    },
    async end() {
      hasEnded = true
      await last
      if (broken !== undefined) throw broken
    },
  }
}

async function withSavepoint<Value>(
  transaction: Transaction<Tables>,
  work: () => Promise<Value>,
): Promise<Value> {
  for (let count = 1; ; count += 1) {
    await sql`savepoint inner_work`.execute(transaction)
    try {
      const value = await work()
      await sql`release savepoint inner_work`.execute(transaction)
      return value
    } catch (failure) {
      const isOver = toUnavailable(failure) !== failure && !isTransient(failure)
      if (isOver) throw failure
      await sql`rollback to savepoint inner_work`.execute(transaction)
      if (count === attempts || !isTransient(failure)) throw failure
    }
  }
}
