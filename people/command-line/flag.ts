/**
 * One thing to set, by a flag, a variable or both: help, the parser, messages and the table in
 * docs/people.md are made from this row.
 */
export interface Flag<Value> {
  /** Undefined for a secret, which a list of processes would show. */
  readonly flag?: string
  /** Undefined for a flag of a command. */
  readonly env?: string
  /** The placeholder of the value in help; a switch has none. */
  readonly placeholder: string | undefined
  readonly doc: string
  readonly fallback: Value
  /** The default as help shows it, if `fallback` alone would not be clear. */
  readonly defaultText?: string
  /** Whether it is required. */
  readonly isRequired?: boolean
  /** Whether its text may contain a secret, which messages must not show. */
  readonly isSecret?: boolean
  /** The valid values in words, for messages. */
  readonly expected: string
  /** The value, or undefined for text that is not valid. */
  read(text: string): Value | undefined
}

/** A row for each value. */
export type FlagTable<Values> = { readonly [Name in keyof Values]: Flag<Values[Name]> }

/** The part of a row that a kind of value decides. */
type Kind<Value> = Pick<Flag<Value>, 'placeholder' | 'expected' | 'read'>

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

/** The spelling of a flag in help: `--port <integer>`, `--[no-]seed`. */
export function spellingOf({ flag, placeholder }: Flag<unknown>): string {
  return placeholder === undefined ? `--[no-]${flag}` : `--${flag} <${placeholder}>`
}

/** The default as help and the docs show it. */
export function defaultOf({ defaultText, fallback }: Flag<unknown>): string {
  return defaultText ?? String(fallback)
}
