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
import { StoreUnavailable, type Store, type StoreOptions } from './store.js'
import type { Tables } from './tables.js'
import { isTransient, toUnavailable } from './unavailable.js'

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
  const database: Database = {
    engine,
    ask: (work) => running.during(() => attempt(() => work(db))),
    transact: (work) => running.during(() => attempt(() => db.transaction().execute(work))),
    now: options.now ?? (() => new Date()),
  }
  let closed: Promise<void> | undefined
  return {
    people: peopleStore(database),
    messages: messageStore(database),
    keys: keyStore(database),
    logins: loginStore(database),
    check: () => check(database),
    seed: () => seed(database),
    close: () => (closed ??= running.end().then(() => db.destroy())),
  }
}

function chooseEngine({ database, poolSize }: StoreOptions): Engine {
  if (/^postgres(?:ql)?:\/\//i.test(database)) return postgresEngine(database, poolSize ?? 10)
  if (database === '' || /^[a-z][a-z0-9+.-]+:\/\//i.test(database)) {
    throw new Error(
      `Cannot open the database '${database.split('://', 1)[0]}': expected the path of a file, ` +
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
  const reason = failure instanceof Error ? failure.message || failure.name : String(failure)
  const isAway = toUnavailable(failure) instanceof StoreUnavailable
  const message = `Cannot open the database ${engine.place}: ${sqliteFault(failure) ?? reason}`
  return isAway
    ? new StoreUnavailable(message, { cause: failure })
    : new Error(message, { cause: failure })
}

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
