import { setTimeout as wait } from 'node:timers/promises'
import { Kysely, sql, type Dialect, type Transaction } from 'kysely'
import type { Backend } from './backend.js'
import { isTransient, toUnavailable } from './failures.js'
import { mayHoldPassword } from './may-hold-password.js'
import { postgresBackend } from './postgres-backend.js'
import { faultOfPostgresUrl, isPostgresUrl } from './postgres-url.js'
import type { Actor } from './request-records.js'
import { sqliteBackend } from './sqlite-backend.js'
import { StoreError, StoreUnavailable, type StoreOptions } from './store.js'
import type { Tables } from './tables.js'
import { createTurns } from './turns.js'

/** An open database and the ways to use it; all throw StoreUnavailable while it is unavailable. */
export interface Database {
  readonly backend: Backend
  /** For one statement that only reads; no writer blocks it. */
  readonly read: <Value>(work: (db: Kysely<Tables>) => Promise<Value>) => Promise<Value>
  /** For one statement that writes. */
  readonly write: <Value>(work: (db: Kysely<Tables>) => Promise<Value>) => Promise<Value>
  /** Runs all statements of the work or none; retries after a conflict with another transaction. */
  readonly transact: <Value>(
    work: (transaction: Transaction<Tables>) => Promise<Value>,
  ) => Promise<Value>
  /** The same, for work that cannot be repeated: a conflict is a StoreUnavailable. */
  readonly transactOnce: Database['transact']
  readonly now: () => Date
  /** Who is named in the audit; undefined where nothing is recorded. */
  readonly actor: Actor | undefined
  /** Called when a change has been committed. */
  readonly changeListeners: Set<() => void>
}

/** An open database with the methods of its owner. */
interface OpenDatabase extends Database {
  /** Whether it was unavailable at the last statement. */
  readonly isAway: boolean
  /** Runs the work on one connection while every other process that wants to do the same waits. */
  alone(work: (one: Kysely<Tables>) => Promise<void>): Promise<void>
  /** Whether it responds within a second. */
  check(): Promise<boolean>
  /** Waits for running work, and starts no more. */
  close(): Promise<void>
}

/** Connects on first use; throws a StoreError if the options cannot name a database. */
export function openDatabase(options: StoreOptions): OpenDatabase {
  const backend = chooseBackend(options)
  const db = connect(backend.dialect, options)
  const readingDb = backend.readingDialect ? connect(backend.readingDialect, options) : db
  const turns = backend.writers && createTurns(backend.writers)
  const running = countRunning()
  let isAway = false
  let closed: Promise<void> | undefined

  const watched = async <Value>(work: () => Promise<Value>, most = attempts): Promise<Value> => {
    try {
      const value = await attempt(work, most)
      isAway = false
      return value
    } catch (failure) {
      isAway = failure instanceof StoreUnavailable && failure.reason === 'away'
      throw failure
    }
  }
  const writing = <Value>(work: () => Promise<Value>, most?: number): Promise<Value> =>
    running.during(async () => {
      const turn = await turns?.take()
      try {
        return await watched(work, most)
      } finally {
        turn?.end()
      }
    })
  const read: Database['read'] = (work) => running.during(() => watched(() => work(readingDb)))
  return {
    backend,
    read,
    write: (work) => writing(() => work(db)),
    transact: (work) => writing(() => db.transaction().execute(work)),
    transactOnce: (work) => writing(() => db.transaction().execute(work), 1),
    actor: undefined,
    now: options.now ?? (() => new Date()),
    changeListeners: new Set(),
    get isAway() {
      return isAway
    },
    alone: (work) => db.connection().execute((one) => backend.alone(one, () => work(one))),
    check: () => check(read),
    // The reading connection is closed first: the last connection to a file moves all writes into it.
    close: () => (closed ??= running.end().then(() => destroy(readingDb, db))),
  }
}

function connect(dialect: Dialect, { onStatement }: StoreOptions): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect,
    ...(onStatement && {
      log: ({ query, queryDurationMillis }) => onStatement(query.sql, queryDurationMillis),
    }),
  })
}

async function destroy(...databases: readonly Kysely<Tables>[]): Promise<void> {
  for (const db of new Set(databases)) await db.destroy()
}

/** How often a transaction is retried after conflicts. */
const attempts = 8

async function attempt<Value>(work: () => Promise<Value>, most: number): Promise<Value> {
  for (let count = 1; ; count += 1) {
    try {
      return await work()
    } catch (failure) {
      if (count === most || !isTransient(failure)) throw toUnavailable(failure)
    }
    await wait(count * 5)
  }
}

async function check(read: Database['read']): Promise<boolean> {
  const timer = new AbortController()
  const late = wait(900, false, { signal: timer.signal, ref: false }).catch(() => false)
  const responds = read((db) => sql`select 1 from persons where id = 1`.execute(db))
    .then(
      () => true,
      () => false,
    )
    .finally(() => timer.abort())
  return Promise.race([responds, late])
}

interface Running {
  during<Value>(work: () => Promise<Value>): Promise<Value>
  /** Starts no more work; resolves when all running work has ended. */
  end(): Promise<void>
}

/** Closing waits for running work; pg would leave statements hanging that wait for a connection. */
function countRunning(): Running {
  const running = new Set<Promise<unknown>>()
  let hasEnded = false
  return {
    async during(work) {
      if (hasEnded) throw new StoreUnavailable('The store is closed')
      const outcome = work()
      running.add(outcome)
      try {
        return await outcome
      } finally {
        running.delete(outcome)
      }
    },
    async end() {
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

/** Why a text does not name a database; undefined if it does. Never repeats the text, which may contain a password. */
function faultOfDatabase(text: string): string | undefined {
  if (isPostgresUrl(text)) return faultOfPostgresUrl(text)
  if (text === '') return `it has no name; ${expected}`
  // A text with a password must not become the name of a file.
  return text !== ':memory:' && hasFormOfUrl(text)
    ? `this is neither a path nor a URL of PostgreSQL; ${expected}`
    : undefined
}

const expected =
  'expected the path of a file, :memory:, or postgres://USER:PASSWORD@HOST/DATABASE, with the password ' +
  'escaped (@ is %40, / is %2F). Write a file whose name begins like a URL as ./NAME'

/** URLs of other databases, without slashes or in quotation marks, and keywords of libpq. */
function hasFormOfUrl(text: string): boolean {
  return /^[^a-z]?[a-z][a-z\d+.-]+:/i.test(text) || mayHoldPassword(text)
}
