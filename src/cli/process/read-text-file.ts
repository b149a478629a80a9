import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Outcome } from '../../index.js'
import { fail, type CliError } from './cli-error.js'

/** The text of a file that the user named, without its byte order mark. */
export async function readTextFile(file: string): Promise<Outcome<string, CliError>> {
  let bytes
  try {
    bytes = await readFile(file)
  } catch (error) {
    return fail('configuration', describeFileError(file, error))
  }
  try {
    return { ok: true, value: new TextDecoder('utf-8', { fatal: true }).decode(bytes) }
  } catch {
    return fail('configuration', `${file}: not valid UTF-8.`)
  }
}

/** Describes why a file cannot be read. */
export function describeFileError(file: string, error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  switch (code) {
    case 'ENOENT':
    case 'ENOTDIR':
      return `${file}: no such file (looked for ${resolve(file)}).`
    case 'EISDIR':
      return `${file}: expected a file, got a folder.`
    case 'EACCES':
    case 'EPERM':
      return `${file}: permission denied.`
    default:
      return `${file}: ${message}`
  }
}
