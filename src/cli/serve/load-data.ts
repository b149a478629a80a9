import type { Outcome } from '../../index.js'
import { fail, type CliError } from '../cli-error.js'
import { findJsonFault } from './find-json-fault.js'
import { formatFault, placeAt } from './format-fault.js'
import { readTextFile } from './read-text-file.js'

/** The root value in a JSON file. */
export async function loadData(file: string): Promise<Outcome<object, CliError>> {
  const text = await readTextFile(file)
  if (!text.ok) return text
  let data: unknown
  try {
    data = JSON.parse(text.value)
  } catch {
    const { offset, expected } = findJsonFault(text.value)
    const place = placeAt(file, text.value, offset)
    return fail('configuration', formatFault(`This is not JSON: expected ${expected}.`, [place]))
  }
  if (typeof data === 'object' && data !== null && !Array.isArray(data)) {
    return { ok: true, value: data }
  }
  const got = Array.isArray(data) ? 'an array' : data === null ? 'null' : `a ${typeof data}`
  return fail('configuration', `${file}: expected a JSON object of root fields, got ${got}.`)
}
