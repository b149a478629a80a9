import { isUtf8 } from 'node:buffer'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fail, type CliError } from './exit.js'

/** The text of a file that the user named, without its byte order mark. */
export async function readTextFile(
  file: string,
  kind: CliError['kind'] = 'configuration',
): Promise<string> {
  const bytes = await readFile(file).catch((error: unknown) =>
    fail(kind, describeFileError(file, error)),
  )
  return isUtf8(bytes) ? new TextDecoder().decode(bytes) : fail(kind, `${file}: not valid UTF-8.`)
}

/** Reads a file that a flag names, with a parser that throws a TypeError for invalid content. */
export async function readFileAs<Value>(
  file: string,
  read: (text: string) => Value,
): Promise<Value> {
  const text = await readTextFile(file, 'usage')
  try {
    return read(text)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return fail('usage', `${file}: ${error.message}`)
  }
}

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
