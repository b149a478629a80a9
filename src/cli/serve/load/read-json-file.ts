import type { Outcome } from '../../../index.js'
import { fail, type CliError } from '../../process/cli-error.js'
import { readTextFile } from '../../process/read-text-file.js'
import { findJsonFault, formatFault, placeAt } from './file-fault.js'

/** The value in a JSON file that the user named. */
export async function readJsonFile(file: string): Promise<Outcome<unknown, CliError>> {
  const text = await readTextFile(file)
  if (!text.ok) return text
  try {
    return { ok: true, value: JSON.parse(text.value) }
  } catch {
    const { offset, expected } = findJsonFault(text.value)
    const place = placeAt(file, text.value, offset)
    return fail('configuration', formatFault(`Invalid JSON: expected ${expected}.`, [place]))
  }
}
