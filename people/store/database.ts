import { setTimeout as wait } from 'node:timers/promises'
import { Kysely, sql, type Dialect, type RawBuilder } from 'kysely'
import type { Backend, Run } from './backend.js'
import { isTransient, sqliteCode, toUnavailable } from './failures.js'
import { postgresBackend } from './postgres.js'
import { faultOfDatabase, isPostgresUrl } from './database-url.js'
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
  /** For one statement that writes. */
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
  const inTurn = createTurns(backend.writers)
  const watch = createWatch()
  let closed: Promise<void> | undefined

  /** When what begins now stops waiting for others. */
  const limit = (): number => performance.now() + backend.writers.patience
  const writing = <Value>(work: () => Promise<Value>, most?: number): Promise<Value> =>
    watch.during(() => inTurn((giveUpAt) => retry(work, giveUpAt, most)))
  const read: Run = (statement) =>
    watch.during(() => retry(() => rowsOf(statement, readingDb), limit()))
  const changeListeners = new Set<() => void>()
  const transact: Database['transact'] = async (work, most) => {
    let hasChanged = false
    const value = await writing(() => {
      hasChanged = false
      return db.transaction().execute((one) =>
        work(
          (statement) => rowsOf(statement, one),
          () => void (hasChanged = true),
        ),
      )
    }, most)
    if (hasChanged) for (const listener of changeListeners) listener()
    return value
  }
  const database: Database = {
    backend,
    read,
    write: (statement) => writing(() => rowsOf(statement, db)),
    transact,
    actor: undefined,
    now: options.now ?? (() => new Date()),
    changeListeners,
  }
  return {
    database,
    /** Whether it was unavailable at the last statement. */
    isAway: watch.isAway,
    /** Runs the work on one connection while every other process that wants to do the same waits. */
    alone: (work: (one: Kysely<unknown>) => Promise<void>) =>
      retry(() => db.connection().execute((one) => backend.alone(one, work)), limit()),
    /** Whether it responds within a second. */
    check: () => check(read),
    /** Waits for running work, and starts no more. */
    close: () =>
      (closed ??= watch.end().then(async () => {
        // The reading connection is closed first: the last connection to a file moves all writes into it.
        for (const one of new Set([readingDb, db])) await one.destroy()
      })),
  }
}

async function rowsOf<Row>(
  statement: RawBuilder<Row>,
  db: Kysely<unknown>,
): Promise<readonly Row[]> {
  return (await statement.execute(db)).rows
}

function connect(dialect: Dialect, { onStatement }: StoreOptions): Kysely<unknown> {
  return new Kysely({
    dialect,
    ...(onStatement && {
      log: ({ query, queryDurationMillis }) => onStatement(query.sql, queryDurationMillis),
    }),
  })
}

/** How often a transaction is tried, if others conflict with it. */
const attempts = 8

/** Tries again after conflicts, and while another process blocks SQLite: then nothing has been done yet. */
async function retry<Value>(
  work: () => Promise<Value>,
  giveUpAt: number,
  most = attempts,
): Promise<Value> {
  for (let count = 1; ; count += 1) {
    try {
      return await work()
    } catch (failure) {
      const isBlocked = sqliteCode(failure) === 'busy'
      const isLast = isBlocked ? performance.now() >= giveUpAt : count >= most
      if (isLast || !(isBlocked || isTransient(failure))) throw failure
    }
    await wait(Math.min(count * 5, 25))
  }
}

function check(read: Run): Promise<boolean> {
  const responds = read(sql`select 1 from persons where id = 1`).then(
    () => true,
    () => false,
  )
  return Promise.race([responds, wait(900, false, { ref: false })])
}

/** Watches all work. Closing waits for it: pg would leave statements hanging that wait for a connection. */
function createWatch() {
  const running = new Set<Promise<unknown>>()
  let hasEnded = false
  let isAway = false
  return {
    isAway: () => isAway,
    async during<Value>(work: () => Promise<Value>): Promise<Value> {
      if (hasEnded) throw new StoreUnavailable('The store is closed')
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
    },
    /** Starts no more work; resolves when all running work has ended. */
    async end(): Promise<void> {
      hasEnded = true
      await Promise.allSettled(running)
    },
  }
}

/** Finds out which database is named; throws a StoreError if none can be. */
function chooseBackend({ database, poolSize }: StoreOptions): Backend {
  const fault = faultOfDatabase(database)
  if (fault !== undefined) throw new StoreError(`Cannot open the database: ${fault}`)
  return isPostgresUrl(database)
    ? postgresBackend(database, poolSize ?? 10)
    : sqliteBackend(database)
}
