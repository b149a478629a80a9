import type { Dialect, Kysely, RawBuilder, SqlBool, Transaction } from 'kysely'
import type { BackendName, Tables } from './tables.js'
import type { TurnOptions } from './turns.js'

/** What differs between SQLite and PostgreSQL. */
export interface Backend {
  readonly name: BackendName
  readonly dialect: Dialect
  /** For statements that only read, if a writer would block them on the other one. */
  readonly readingDialect: Dialect | undefined
  /** How many may write at once, if some connections must be left for reads. */
  readonly writers: TurnOptions | undefined
  /** Where the database is, without a password. */
  readonly place: string
  /** Whether rows must be locked one by one; in SQLite only one transaction writes at a time. */
  readonly locksRows: boolean
  /** The position of a change that is inserted; null where transactions run at once, whose order is known when they have ended. */
  readonly nextPosition: RawBuilder<number | null>
  /** True for rows whose column is among the ids: one parameter, however many they are. */
  isAmong(column: string, ids: readonly number[]): RawBuilder<SqlBool>
  /** The first friends of each person: reads no other rows, however many friends they have. */
  firstFriends(ids: readonly number[], limit: number): RawBuilder<Tables['friendships']>
  /** Runs the work while every other process that wants to do the same waits. */
  alone<Value>(one: Kysely<Tables>, work: () => Promise<Value>): Promise<Value>
  /** Takes a lock by name until the transaction ends; false if another transaction has it. In SQLite only one transaction writes at a time. */
  tryLock(transaction: Transaction<Tables>, name: string): Promise<boolean>
  /** Keeps others from adding people until the transaction ends; returns whether none was ever added. */
  lockUnused(transaction: Transaction<Tables>): Promise<boolean>
  /** Persons made from now on have greater ids. */
  continueAfter(transaction: Transaction<Tables>, id: number): Promise<void>
}
