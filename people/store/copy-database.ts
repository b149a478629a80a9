import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, linkSync, openSync, rmSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import Database from 'libsql'
import { codeOf } from './failures.js'
import { StoreError } from './store.js'

/** What was copied. */
export interface Copied {
  readonly people: number
  readonly bytes: number
}

/** How long SQLite waits for a writer, in milliseconds; in WAL mode there is nothing to wait for. */
const timeout = 5_000

/**
 * Copies an SQLite database to a new file. `VACUUM INTO` reads in one transaction, so the copy is the database at one moment while others
 * write. The copy has a name of its own until it is whole, checked and on disk: an interrupted one never looks like a backup.
 */
export function copyDatabase(from: string, to: string): Copied {
  const [source, target] = [resolve(from), resolve(to)]
  if (statSync(source, { throwIfNoEntry: false })?.isFile() !== true) {
    throw new StoreError(`Cannot read ${from}: there is no such file.`)
  }
  for (const path of [target, `${target}-wal`]) {
    if (existsSync(path)) throw new StoreError(`${path} exists: use another name, or move it away.`)
  }
  const partial = `${target}.${randomBytes(6).toString('hex')}.partial`
  try {
    // SQLite fills an empty file, which nobody else may read.
    closeSync(openSync(partial, 'wx', 0o600))
    withDatabase(source, (database) => database.prepare('vacuum into ?').run(partial))
    const people = withDatabase(partial, checkWhole)
    flush(partial)
    // Unlike renaming, this fails if the file exists by now.
    linkSync(partial, target)
    flush(dirname(target))
    return { people, bytes: statSync(target).size }
  } catch (failure) {
    if (failure instanceof StoreError) throw failure
    const reason =
      codeOf(failure) === 'EEXIST'
        ? 'it exists'
        : failure instanceof Error
          ? failure.message
          : failure
    throw new StoreError(`Cannot copy ${from} to ${to}: ${String(reason)}.`, { cause: failure })
  } finally {
    for (const end of ['', '-journal', '-wal', '-shm']) rmSync(partial + end, { force: true })
  }
}

function withDatabase<Value>(path: string, work: (database: Database.Database) => Value): Value {
  const database = new Database(path, { timeout })
  try {
    return work(database)
  } finally {
    database.close()
  }
}

/** The number of people in a copy; throws if it is damaged, or not a database of people. */
function checkWhole(database: Database.Database): number {
  const [check] = database.prepare('pragma integrity_check(1)').raw().all() as [string][]
  if (check?.[0] !== 'ok') throw new StoreError(`The database is damaged: ${check?.[0]}.`)
  const table = database
    .prepare("select 1 from sqlite_master where type = 'table' and name = 'persons'")
    .all()
  if (table.length === 0) throw new StoreError('The file is not a database of the people service.')
  const [count] = database.prepare('select count(*) from persons').raw().all() as [number][]
  return count?.[0] ?? 0
}

function flush(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
