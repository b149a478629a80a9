import { setTimeout as wait } from 'node:timers/promises'
import { Kysely, type Dialect, type RawBuilder } from 'kysely'
import type { Backend, Run } from './backend.js'
import { codeOf, isTransient, toUnavailable } from './failures.js'
import { postgresBackend } from './postgres.js'
import { advice, faultOfDatabase, isPostgresUrl } from './database-url.js'
import type { Actor } from './audit.js'
import { sqliteBackend } from './sqlite.js'
import { StoreError, StoreUnavailable, type StoreOptions } from './store.js'
import { createTurns } from './turns.js'

/** The work of a transaction; it calls `changed` if listeners must know once it has been committed. */
type Transaction<Value> = (run: Run, changed: () => void) => Promise<Value>

/** An open database and the ways to use it; all throw StoreUnavailable while it is unavailable. */
export interface Database {
  readonly backend: Backend
  /** For one statement that only reads; no writer blocks it. */
  readonly read: Run
  readonly write: Run
  /** Runs all statements of the work or none; retries after a conflict with another transaction, `most` times in all. */
  readonly transact: <Value>(work: Transaction<Value>, most?: number) => Promise<Value>
  readonly now: () => Date
  /** The author in the audit; undefined if nothing is recorded. */
  readonly actor: Actor | undefined
  /** Called when a change has been committed. */
  readonly changeListeners: Set<() => void>
}

/** Connects on first use; throws a StoreError if the options cannot name a database. */
export function openDatabase(options: StoreOptions) {
  const backend = chooseBackend(options)
  const db = connect(backend.dialect, options)
  const readingDb = backend.readingDialect ? connect(backend.readingDialect, options) : db
  const migratingDb = backend.migratingDialect ? connect(backend.migratingDialect, options) : db
  const inTurn = createTurns(backend.writers)
  const running = new Set<Promise<unknown>>()
  let isAway = false
  let closed: Promise<void> | undefined
  /** Watches work, for which closing waits: pg would leave statements hanging that wait for a connection. */
  const during = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    if (closed !== undefined) throw new StoreUnavailable('The store is closed')
    const outcome = work()
    running.add(outcome)
    try {
      const value = await outcome
      isAway = false
      return value
    } catch (failure) {
      const fault = toUnavailable(failure)
      isAway = fault instanceof StoreUnavailable && fault.reason === 'away'
      throw fault
    } finally {
      running.delete(outcome)
    }
  }
  const giveUpAt = (): number => performance.now() + backend.writers.patience
  const writing = <Value>(work: () => Promise<Value>, most?: number): Promise<Value> =>
    during(() => inTurn((limit) => retry(work, limit, most)))
  const database: Database = {
    backend,
    read: (statement) => during(() => retry(() => rowsOf(statement, readingDb), giveUpAt())),
    write: (statement) => writing(() => rowsOf(statement, db)),
    async transact(work, most) {
      let hasChanged = false
      const changed = (): void => void (hasChanged = true)
      const value = await writing(() => {
        hasChanged = false
        return db.transaction().execute((one) => work((step) => rowsOf(step, one), changed))
      }, most)
      if (hasChanged) for (const listener of database.changeListeners) listener()
      return value
    },
    actor: undefined,
    now: options.now ?? (() => new Date()),
    changeListeners: new Set(),
  }
  return {
    database,
    isAway: () => isAway,
    migrating: (work: (db: Kysely<unknown>) => Promise<void>) =>
      retry(() => work(migratingDb), giveUpAt()),
    /** Waits for running work, and starts no more. */
    close: () =>
      (closed ??= Promise.allSettled(running).then(async () => {
        // The reading connection is closed first: the last connection to a file moves all writes into it.
        for (const one of new Set([readingDb, migratingDb, db])) await one.destroy()
      })),
  }
}

const rowsOf = async <Row>(statement: RawBuilder<Row>, db: Kysely<unknown>) =>
  (await statement.execute(db)).rows

function connect(dialect: Dialect, { onStatement }: StoreOptions): Kysely<unknown> {
  return new Kysely({
    dialect,
    ...(onStatement && {
      log: ({ query, queryDurationMillis }) => onStatement(query.sql, queryDurationMillis),
    }),
  })
}

/** Tries again after conflicts, and while another process blocks SQLite: then nothing has been done yet. */
async function retry<Value>(
  work: () => Promise<Value>,
  giveUpAt: number,
  most = 8,
): Promise<Value> {
  for (let count = 1; ; count += 1) {
    try {
      return await work()
    } catch (failure) {
      const isBlocked = codeOf(failure) === 'busy'
      const isLast = isBlocked ? performance.now() >= giveUpAt : count >= most
      if (isLast || !(isBlocked || isTransient(failure))) throw failure
    }
    await wait(Math.min(count * 5, 25))
  }
}

/** Finds out which database is named; throws a StoreError if none can be. */
function chooseBackend({ database, poolSize }: StoreOptions): Backend {
  const fault = faultOfDatabase(database)
  if (fault !== undefined) throw new StoreError(`Cannot open the database: ${fault}; ${advice}`)
  return isPostgresUrl(database)
    ? postgresBackend(database, poolSize ?? 10)
    : sqliteBackend(database)
}
