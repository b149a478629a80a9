import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fail, type CliOutcome } from './outcome.js'

/** The text of a file that the user named, without its byte order mark. */
export async function readTextFile(file: string): Promise<CliOutcome<string>> {
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

/** Reads a file with a parser that throws a TypeError for invalid content. */
export async function readFileAs<Value>(
  file: string,
  read: (text: string) => Value,
): Promise<CliOutcome<Value>> {
  const text = await readTextFile(file)
  if (!text.ok) return fail('usage', text.reason.message)
  try {
    return { ok: true, value: read(text.value) }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    const lines = error.message.split('\n').map((line) => `${file}: ${line}`)
    return fail('usage', lines.join('\n'))
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
