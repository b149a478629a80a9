import type { Outcome } from '../index.js'
import { fail, type CliError } from './cli-error.js'
import { switchType, type AnyFlagTable } from './flag.js'
import { suggest } from './suggest.js'

/** What the command line says, before any value has been looked at. */
export interface Arguments {
  readonly positionals: readonly string[]
  readonly texts: ReadonlyMap<string, readonly GivenText[]>
}

/** The text of a value, and the flag as it was written. */
export interface GivenText {
  readonly text: string
  readonly from: string
}

/** Splits the words of a command line into flags of the table and the rest. */
export function readArguments(
  words: readonly string[],
  flags: AnyFlagTable,
): Outcome<Arguments, CliError> {
  const positionals: string[] = []
  const texts = new Map<string, GivenText[]>()
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
    const { name, given, tookNext } = read.value
    const before = texts.get(name)
    if (before !== undefined && flags[name]?.type.combine === undefined) {
      return fail('usage', `The flag --${name} was given twice.`)
    }
    texts.set(name, [...(before ?? []), given])
    if (tookNext) at++
  }
  return { ok: true, value: { positionals, texts } }
}

interface FlagRead {
  readonly name: string
  readonly given: GivenText
  readonly tookNext: boolean
}

function readFlag(
  word: string,
  next: string | undefined,
  flags: AnyFlagTable,
): Outcome<FlagRead, CliError> {
  const equals = word.indexOf('=')
  const written = equals < 0 ? word : word.slice(0, equals)
  const text = equals < 0 ? undefined : word.slice(equals + 1)
  const name = written.startsWith('--') ? written.slice(2) : ''
  const read = (given: string, tookNext = false, flag = name): Outcome<FlagRead, CliError> => ({
    ok: true,
    value: { name: flag, given: { text: given, from: written }, tookNext },
  })

  if (Object.hasOwn(flags, name)) {
    if (text !== undefined) return read(text)
    if (flags[name]?.type === switchType) return read('true')
    if (next !== undefined && !next.startsWith('--')) return read(next, true)
    return fail('usage', `The flag ${written} needs a value: ${flags[name]?.type.expected}.`)
  }
  const opposite = name.startsWith('no-') ? name.slice(3) : ''
  if (Object.hasOwn(flags, opposite)) {
    if (flags[opposite]?.type !== switchType) {
      return fail('usage', `The flag --${opposite} takes a value and has no ${written}.`)
    }
    if (text !== undefined) return fail('usage', `The flag ${written} takes no value.`)
    return read('false', false, opposite)
  }
  return fail('usage', `Unknown flag ${written}.${suggest(written, spellings(flags))}`)
}

function spellings(flags: AnyFlagTable): readonly string[] {
  return Object.entries(flags).flatMap(([name, { type }]) =>
    type === switchType ? [`--${name}`, `--no-${name}`] : [`--${name}`],
  )
}
