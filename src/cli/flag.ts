/** A flag of a command, as data: the parser, the help and the documentation all read it. */
export interface Flag<Value> {
  readonly type: FlagType<Value>
  readonly default: Value
  /** How help words the default where the value does not say it. */
  readonly defaultText?: string
  /** Environment variables that stand in for the flag; the first that is set wins. */
  readonly env: readonly string[]
  /** The heading of help under which it stands. */
  readonly group: string
  readonly doc: string
}

/** The flags of a command by name, without the dashes. */
export type FlagTable<Values> = { readonly [Name in keyof Values]: Flag<Values[Name]> }

/** A table whose values do not matter. */
export type AnyFlagTable = FlagTable<{ readonly [name: string]: unknown }>

/** A value, and the flag or variable that it came from; undefined is the default. */
export interface Given<Value> {
  readonly value: Value
  readonly from: string | undefined
}

/** The values of all flags of a table. */
export type GivenValues<Values> = { readonly [Name in keyof Values]: Given<Values[Name]> }

/** How text becomes a value. */
export interface FlagType<Value> {
  /** What stands behind the flag in help; a switch takes nothing. */
  readonly placeholder: string | undefined
  /** What a wrong value should have been. */
  readonly expected: string
  /** The value, or undefined where the text is none. */
  read(text: string): Value | undefined
  /** Makes one value of several; without it a flag may be given once. */
  combine?(values: readonly Value[]): Value
}

/** On or off: `--watch`, `--no-watch`, `--watch=false`. */
export const switchType: FlagType<boolean> = {
  placeholder: undefined,
  expected: 'true or false',
  read: (text) =>
    text === 'true' || text === '1' ? true : text === 'false' || text === '0' ? false : undefined,
}

/** Text that is not empty. */
export function textType(placeholder: string, expected: string): FlagType<string> {
  return { placeholder, expected, read: (text) => (text === '' ? undefined : text) }
}

/** A whole number within bounds. */
export function integerType(
  least: number,
  most: number,
  placeholder = 'integer',
): FlagType<number> {
  return {
    placeholder,
    expected: `a whole number from ${least} to ${most}`,
    read(text) {
      const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
      return value >= least && value <= most ? value : undefined
    },
  }
}

/** One of a few words. */
export function choiceType<Word extends string>(...words: readonly Word[]): FlagType<Word> {
  return {
    placeholder: words.join('|'),
    expected: words.join(' or '),
    read: (text) => words.find((word) => word === text),
  }
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
