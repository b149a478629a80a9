import type { Outcome } from '../../index.js'
import { fail, type CliError } from '../process/cli-error.js'
import {
  switchType,
  type AnyFlagTable,
  type Flag,
  type FlagTable,
  type FlagValue,
  type FlagValues,
} from './flag.js'
import { suggest } from '../../shapes/suggest.js'

/** The variables of the environment. */
export interface Environment {
  readonly [name: string]: string | undefined
}

/** A command line split into words, before any value is checked. */
export interface Arguments {
  readonly positionals: readonly string[]
  readonly texts: ReadonlyMap<string, readonly FlagText[]>
}

/** The text of a value, and the flag as it was written. */
interface FlagText {
  readonly text: string
  readonly from: string
}

/** Splits the words of a command line into flags of the table and the rest. */
export function readArguments(
  words: readonly string[],
  flags: AnyFlagTable,
): Outcome<Arguments, CliError> {
  const positionals: string[] = []
  const texts = new Map<string, FlagText[]>()
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    if (word === '--') {
      positionals.push(...words.slice(at + 1))
      break
    }
    if (!word.startsWith('-') || word === '-') {
      positionals.push(word)
      continue
    }
    const read = readFlag(word, words[at + 1], flags)
    if (!read.ok) return read
    const { name, text, tookNext } = read.value
    const before = texts.get(name)
    if (before !== undefined && flags[name]?.type.combine === undefined) {
      return fail('usage', `--${name} was given twice.`)
    }
    texts.set(name, [...(before ?? []), text])
    if (tookNext) at++
  }
  return { ok: true, value: { positionals, texts } }
}

interface FlagRead {
  readonly name: string
  readonly text: FlagText
  readonly tookNext: boolean
}

function readFlag(
  word: string,
  next: string | undefined,
  flags: AnyFlagTable,
): Outcome<FlagRead, CliError> {
  const equals = word.indexOf('=')
  const spelling = equals < 0 ? word : word.slice(0, equals)
  const text = equals < 0 ? undefined : word.slice(equals + 1)
  const name = spelling.startsWith('--') ? spelling.slice(2) : ''
  const read = (value: string, tookNext = false, flag = name): Outcome<FlagRead, CliError> => ({
    ok: true,
    value: { name: flag, text: { text: value, from: spelling }, tookNext },
  })

  if (Object.hasOwn(flags, name)) {
    if (text !== undefined) return read(text)
    if (flags[name]?.type === switchType) return read('true')
    if (next !== undefined && !next.startsWith('--')) return read(next, true)
    return fail('usage', `${spelling} requires a value: ${flags[name]?.type.expected}.`)
  }
  const opposite = name.startsWith('no-') ? name.slice(3) : ''
  if (Object.hasOwn(flags, opposite)) {
    if (flags[opposite]?.type !== switchType) {
      return fail('usage', `${spelling} is not a flag: --${opposite} takes a value.`)
    }
    if (text !== undefined) return fail('usage', `${spelling} takes no value.`)
    return read('false', false, opposite)
  }
  return fail('usage', `Unknown flag ${spelling}.${suggest(spelling, spellings(flags))}`)
}

function spellings(flags: AnyFlagTable): readonly string[] {
  return Object.entries(flags).flatMap(([name, { type }]) =>
    type === switchType ? [`--${name}`, `--no-${name}`] : [`--${name}`],
  )
}

/** The values of all flags: a flag wins over its variables, and they over the default. */
export function readValues<Values>(
  { texts }: Arguments,
  flags: FlagTable<Values>,
  env: Environment,
): Outcome<FlagValues<Values>, CliError> {
  const values: { [name: string]: FlagValue<unknown> } = {}
  for (const [name, flag] of Object.entries<Flag<unknown>>(flags)) {
    const found = texts.get(name) ?? fromEnvironment(flag.env, env)
    const value = readValue(flag, found)
    if (!value.ok) return value
    values[name] = value.value
  }
  // The loop above has read a value of the right type for each flag of the table.
  return { ok: true, value: values as FlagValues<Values> }
}

/** Shells and container files often set a variable to the empty string to unset it. */
function fromEnvironment(names: readonly string[], env: Environment): readonly FlagText[] {
  const from = names.find((name) => (env[name] ?? '') !== '')
  return from === undefined ? [] : [{ text: env[from] ?? '', from }]
}

function readValue(
  flag: Flag<unknown>,
  texts: readonly FlagText[],
): Outcome<FlagValue<unknown>, CliError> {
  const values: unknown[] = []
  for (const { text, from } of texts) {
    const value = flag.type.read(text)
    if (value === undefined) {
      const { expected } = flag.type
      return fail('usage', `${from}: expected ${expected}, got ${JSON.stringify(text)}.`)
    }
    values.push(value)
  }
  const [first] = texts
  if (first === undefined) return { ok: true, value: { value: flag.default, from: undefined } }
  const value = flag.type.combine === undefined ? values[0] : flag.type.combine(values)
  return { ok: true, value: { value, from: first.from } }
}
