import { parseArgs } from 'node:util'
import { failure, success, type Outcome } from 'graphwire'
import { exitCodes } from './exit-codes.js'
import { mayHoldPassword, misplacedUrl } from './store/may-hold-password.js'

/** How text becomes a value. */
export interface Kind<Value> {
  /** The placeholder of the value in help; a switch has none. */
  readonly placeholder: string | undefined
  /** The valid values in words, for messages. */
  readonly expected: string
  /** The value, or undefined for text that is not valid. */
  read(text: string): Value | undefined
}

/**
 * One thing to set, by a flag, a variable or both: help, the parser, messages and the table in
 * docs/people.md are made from this row.
 */
export interface Flag<Value> extends Kind<Value> {
  /** Undefined for a secret, which a list of processes would show. */
  readonly flag?: string
  /** Undefined for a flag of a command. */
  readonly env?: string
  readonly doc: string
  readonly fallback: Value
  /** The default as help shows it, if `fallback` alone would not be clear. */
  readonly defaultText?: string
  readonly isRequired?: boolean
  /** Whether its text may contain a secret, which messages must not show. */
  readonly isSecret?: boolean
}

/** A row for each value. */
export type FlagTable<Values> = { readonly [Name in keyof Values]: Flag<Values[Name]> }

/** On or off. */
export const aSwitch: Kind<boolean> = {
  placeholder: undefined,
  expected: 'true or false',
  read: (text) =>
    ['true', '1'].includes(text) ? true : ['false', '0'].includes(text) ? false : undefined,
}

/** A whole number within bounds. */
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

/** One of a few words. */
export function oneOf<Word extends string>(...words: readonly Word[]): Kind<Word> {
  return {
    placeholder: words.join('|'),
    expected: `one of ${words.join(', ')}`,
    read: (text) => words.find((word) => word === text),
  }
}

/** A text of a form. */
export function textLike(placeholder: string, form: RegExp, expected: string): Kind<string> {
  return { placeholder, expected, read: (text) => (form.test(text) ? text : undefined) }
}

/** The variables of the environment. */
export interface Environment {
  readonly [name: string]: string | undefined
}

/** What a command line may and must have. */
interface Grammar<Values> {
  readonly flags: FlagTable<Values>
  readonly env: Environment
  /** The names of the arguments. */
  readonly positionals?: readonly string[]
}

interface Words<Values> {
  readonly values: Values
  readonly positionals: readonly string[]
}

/** Reads a command line: a flag overrides its variable, and that the default. `--help` and `--version` come before all mistakes in values. */
export function readArguments<Values>(
  args: readonly string[],
  { flags, env, positionals: names = [] }: Grammar<Values>,
): Outcome<Words<Values> | 'help' | 'version', string> {
  const split = splitArguments(args, Object.values<Flag<unknown>>(flags))
  if (!split.ok) return split
  const { values: texts, positionals } = split.value
  if (texts['help'] === true) return success('help')
  if (texts['version'] === true) return success('version')
  if (positionals.some(mayHoldPassword)) return failure(misplacedUrl)
  const missing = names[positionals.length]
  if (missing !== undefined) return failure(`Missing argument <${missing}>.`)
  const extra = positionals[names.length]
  if (extra !== undefined) return failure(`Unexpected argument ${JSON.stringify(extra)}.`)
  const values: { [name: string]: unknown } = {}
  for (const [name, flag] of Object.entries<Flag<unknown>>(flags)) {
    const value = readValue(flag, texts[flag.flag ?? ''], env)
    if (!value.ok) return value
    values[name] = value.value
  }
  // The loop above has read a value of the right type for each row of the table.
  return success({ values: values as Values, positionals })
}

interface Split {
  /** By the name of the flag; true and false for switches. */
  readonly values: { readonly [flag: string]: string | boolean | undefined }
  readonly positionals: readonly string[]
}

