import { parseArgs, type ParseArgsConfig } from 'node:util'
import {
  switchType,
  type Flag,
  type FlagTable,
  type FlagType,
  type FlagValue,
  type FlagValues,
} from './flag.js'
import { suggest } from '../../shapes/index.js'
import { fail } from '../process/exit.js'
import type { Environment } from '../process/terminal.js'

/** The text of a value, and the flag as it was written. */
interface FlagText {
  readonly text: string
  readonly from: string
}

type FlagList = readonly (readonly [name: string, flag: Flag<unknown>])[]

/** The arguments of a command: its flags, and the words beside them. */
export interface Arguments<Values> {
  readonly flags: FlagValues<Values>
  readonly words: readonly string[]
}

/** Reads the words of a command line: a flag wins over its variables, and they over the default. */
export function readArguments<Values>(
  words: readonly string[],
  flags: FlagTable<Values>,
  env: Environment,
): Arguments<Values> {
  const list = Object.entries<Flag<unknown>>(flags)
  const { positionals, texts } = split(words, list)
  const values = list.map(([name, flag]) => {
    const found = texts.get(name) ?? fromEnvironment(flag.env, env)
    return [name, readValue(flag, found, env)] as const
  })
  // Each flag of the table has read a value of its type.
  return { flags: Object.fromEntries(values) as FlagValues<Values>, words: positionals }
}

/** Splits words into those that belong to flags, and the others. */
function split(words: readonly string[], flags: FlagList) {
  const spelled = new Map<string, { name: string; type: FlagType<unknown>; implied?: string }>()
  const options: NonNullable<ParseArgsConfig['options']> = {}
  for (const [name, { type }] of flags) {
    const isSwitch = type === switchType
    options[name] = { type: isSwitch ? 'boolean' : 'string' }
    // A switch without a value has the implied one.
    spelled.set(`--${name}`, { name, type, ...(isSwitch && { implied: 'true' }) })
    if (isSwitch) spelled.set(`--no-${name}`, { name, type, implied: 'false' })
  }
  const parsed = parseArgs({ args: [...words], options, strict: false, tokens: true })
  const texts = new Map<string, FlagText[]>()
  for (const token of parsed.tokens) {
    if (token.kind !== 'option') continue
    const from = (words[token.index] ?? '').replace(/=.*/s, '')
    const { name, type, implied } = spelled.get(from) ?? {}
    if (name === undefined) {
      fail('usage', `Unknown flag ${from}.${suggest(from, [...spelled.keys()])}`)
    }
    const { value, inlineValue: isInline } = token
    if (isInline && implied === 'false') fail('usage', `${from} takes no value.`)
    const text = isInline || !value?.startsWith('--') ? (value ?? implied) : undefined
    if (text === undefined) fail('usage', `${from} requires a value: ${type?.expected}.`)
    const before = texts.get(name)
    if (before !== undefined && type?.combine === undefined) {
      fail('usage', `--${name} was given twice.`)
    }
    texts.set(name, [...(before ?? []), { text, from }])
  }
  return { positionals: parsed.positionals, texts }
}

/** Shells and container files often set a variable to the empty string to unset it. */
function fromEnvironment(names: readonly string[], env: Environment): readonly FlagText[] {
  const from = names.find((name) => (env[name] ?? '') !== '')
  return from === undefined ? [] : [{ text: env[from] ?? '', from }]
}

function readValue(
  flag: Flag<unknown>,
  texts: readonly FlagText[],
  env: Environment,
): FlagValue<unknown> {
  const { type } = flag
  const [first] = texts
  if (first === undefined) return { value: flag.defaultIn?.(env) ?? flag.default, from: undefined }
  const values = texts.map(({ text, from }) => {
    const mistake = `${from}: expected ${type.expected}, got ${JSON.stringify(text)}.`
    return type.read(text) ?? fail('usage', mistake)
  })
  return { value: type.combine === undefined ? values[0] : type.combine(values), from: first.from }
}
