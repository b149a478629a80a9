import { resolve } from 'node:path'
import { sql, SqliteAdapter, SqliteDialect, type Dialect, type SqliteStatement } from 'kysely'
import Database from 'libsql'
import type { Backend } from './backend.js'
import { codeOf } from './failures.js'
import { makeFile } from './sqlite-file.js'
import { StoreUnavailable } from './store.js'

export function sqliteBackend(database: string): Backend {
  // libsql treats some relative names as addresses of servers.
  const path = database === ':memory:' ? database : resolve(database)
  const isInPlace = path === ':memory:' ? () => true : makeFile(path)
  return {
    words: {
      // Without AUTOINCREMENT, the id of the last person would be used again, once removed.
      id: 'integer primary key autoincrement',
      name: 'text',
      placing: `create trigger changes_are_placed after insert on changes
        begin update change_clock set position = new.position; end`,
    },
    dialect: sqliteDialect(path, 'writing', isInPlace),
    // A database in memory has one connection, and no other process uses it.
    readingDialect: path === ':memory:' ? undefined : sqliteDialect(path, 'reading', isInPlace),
    migratingDialect: undefined,
    // A write waits for others as long as with a busy timeout of SQLite.
    writers: { atOnce: 1, patience: 5_000 },
    place: path,
    keepPersons: sql``,
    nextPosition: sql`(select position + 1 from change_clock)`,
    among: (ids) => sql`in (select value from json_each(${JSON.stringify(ids)}))`,
    // Without LATERAL, the last friend of each is found first. A cross join keeps its order.
    firstFriends: (ids, limit) => sql`
      select friendships.person_id, friendships.friend_id
      from json_each(${JSON.stringify(ids)}) as asked
      cross join friendships on friendships.person_id = asked.value
        and friendships.friend_id <= ifnull(
          (
            select friend_id from friendships as earlier
            where earlier.person_id = asked.value order by friend_id limit 1 offset ${limit - 1}
          ),
          ${Number.MAX_SAFE_INTEGER}
        )
    `,
    tryLock: async () => true,
  }
}

/** Whether the path still refers to the same file as at the start. */
export type IsInPlace = () => boolean

/** Set when a connection opens, by its use. FULL: an acknowledged commit survives a power failure. */
const settings = {
  writing: ['pragma journal_mode = wal', 'pragma synchronous = full', 'pragma foreign_keys = on'],
  reading: ['pragma query_only = on'],
}

type ConnectionUse = keyof typeof settings

/** Without it, Kysely would migrate in no transaction. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/**
 * Kysely on libsql: one connection, which one transaction or statement has at a time. It is open while it can be used.
 *
 * SQLite's busy timeout would block this process and perhaps the transaction that it waits for, so a statement that another
 * process blocks fails at once, for the store to try again. libsql resets such a statement only when it runs again, and until
 * then would keep the snapshot of every later read open, and with it no later write would succeed: the file is let go of. So
 * is one that cannot be written: SQLite would not notice when it can be again.
 */
export function sqliteDialect(path: string, use: ConnectionUse, isInPlace: IsInPlace): Dialect {
  let database: Database.Database | undefined
  /** Kept, since there are few: values are parameters. */
  const statements = new Map<string, SqliteStatement>()
  const letGo = (): void => {
    statements.clear()
    database?.close()
    database = undefined
  }
  const orLetGo = <Value>(work: () => Value): Value => {
    try {
      return work()
    } catch (failure) {
      if (['busy', 'readonly'].includes(codeOf(failure) ?? '')) letGo()
      throw failure
    }
  }
  const wrap = (statement: Database.Statement): SqliteStatement => ({
    ...nothing,
    reader: statement.reader,
    all: (parameters) => orLetGo(() => statement.all(parameters.map(checkParameter))),
    run: (parameters) => orLetGo(() => statement.run(parameters.map(checkParameter))),
  })
  const dialect = new SqliteDialect({
    database: {
      prepare(text) {
        // A full disk, or letting go, has ended the transaction already.
        if (text === 'rollback' && database?.inTransaction !== true) return nothing
        // Writes to a removed file would be acknowledged and lost, and a new file in its place would look like
        // a database that has lost everything. This costs 3 us a statement or transaction.
        if (database?.inTransaction !== true && !isInPlace()) {
          throw new StoreUnavailable('The file is gone')
        }
        return orLetGo(() => {
          database ??= open(path, use)
          // A transaction that began to read before it writes may find its snapshot too old to write.
          const asked = text === 'begin' ? 'begin immediate' : text
          const statement = statements.get(text) ?? wrap(database.prepare(asked))
          statements.set(text, statement)
          return statement
        })
      },
      /** Moves all writes into the one file, unless another process still has it open. */
      close() {
        try {
          // If the file was removed, the log at its path may belong to a new file.
          if (use === 'writing' && isInPlace()) database?.exec('pragma wal_checkpoint(truncate)')
        } catch {
          // Nothing is lost: the log next to the file is part of the database.
        }
        letGo()
      },
    },
  })
  dialect.createAdapter = () => new TransactionalAdapter()
  return dialect
}

const nothing: SqliteStatement = {
  reader: false,
  all: () => [],
  run: () => ({ changes: 0, lastInsertRowid: 0 }),
  iterate: () => {
    throw new Error('Streaming is not supported')
  },
}

function open(path: string, use: ConnectionUse): Database.Database {
  const database = new Database(path, { timeout: 0 })
  try {
    for (const setting of settings[use]) database.exec(setting)
    return database
  } catch (failure) {
    database.close()
    throw failure
  }
}

/** libsql ends the whole process for a parameter of any other type. */
function checkParameter(parameter: unknown): string | number | null {
  if (parameter === null || typeof parameter === 'string' || typeof parameter === 'number') {
    return parameter
  }
  throw new TypeError(`SQLite does not support parameters of type ${typeof parameter}`)
}
