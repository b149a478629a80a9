import { closeSync, fstatSync, mkdirSync, openSync, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { codeOf } from './failures.js'
import { StoreError } from './store.js'

/** Other users of the machine must not read names, addresses and password hashes. */
const forOwner = { folder: 0o700, file: 0o600 }

/** Whether the path still refers to the same file as at the start. */
export type IsInPlace = () => boolean

/** Creates the file and its folder unless they exist; throws a StoreError if that is impossible. */
export function makeFile(path: string): IsInPlace {
  const folder = dirname(path)
  try {
    makeFolder(folder)
  } catch (failure) {
    throw new StoreError(
      `Cannot make the folder ${folder} for the database: ${messageOf(failure)}. ` +
        'Use a file in a folder that this process may write to',
      { cause: failure },
    )
  }
  const fault = faultOfFile(path) ?? faultOfLog(path)
  if (fault !== undefined) throw new StoreError(`Cannot open the database ${path}: ${fault}`)
  try {
    // SQLite gives its other files the permissions of this one. A file that it may not write is opened too,
    // and the first write would fail.
    const file = openSync(path, 'a+', forOwner.file)
    const { dev, ino } = fstatSync(file)
    closeSync(file)
    return () => {
      const found = statSync(path, { throwIfNoEntry: false })
      return found !== undefined && found.ino === ino && found.dev === dev
    }
  } catch (failure) {
    throw new StoreError(`Cannot open the database ${path}: ${advise(failure)}`, { cause: failure })
  }
}

/**
 * One level at a time: if a folder cannot be created inside an existing one, as in /proc, the recursive
 * `mkdirSync` of Node never returns.
 */
function makeFolder(folder: string): void {
  if (isFolder(folder)) return
  const parent = dirname(folder)
  if (parent !== folder) makeFolder(parent)
  try {
    mkdirSync(folder, forOwner.folder)
  } catch (failure) {
    // Another process may have been faster.
    if (codeOf(failure) !== 'EEXIST' || !isFolder(folder)) throw failure
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}

/** Opening a pipe would wait for its other end, and a device stores nothing. */
function faultOfFile(path: string): string | undefined {
  try {
    const found = statSync(path, { throwIfNoEntry: false })
    if (found === undefined || found.isFile()) return undefined
    return found.isDirectory()
      ? 'it is a folder. Use a file'
      : 'it is not a regular file. Use one, or a file that does not exist yet'
  } catch (failure) {
    return advise(failure)
  }
}

/**
 * SQLite deletes a log that it finds next to a new file, and with it acknowledged writes. The log is looked
 * for first, since a process that starts at the same time creates it after the file.
 */
function faultOfLog(path: string): string | undefined {
  if (sizeOf(`${path}-wal`) === 0 || sizeOf(path) > 0) return undefined
  const name = basename(path)
  return (
    `it is missing or empty, but ${name}-wal has writes to it. ` +
    `Put the file back, or remove ${name}-wal and ${name}-shm as well`
  )
}

/** 0 for a path without file information, such as one that is too long: opening it gives the reason. */
function sizeOf(path: string): number {
  try {
    return statSync(path, { throwIfNoEntry: false })?.size ?? 0
  } catch {
    return 0
  }
}

function advise(failure: unknown): string {
  return `${messageOf(failure)}. Use a file that this process may read and write`
}

function messageOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure)
}
