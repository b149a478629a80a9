import type { Kysely, Transaction } from 'kysely'
import type { Engine } from './engine.js'
import type { Tables } from './tables.js'

/** An open database, and the two ways of asking it; both throw StoreUnavailable while it is away. */
export interface Database {
  readonly engine: Engine
  /** For one statement. */
  readonly ask: <Value>(work: (db: Kysely<Tables>) => Promise<Value>) => Promise<Value>
  /** All statements of the work or none; begins again where another transaction was in the way. */
  readonly transact: <Value>(
    work: (transaction: Transaction<Tables>) => Promise<Value>,
  ) => Promise<Value>
  readonly now: () => Date
}
