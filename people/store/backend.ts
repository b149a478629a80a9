import type { Dialect, RawBuilder } from 'kysely'
import type { createTurns } from './turns.js'

export type Run = <Row>(statement: RawBuilder<Row>) => Promise<readonly Row[]>

/** The differences between SQLite and PostgreSQL. */
export interface Backend {
  /** The parts of SQL that the files of `migrations` have in braces. */
  readonly words: { readonly [name: string]: string }
  readonly dialect: Dialect
  /** For statements that only read, if writers would block them on the other dialect. */
  readonly readingDialect: Dialect | undefined
  /** For migrations, which may write every row, if statements on the other dialect have a time limit. */
  readonly migratingDialect: Dialect | undefined
  /** How many may write at once: some connections must be left for reads. */
  readonly writers: Parameters<typeof createTurns>[0]
  /** Where the database is, without a password. */
  readonly place: string
  /** Ends a statement whose persons p must not be removed until the transaction ends; in SQLite only one transaction writes at a time. */
  readonly keepPersons: RawBuilder<unknown>
  /** The position of a change that is inserted; null where transactions run at once, whose order is known when they have ended. */
  readonly nextPosition: RawBuilder<unknown>
  /** The condition that a column is among ids: one parameter, however many they are. */
  among(ids: readonly number[]): RawBuilder<unknown>
  /** The first friends of each person, as rows of person_id and friend_id: reads no other rows, however many friends they have. */
  firstFriends(ids: readonly number[], limit: number): RawBuilder<unknown>
  /** Takes a lock by name until the transaction ends; false if another transaction has it. */
  tryLock(run: Run, name: string): Promise<boolean>
}
