import { setTimeout as wait } from 'node:timers/promises'
import { Kysely, sql } from 'kysely'
import type { Database } from './database.js'
import type { Engine } from './engine.js'
import { keyStore } from './key-store.js'
import { loginStore } from './login-store.js'
import { messageStore } from './message-store.js'
import { migrate } from './migrations.js'
import { peopleStore } from './people-store.js'
import { postgresEngine } from './postgres-engine.js'
import { countRunning } from './running.js'
import { seed } from './seed.js'
import { sqliteCode } from './sqlite-code.js'
import { sqliteEngine } from './sqlite-engine.js'
import { StoreError, StoreUnavailable, type Store, type StoreOptions } from './store.js'
import type { Tables } from './tables.js'
import { codeOf, isTransient, toUnavailable } from './unavailable.js'

/** How often a transaction begins again that others kept from happening. */
const attempts = 8

/** Opens the database and brings its tables up to date. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const engine = chooseEngine(options)
  const db = openDatabase(engine, options.onStatement)
  try {
    await migrate(db, engine)
  } catch (failure) {
    await db.destroy()
    throw explain(failure, engine)
  }
  const running = countRunning()
  let isAway = false
  const watched = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    try {
      const value = await attempt(work)
      isAway = false
      return value
    } catch (failure) {
      isAway = failure instanceof StoreUnavailable
      throw failure
    }
  }
  const database: Database = {
    engine,
    ask: (work) => running.during(() => watched(() => work(db))),
    transact: (work) => running.during(() => watched(() => db.transaction().execute(work))),
    now: options.now ?? (() => new Date()),
  }
  let closed: Promise<void> | undefined
  return {
    people: peopleStore(database),
    messages: messageStore(database),
    keys: keyStore(database),
    logins: loginStore(database),
    get isAway() {
      return isAway
    },
    check: () => check(database),
    seed: () => seed(database),
    close: () => (closed ??= running.end().then(() => db.destroy())),
  }
}

function chooseEngine({ database, poolSize }: StoreOptions): Engine {
  if (/^postgres(?:ql)?:\/\//i.test(database)) return postgresEngine(database, poolSize ?? 10)
  // What has a password in it must not become the name of a file.
  if (database === '' || /^(?:postgres(?:ql)?:|[a-z][a-z0-9+.-]+:\/\/)/i.test(database)) {
    throw new StoreError(
      `Cannot open the database '${database.split(':', 1)[0]}': expected the path of a file, ` +
        ':memory:, or postgres://USER:PASSWORD@HOST/DATABASE',
    )
  }
  return sqliteEngine(database)
}

function openDatabase(engine: Engine, onStatement: StoreOptions['onStatement']): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: engine.dialect,
    ...(onStatement && {
      log: ({ query, queryDurationMillis }) => onStatement(query.sql, queryDurationMillis),
    }),
  })
}

/** Tries again what another transaction was in the way of, a bounded number of times. */
async function attempt<Value>(work: () => Promise<Value>): Promise<Value> {
  for (let count = 1; ; count += 1) {
    try {
      return await work()
    } catch (failure) {
      if (count === attempts || !isTransient(failure)) throw toUnavailable(failure)
    }
    await wait(count * 5)
  }
}

async function check(database: Database): Promise<boolean> {
  const timer = new AbortController()
  const late = wait(900, false, { signal: timer.signal, ref: false }).catch(() => false)
  const answer = database
    .ask((db) => sql`select 1 from persons where id = 1`.execute(db))
    .then(
      () => true,
      () => false,
    )
    .finally(() => timer.abort())
  return Promise.race([answer, late])
}

/** A failure to open, in words for who started the service. */
function explain(failure: unknown, engine: Engine): Error {
  const start = `Cannot open the database ${engine.place}: `
  // This failure is not given as the cause: it has the whole URL, and with it the password.
  if (codeOf(failure) === 'ERR_INVALID_URL') return new StoreError(start + invalidUrl)
  const reason = failure instanceof Error ? failure.message || failure.name : String(failure)
  const message = start + (sqliteFault(failure) ?? reason)
  return toUnavailable(failure) instanceof StoreUnavailable
    ? new StoreUnavailable(message, { cause: failure })
    : new StoreError(message, { cause: failure })
}

const invalidUrl =
  'its URL cannot be read; expected postgres://USER:PASSWORD@HOST:PORT/DATABASE, where @ in a password is %40'

/** What is wrong with the file, and what would be right. */
function sqliteFault(failure: unknown): string | undefined {
  const code = sqliteCode(failure)
  if (code === 'no-database' || code === 'corrupt') {
    return 'it is no database of SQLite. Name one, or a file that is not there yet'
  }
  // What libsql cannot even open has no code.
  return code === 'readonly' || String(failure).startsWith('Error: ConnectionFailed')
    ? 'it cannot be written. Name a file that this process may read and write'
    : undefined
}
