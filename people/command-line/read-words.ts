import { parseArgs } from 'node:util'
import { failure, success, type Outcome } from 'graphwire'
import { mayHoldPassword, misplacedUrl } from '../store/may-hold-password.js'
import type { Flag, FlagTable } from './flag.js'

/** The variables of the environment. */
export interface Environment {
  readonly [name: string]: string | undefined
}

/** A command line split into words, before any value is checked. */
export interface Words {
  /** By the name of the flag; true and false for switches. */
  readonly texts: { readonly [flag: string]: string | boolean | undefined }
  readonly positionals: readonly string[]
}

/** The rows that a command line may use, and the names of the arguments that it must have. */
export interface Grammar {
  readonly flags: readonly Flag<unknown>[]
  readonly positionals?: readonly string[]
}

/** Splits a command line into flags and arguments; `--help` and `--version` come before all mistakes in values. */
export function readWords(
  args: readonly string[],
  { flags, positionals: names = [] }: Grammar,
): Outcome<Words | 'help' | 'version', string> {
  const options: { [flag: string]: { type: 'string' | 'boolean'; short?: string } } = {
    help: { type: 'boolean', short: 'h' },
    version: { type: 'boolean' },
  }
  for (const { flag, placeholder } of flags) {
    if (flag !== undefined)
      options[flag] = { type: placeholder === undefined ? 'boolean' : 'string' }
  }
  try {
    const { values, positionals, tokens } = parseArgs({
      args: [...args],
      options,
      strict: true,
      allowNegative: true,
      allowPositionals: true,
      tokens: true,
    })
    const flagNames = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []))
    const twice = flagNames.find((name, at) => flagNames.indexOf(name) !== at)
    if (twice !== undefined) return failure(`--${twice} was given twice.`)
    if (values['help'] === true) return success('help')
    if (values['version'] === true) return success('version')
    if (positionals.some(mayHoldPassword)) return failure(misplacedUrl)
    const missing = names[positionals.length]
    if (missing !== undefined) return failure(`Missing argument <${missing}>.`)
    const extra = positionals[names.length]
    if (extra !== undefined) return failure(`Unexpected argument ${JSON.stringify(extra)}.`)
    return success({ texts: values, positionals })
  } catch (error) {
    const { message } = error as Error
    return failure(mayHoldPassword(message) ? misplacedUrl : message)
  }
}

/** The values of all rows: a flag overrides its variable, and that the default. */
export function readValues<Values>(
  { texts }: Words,
  table: FlagTable<Values>,
  env: Environment,
): Outcome<Values, string> {
  const values: { [name: string]: unknown } = {}
  for (const [name, row] of Object.entries<Flag<unknown>>(table)) {
    const value = readValue(row, texts, env)
    if (!value.ok) return value
    values[name] = value.value
  }
  // The loop above has read a value of the right type for each row of the table.
  return success(values as Values)
}

function readValue(
  row: Flag<unknown>,
  texts: Words['texts'],
  env: Environment,
): Outcome<unknown, string> {
  const { flag = '', expected, isSecret, isRequired } = row
  const flagValue = texts[flag]
  if (typeof flagValue === 'boolean') return success(flagValue)
  // Shells and container files often set a variable to the empty string to unset it.
  const text = flagValue ?? ((row.env && env[row.env]) || undefined)
  if (text === undefined) {
    return isRequired ? failure(`--${flag} is required: ${expected}.`) : success(row.fallback)
  }
  const value = row.read(text)
  if (value !== undefined) return success(value)
  const place = flagValue === undefined ? row.env : `--${flag}`
  const shown = isSecret === true || mayHoldPassword(text) ? 'something else' : JSON.stringify(text)
  return failure(`${place}: expected ${expected}, got ${shown}.`)
}
