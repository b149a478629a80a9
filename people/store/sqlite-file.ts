import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, resolve } from 'node:path'
import Database from 'libsql'
import { codeOf, fileAdvice } from './failures.js'
import type { IsInPlace } from './sqlite.js'
import { StoreError } from './store.js'

/** Other users of the machine must not read names, addresses and password hashes. */
const forOwner = { folder: 0o700, file: 0o600 }

/** Creates the file and its folder unless they exist; throws a StoreError if that is impossible. */
export function makeFile(path: string): IsInPlace {
  const start = `Cannot open the database ${path}:`
  try {
    makeFolder(dirname(path))
    const fault = faultOf(path)
    if (fault !== undefined) throw new StoreError(`${start} ${fault}`)
    // SQLite gives its other files the permissions of this one. A file that it may not write is opened too,
    // and the first write would fail.
    const file = openSync(path, 'a+', forOwner.file)
    const { dev, ino } = fstatSync(file)
    closeSync(file)
    return () => {
      const found = find(path)
      return found !== undefined && found.ino === ino && found.dev === dev
    }
  } catch (failure) {
    if (failure instanceof StoreError) throw failure
    throw new StoreError(`${start} ${messageOf(failure)}. ${fileAdvice}`, { cause: failure })
  }
}

/**
 * One level at a time: if a folder cannot be created inside an existing one, as in /proc, the recursive
 * `mkdirSync` of Node never returns.
 */
function makeFolder(folder: string): void {
  if (find(folder)?.isDirectory() === true) return
  const parent = dirname(folder)
  if (parent !== folder) makeFolder(parent)
  try {
    mkdirSync(folder, forOwner.folder)
  } catch (failure) {
    // Another process may have been faster.
    if (find(folder)?.isDirectory() !== true) throw failure
  }
}

const find = (path: string) => statSync(path, { throwIfNoEntry: false })

/** Opening a pipe would wait for its other end, and a device stores nothing. */
function faultOf(path: string): string | undefined {
  // Looked for first, since a process that starts at the same time creates it after the file.
  const log = find(`${path}-wal`)
  const file = find(path)
  if (file?.isDirectory() === true) return 'it is a folder. Use a file'
  if (file?.isFile() === false) {
    return 'it is not a regular file. Use one, or a file that does not exist yet'
  }
  // SQLite deletes a log that it finds next to a new file, and with it acknowledged writes.
  if (!log?.size || file?.size) return undefined
  const name = basename(path)
  return (
    `it is missing or empty, but ${name}-wal has writes to it. ` +
    `Put the file back, or remove ${name}-wal and ${name}-shm as well`
  )
}

function messageOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure)
}

/**
 * Copies an SQLite database to a new file. `VACUUM INTO` reads in one transaction, so the copy is the database at one moment
 * while others write. The copy has a name of its own until it is whole, checked and on disk: an interrupted one never looks
 * like a backup.
 */
export function copyDatabase(from: string, to: string) {
  const [source, target] = [resolve(from), resolve(to)]
  if (find(source)?.isFile() !== true) {
    throw new StoreError(`Cannot read ${from}: there is no such file.`)
  }
  for (const path of [target, `${target}-wal`]) {
    if (existsSync(path)) throw new StoreError(`${path} exists: use another name, or move it away.`)
  }
  const partial = `${target}.${randomBytes(6).toString('hex')}.partial`
  try {
    // SQLite fills an empty file, which is created here so that other users cannot read it.
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
    const reason = codeOf(failure) === 'EEXIST' ? 'it exists' : messageOf(failure)
    throw new StoreError(`Cannot copy ${from} to ${to}: ${reason}.`, { cause: failure })
  } finally {
    for (const end of ['', '-journal', '-wal', '-shm']) rmSync(partial + end, { force: true })
  }
}

function withDatabase<Value>(path: string, work: (database: Database.Database) => Value): Value {
  // For a writer; in WAL mode there is nothing to wait for.
  const database = new Database(path, { timeout: 5_000 })
  try {
    return work(database)
  } finally {
    database.close()
  }
}

/** The number of people in a copy; throws if it is damaged, or not a database of people. */
function checkWhole(database: Database.Database): number {
  const valueOf = (statement: string): unknown => {
    const [row] = database.prepare(statement).raw().all() as unknown[][]
    return row?.[0]
  }
  const check = valueOf('pragma integrity_check(1)')
  if (check !== 'ok') throw new StoreError(`The database is damaged: ${String(check)}.`)
  const isOurs = valueOf("select 1 from sqlite_master where type = 'table' and name = 'persons'")
  if (!isOurs) throw new StoreError('The file is not a database of the people service.')
  return Number(valueOf('select count(*) from persons'))
}

function flush(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}
