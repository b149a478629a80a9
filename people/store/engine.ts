import type { Dialect, Kysely, Transaction } from 'kysely'
import type { RawBuilder, SqlBool } from 'kysely'
import type { Tables } from './tables.js'

/** What SQLite and PostgreSQL say differently. */
export interface Engine {
  readonly name: 'sqlite' | 'postgres'
  readonly dialect: Dialect
  /** Where the database is, without a password. */
  readonly place: string
  /** Whether rows have to be locked one by one; SQLite lets one transaction write at a time. */
  readonly locksRows: boolean
  /** True for rows whose column is among the ids: one parameter, however many they are. */
  isAmong(column: string, ids: readonly number[]): RawBuilder<SqlBool>
  /** Runs the work while every other process that wants to do the same waits. */
  alone<Value>(one: Kysely<Tables>, work: () => Promise<Value>): Promise<Value>
  /** Keeps everybody from adding persons until the transaction ends; tells whether nobody ever did. */
  lockUnused(transaction: Transaction<Tables>): Promise<boolean>
  /** Persons made from now on have greater ids. */
  continueAfter(transaction: Transaction<Tables>, id: number): Promise<void>
}
