import { parseArgs } from 'node:util'
import { failure, success, type Outcome } from 'graphwire'

/** The exit codes of the service, which are those of the binary `graphwire`. */
export const exitCodes = {
  ok: { code: 0, meaning: 'done, or stopped by a signal after answering every request' },
  refused: { code: 1, meaning: 'a command could not do its work, such as for an unknown name' },
  usage: { code: 2, meaning: 'invalid arguments or environment, or stdout cannot be used' },
  configuration: { code: 3, meaning: 'invalid settings, or the database cannot be used' },
  portInUse: { code: 4, meaning: 'the port is in use' },
  cut: { code: 5, meaning: 'stopped by a signal, and something had to be aborted' },
  bug: { code: 70, meaning: 'a bug in the service' },
  interrupted: {
    code: 130,
    meaning: 'interrupted before it was done, such as during the start or by a second signal',
  },
} as const

export interface Kind<Value> {
  /** The placeholder of the value in help; a switch has none. */
  readonly placeholder: string | undefined
  /** The valid values in words, for messages. */
  readonly expected: string
  /** The value, or undefined for text that is not valid. */
  read(text: string): Value | undefined
}

/**
 * A setting, by a flag, a variable or both: help, the parser, messages and the table in docs/people.md are made from this
 * row. Messages never repeat a value, which may be secret.
 */
export interface Flag<Value> extends Kind<Value> {
  /** Undefined for a secret, which would appear in lists of processes. */
  readonly flag?: string
  /** Undefined for a flag of a command. */
  readonly env?: string
  readonly doc: string
  /** Absent if it is required. */
  readonly fallback?: Value
  /** The default as help shows it, if `fallback` alone would not be clear. */
  readonly defaultText?: string
  readonly isRequired?: boolean
}

export type FlagTable<Values> = { readonly [Name in keyof Values]: Flag<Values[Name]> }

export type ValuesOf<Table> = Table extends FlagTable<infer Values> ? Readonly<Values> : never

export function setting<Value, const Fallback>(
  names: Pick<Flag<unknown>, 'flag' | 'env'>,
  kind: Kind<Value>,
  fallback: Fallback,
  doc: string,
  defaultText?: string,
): Flag<Value | Fallback> {
  return { ...names, ...kind, fallback, doc, ...(defaultText !== undefined && { defaultText }) }
}

export function required<Value>(flag: string, kind: Kind<Value>, doc: string): Flag<Value> {
  return { flag, ...kind, doc, isRequired: true }
}

export const aSwitch: Kind<boolean> = {
  placeholder: undefined,
  expected: 'true or false',
  read: (text) =>
    ['true', '1'].includes(text) ? true : ['false', '0'].includes(text) ? false : undefined,
}

export function wholeNumber(least: number, most: number): Kind<number> {
  return {
    placeholder: 'integer',
    expected: `a whole number from ${least} to ${most}`,
    read(text) {
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
      return value >= least && value <= most ? value : undefined
    },
  }
}

export function oneOf<Word extends string>(...words: readonly Word[]): Kind<Word> {
  return {
    placeholder: words.join('|'),
    expected: `one of ${words.join(', ')}`,
    read: (text) => words.find((word) => word === text),
  }
}

export function textLike(placeholder: string, form: RegExp, expected: string): Kind<string> {
  return { placeholder, expected, read: (text) => (form.test(text) ? text : undefined) }
}

/**
 * Reads a command line: a flag overrides its variable, and that the default. `--help` and `--version` come before all
 * mistakes in values. `names` are those of the arguments that must be there.
 */
export function readArguments<Values>(
  args: readonly string[],
  flags: FlagTable<Values>,
  env: NodeJS.ProcessEnv,
  names: readonly string[] = [],
) {
  const rows = Object.entries<Flag<unknown>>(flags)
  const split = splitArguments(args, rows)
  if (!split.ok) return split
  const { values: texts, positionals } = split.value
  if (texts['help'] === true) return success('help' as const)
  if (texts['version'] === true) return success('version' as const)
  const missing = names[positionals.length]
  if (missing !== undefined) return failure(`Missing argument <${missing}>.`)
  if (positionals.length > names.length) {
    return failure('Unexpected argument. The database is given with --db.')
  }
  const values: { [name: string]: unknown } = {}
  for (const [name, row] of rows) {
    const value = readValue(row, texts[row.flag ?? ''], env)
    if (!value.ok) return value
    values[name] = value.value
  }
  // The loop above has read a value of the right type for each row of the table.
  return success({ values: values as Values, positionals })
}

function splitArguments(args: readonly string[], rows: readonly [string, Flag<unknown>][]) {
  const options: { [flag: string]: { type: 'string' | 'boolean'; short?: string } } = {
    help: { type: 'boolean', short: 'h' },
    version: { type: 'boolean' },
  }
  for (const [, { flag, placeholder }] of rows) {
    if (flag !== undefined) options[flag] = { type: placeholder ? 'string' : 'boolean' }
  }
  try {
    return success(
      parseArgs({ args: [...args], options, allowNegative: true, allowPositionals: true }),
    )
  } catch (error) {
    return failure((error as Error).message)
  }
}

function readValue(
  { flag, env: variable, expected, isRequired, fallback, ...kind }: Flag<unknown>,
  flagValue: unknown,
  env: NodeJS.ProcessEnv,
): Outcome<unknown, string> {
  if (typeof flagValue === 'boolean') return success(flagValue)
  // Shells and container files often set a variable to the empty string to unset it.
  const text = (flagValue as string | undefined) ?? ((variable && env[variable]) || undefined)
  if (text === undefined) {
    return isRequired ? failure(`--${flag} is required: ${expected}.`) : success(fallback)
  }
  const value = kind.read(text)
  if (value !== undefined) return success(value)
  return failure(`${flagValue === undefined ? variable : `--${flag}`}: expected ${expected}.`)
}

/** The spelling of a flag in help: `--port <integer>`, `--[no-]seed`. */
export function spellingOf({ flag, placeholder }: Flag<unknown>): string {
  return placeholder === undefined ? `--[no-]${flag}` : `--${flag} <${placeholder}>`
}

export function defaultOf({ defaultText, fallback }: Flag<unknown>): string {
  const text: unknown = fallback ?? 'none'
  return defaultText ?? String(text)
}

/** The text of `--help`: command lines, each with what it does, and their flags. */
export function formatHelp(
  summary: string,
  usage: readonly (readonly [words: string, doc: string])[],
  flags: readonly Flag<unknown>[],
): string {
  const lines = [summary, '', 'Usage', ...usage.map(([words, doc]) => `  ${words}\n      ${doc}`)]
  lines.push('', 'Flags and variables')
  for (const row of flags) {
    const { flag, env, placeholder, doc, isRequired } = row
    const names = [flag && spellingOf(row), env && (flag ? env : `${env}=<${placeholder}>`)]
    lines.push(`  ${names.filter(Boolean).join('  ')}`)
    lines.push(`      ${doc} ${isRequired ? 'Required' : `Default: ${defaultOf(row)}`}.`)
  }
  lines.push('', 'Exit codes')
  for (const { code, meaning } of Object.values(exitCodes)) {
    lines.push(`  ${String(code).padEnd(5)} ${meaning}`)
  }
  return lines.join('\n')
}