function splitArguments(
  args: readonly string[],
  flags: readonly Flag<unknown>[],
): Outcome<Split, string> {
  const options: { [flag: string]: { type: 'string' | 'boolean'; short?: string } } = {
    help: { type: 'boolean', short: 'h' },
    version: { type: 'boolean' },
  }
  for (const { flag, placeholder } of flags) {
    if (flag !== undefined)
      options[flag] = { type: placeholder === undefined ? 'boolean' : 'string' }
  }
  const config = { args: [...args], options, allowNegative: true, allowPositionals: true } as const
  try {
    const { values, positionals, tokens } = parseArgs({ ...config, tokens: true })
    const names = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []))
    const twice = names.find((name, at) => names.indexOf(name) !== at)
    if (twice !== undefined) return failure(`--${twice} was given twice.`)
    return success({ values, positionals })
  } catch (error) {
    const { message } = error as Error
    return failure(mayHoldPassword(message) ? misplacedUrl : message)
  }
}

function readValue(
  { flag, env: variable, ...one }: Flag<unknown>,
  flagValue: string | boolean | undefined,
  env: Environment,
): Outcome<unknown, string> {
  const { expected, isSecret, isRequired } = one
  if (typeof flagValue === 'boolean') return success(flagValue)
  // Shells and container files often set a variable to the empty string to unset it.
  const text = flagValue ?? ((variable && env[variable]) || undefined)
  if (text === undefined) {
    return isRequired ? failure(`--${flag} is required: ${expected}.`) : success(one.fallback)
  }
  const value = one.read(text)
  if (value !== undefined) return success(value)
  const place = flagValue === undefined ? variable : `--${flag}`
  const shown = isSecret === true || mayHoldPassword(text) ? 'something else' : JSON.stringify(text)
  return failure(`${place}: expected ${expected}, got ${shown}.`)
}

/** The spelling of a flag in help: `--port <integer>`, `--[no-]seed`. */
export function spellingOf({ flag, placeholder }: Flag<unknown>): string {
  return placeholder === undefined ? `--[no-]${flag}` : `--${flag} <${placeholder}>`
}

/** The default as help and the docs show it. */
export function defaultOf({ defaultText, fallback }: Flag<unknown>): string {
  const words: { readonly [value: string]: string } = {
    true: 'on',
    false: 'off',
    undefined: 'none',
  }
  const text = String(fallback)
  return defaultText ?? words[text] ?? text
}

/** The contents of `--help` for one or several commands. */
interface Help {
  readonly summary: string
  /** Command lines, each with what it does, unless that is the summary. */
  readonly usage: readonly (readonly [words: string, doc?: string])[]
  readonly flags: readonly Flag<unknown>[]
  readonly notes?: readonly string[]
}

/** The text of `--help`. */
export function formatHelp({ summary, usage, flags, notes = [] }: Help): string {
  const withFlag = flags.filter(({ flag }) => flag !== undefined)
  const withoutFlag = flags.filter(({ flag }) => flag === undefined)
  const sections = [
    ['Usage', ...usage.flatMap(([words, doc]) => [`  ${words}`, ...(doc ? wrap(doc) : [])])],
    ['Flags', ...withFlag.flatMap((flag) => describe(row(spellingOf(flag), flag.env, 32), flag))],
    [
      'Environment only',
      ...withoutFlag.flatMap((flag) => describe(`  ${flag.env}=<${flag.placeholder}>`, flag)),
      ...notes,
    ],
    [
      'Exit codes',
      ...Object.values(exitCodes).map(({ code, meaning }) => row(String(code), meaning, 5)),
    ],
  ]
  const shown = sections.filter((lines) => lines.length > 1).map((lines) => lines.join('\n'))
  return `${[summary, ...shown].join('\n\n')}\n`
}

function describe(spelling: string, flag: Flag<unknown>): readonly string[] {
  const { doc, isRequired } = flag
  return [spelling, ...wrap(`${doc} ${isRequired ? 'Required' : `Default: ${defaultOf(flag)}`}.`)]
}

function row(term: string, text: string | undefined, width: number): string {
  return `  ${text === undefined ? term : `${term.padEnd(width)} ${text}`}`
}

/** Lines of at most 100 columns, indented. */
function wrap(text: string): readonly string[] {
  return text.match(/\S.{0,92}\S(?= |$)/g)?.map((line) => `      ${line}`) ?? []
}
