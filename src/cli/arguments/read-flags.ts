import { parseArgs } from 'node:util'
import {
  switchType,
  type AnyFlagTable,
  type Flag,
  type FlagTable,
  type FlagType,
  type FlagValue,
  type FlagValues,
} from './flag.js'
import { suggest } from '../../shapes/index.js'
import { fail, type CliOutcome } from '../process/outcome.js'
import type { Environment } from '../process/terminal.js'

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

export function readArguments(
  words: readonly string[],
  flags: AnyFlagTable,
): CliOutcome<Arguments> {
  const options = Object.entries(flags).map(([name, { type }]) => {
    return [name, { type: type === switchType ? 'boolean' : 'string' }] as const
  })
  const { tokens } = parseArgs({
    args: [...words],
    options: Object.fromEntries(options),
    strict: false,
    tokens: true,
  })
  const spelled = spellingsOf(flags)
  const positionals: string[] = []
  const texts = new Map<string, FlagText[]>()
  for (const token of tokens) {
    if (token.kind === 'positional') positionals.push(token.value)
    if (token.kind !== 'option') continue
    const from = (words[token.index] ?? '').replace(/=.*/s, '')
    const { name, type, implied } = spelled.get(from) ?? {}
    if (name === undefined) {
      return fail('usage', `Unknown flag ${from}.${suggest(from, [...spelled.keys()])}`)
    }
    const { value, inlineValue: isInline } = token
    if (isInline && implied === 'false') return fail('usage', `${from} takes no value.`)
    const text = isInline || !value?.startsWith('--') ? (value ?? implied) : undefined
    if (text === undefined) return fail('usage', `${from} requires a value: ${type?.expected}.`)
    const before = texts.get(name)
    if (before !== undefined && type?.combine === undefined) {
      return fail('usage', `--${name} was given twice.`)
    }
    texts.set(name, [...(before ?? []), { text, from }])
  }
  return { ok: true, value: { positionals, texts } }
}

/** How flags are written, and the text that switches have without a value. */
function spellingsOf(flags: AnyFlagTable) {
  const spelled = new Map<string, { name: string; type: FlagType<unknown>; implied?: string }>()
  for (const [name, { type }] of Object.entries(flags)) {
    if (type !== switchType) spelled.set(`--${name}`, { name, type })
    else {
      spelled.set(`--${name}`, { name, type, implied: 'true' })
      spelled.set(`--no-${name}`, { name, type, implied: 'false' })
    }
  }
  return spelled
}

/** The values of all flags: a flag wins over its variables, and they over the default. */
export function readValues<Values>(
  { texts }: Arguments,
  flags: FlagTable<Values>,
  env: Environment,
): CliOutcome<FlagValues<Values>> {
  const values: { [name: string]: FlagValue<unknown> } = {}
  for (const [name, flag] of Object.entries<Flag<unknown>>(flags)) {
    const found = texts.get(name) ?? fromEnvironment(flag.env, env)
    const value = readValue(flag, found, env)
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
  env: Environment,
): CliOutcome<FlagValue<unknown>> {
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
  if (first === undefined) {
    const value = flag.defaultIn?.(env) ?? flag.default
    return { ok: true, value: { value, from: undefined } }
  }
  const value = flag.type.combine === undefined ? values[0] : flag.type.combine(values)
  return { ok: true, value: { value, from: first.from } }
}
