import { closeSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { sql } from 'kysely'
import type { Engine } from './engine.js'
import { sqliteDialect } from './sqlite-dialect.js'
import { StoreError } from './store.js'

/** The embedded database: a file, or memory. */
export function sqliteEngine(database: string): Engine {
  // libsql takes some relative names for addresses of servers.
  const path = database === ':memory:' ? database : resolve(database)
  if (path !== ':memory:') makeFile(path)
  return {
    name: 'sqlite',
    dialect: sqliteDialect(path),
    place: path,
    locksRows: false,
    isAmong: (column, ids) =>
      sql`${sql.ref(column)} in (select value from json_each(${JSON.stringify(ids)}))`,
    async alone(one, work) {
      await sql`begin immediate`.execute(one)
      try {
        const value = await work()
        await sql`commit`.execute(one)
        return value
      } catch (failure) {
        // A full disk has ended the transaction already.
        await sql`rollback`.execute(one).catch(() => {})
        throw failure
      }
    },
    async lockUnused(transaction) {
      const used = await sql`select 1 from sqlite_sequence where name = 'persons'`.execute(
        transaction,
      )
      return used.rows.length === 0
    },
    // AUTOINCREMENT does so by itself.
    continueAfter: async () => {},
  }
}

/** Names, addresses and digests of passwords are for nobody else on the machine. */
const forOwner = { folder: 0o700, file: 0o600 }

function makeFile(path: string): void {
  const folder = dirname(path)
  try {
    mkdirSync(folder, { recursive: true, mode: forOwner.folder })
  } catch (failure) {
    throw new StoreError(
      `Cannot make the folder ${folder} for the database: ${String(failure)}. ` +
        'Name a file in a folder that this process may write to',
      { cause: failure },
    )
  }
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) {
    throw new StoreError(`Cannot open the database ${path}: it is a folder. Name a file`)
  }
  try {
    // SQLite gives its other files the permissions of this one.
    closeSync(openSync(path, 'a', forOwner.file))
  } catch {
    // SQLite will say what is wrong with it.
  }
}
