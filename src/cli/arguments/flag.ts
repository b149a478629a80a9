import type { NumberRow, NumberRows, NumbersOf } from '../../shapes/index.js'
import { describeWholeNumber } from '../../shapes/shapes.js'
import { findEdition, type EditionName } from '../../conformance/suite/editions.js'

/** A flag of a command, as data: the parser, the help and the documentation all read it. */
export interface Flag<Value> {
  readonly type: FlagType<Value>
  readonly default: Value
  /** The default in an environment; undefined means `default`. */
  readonly defaultIn?: (env: { readonly [name: string]: string | undefined }) => Value
  /** The default as help shows it, if the value alone would not be clear. */
  readonly defaultText?: string
  /** Environment variables that can replace the flag; the first that is set wins. */
  readonly env: readonly string[]
  /** Its heading in help. */
  readonly group: string
  readonly doc: string
}

/** The flags of a command by name, without the dashes. */
export type FlagTable<Values> = { readonly [Name in keyof Values]: Flag<Values[Name]> }

/** The values of the flags of a table by name. */
export type ValuesOf<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends Flag<infer Value> ? Value : never
}

/** Makes the flags of a group from their type, default, doc and the members that only few have. */
export function inGroup(
  group: string,
): <Value>(
  type: FlagType<Value>,
  initial: Value,
  doc: string,
  more?: Partial<Flag<Value>>,
) => Flag<Value> {
  return (type, initial, doc, more) => ({ type, default: initial, env: [], group, doc, ...more })
}

/** Adds the variable of its name to each flag, before its own ones. */
export function withVariables<Table extends object>(flags: Table): Table {
  const named = Object.entries(flags as AnyFlagTable).map(([name, flag]) => {
    const variable = `GRAPHWIRE_${name.toUpperCase().replaceAll('-', '_')}`
    return [name, { ...flag, env: [variable, ...flag.env] }] as const
  })
  return Object.fromEntries(named) as Table
}

export type AnyFlagTable = FlagTable<{ readonly [name: string]: unknown }>

/** A value, and the flag or variable that it came from; undefined means the default. */
export interface FlagValue<Value> {
  readonly value: Value
  readonly from: string | undefined
}

/** A flag or variable overrides a file, and the file the default. */
export function choose<Value>({ value, from }: FlagValue<Value>, inFile: Value | undefined): Value {
  return from === undefined ? (inFile ?? value) : value
}

export type FlagValues<Values> = { readonly [Name in keyof Values]: FlagValue<Values[Name]> }

export type AnyFlagValues = FlagValues<{ readonly [name: string]: unknown }>

/** How text becomes a value. */
export interface FlagType<Value> {
  /** The placeholder of the value in help; a switch has none. */
  readonly placeholder: string | undefined
  /** The valid values in words, for messages. */
  readonly expected: string
  /** The value, or undefined for text that is not valid. */
  read(text: string): Value | undefined
  /** Combines several values into one; a flag without it cannot be repeated. */
  combine?(values: readonly Value[]): Value
}

/** On or off: `--watch`, `--no-watch`, `--watch=false`. */
export const switchType: FlagType<boolean> = {
  placeholder: undefined,
  expected: 'true or false',
  read: (text) =>
    text === 'true' || text === '1' ? true : text === 'false' || text === '0' ? false : undefined,
}

/** `--json` of every command that has it. */
export const jsonFlag: Flag<boolean> = inGroup('Output')(switchType, false, 'Print JSON.')

/** Text that is not empty. */
export function textType(placeholder: string, expected: string): FlagType<string> {
  return { placeholder, expected, read: (text) => (text === '' ? undefined : text) }
}

export function integerType(least: number, most: number, unit = 'integer'): FlagType<number> {
  return {
    placeholder: unit,
    expected: describeWholeNumber(least, most),
    read(text) {
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
      return value >= least && value <= most ? value : undefined
    },
  }
}

/** The flag of a numeric option. A flag cannot be set to Infinity, which is shown as "off": leave the flag out instead. */
export function rowFlag(row: NumberRow, group: string, env: readonly string[] = []): Flag<number> {
  const { doc = '', least = 0, most = Infinity, unit } = row
  const more = row.default === Infinity ? { env, defaultText: 'off' } : { env }
  return inGroup(group)(integerType(least, most, unit), row.default, doc, more)
}

export function numberFlags(rows: { readonly [option: string]: NumberRow }, group: string): object {
  const named = Object.values(rows).flatMap((row) =>
    row.flag === undefined ? [] : [[row.flag, rowFlag(row, group)] as const],
  )
  return Object.fromEntries(named)
}

/** The numbers set by flags or variables, by the names of their options. */
export function numbersOf<Rows extends NumberRows>(rows: Rows, values: object): NumbersOf<Rows> {
  const named = Object.entries<NumberRow>(rows).flatMap(([option, { flag = '' }]) => {
    const one = (values as AnyFlagValues)[flag]
    return one?.from === undefined ? [] : [[option, one.value] as const]
  })
  // `rowFlag` has made a number of each.
  return Object.fromEntries(named) as NumbersOf<Rows>
}

export function choiceType<Word extends string>(...words: readonly Word[]): FlagType<Word> {
  return {
    placeholder: words.join('|'),
    expected: describeWords(words),
    read: (text) => words.find((word) => word === text),
  }
}

/** An edition of the list, by its name or an alias such as september2026. */
export function editionType<Name extends EditionName>(...names: readonly Name[]): FlagType<Name> {
  const type = choiceType(...names)
  return { ...type, read: (text) => type.read(findEdition(text) ?? '') }
}

export function describeWords(words: readonly string[]): string {
  return words.length > 2 ? `one of ${words.join(', ')}` : words.join(' or ')
}

/** Several values: the flag given several times, or with commas. */
export function listType<Item>(type: FlagType<Item>): FlagType<readonly Item[]> {
  return {
    placeholder: `${type.placeholder},...`,
    expected: `a list of ${type.expected}`,
    read(text) {
      const items = text.split(',').map((item) => type.read(item))
      return items.every((item) => item !== undefined) ? items : undefined
    },
    combine: (lists) => lists.flat(),
  }
}
