import type { Outcome } from '../../index.js'
import { fail, type CliError } from '../process/cli-error.js'
import { readTextFile } from '../process/read-text-file.js'

/** Reads a file with a parser that throws a TypeError for invalid content. */
export async function readFileAs<Value>(
  file: string,
  read: (text: string) => Value,
): Promise<Outcome<Value, CliError>> {
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
