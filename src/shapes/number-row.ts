import type { Shape, Shapes } from './shape.js'
import { maxInt32, wholeNumberFrom } from './shapes.js'

/**
 * Everything about a numeric option: its type, shape, setting, flag and variable come from this row, and the tables in docs/
 * from the comments above it. Editors show the first, whose end spec-tests/options/number-rows.test.ts compares with the row
 * and rewrites with UPDATE=1. The others say what happens beyond a limit, and why it exists.
 */
export interface NumberRow {
  readonly default: number
  /** Default: 0. */
  readonly least?: number
  /** Default: Infinity, which turns the option off. */
  readonly most?: number
  readonly unit?: 'ms' | 'bytes' | 'MiB'
  /** The flag of `graphwire serve` and, derived from it, the variable: `max-depth`, `GRAPHWIRE_MAX_DEPTH`. */
  readonly flag?: string
  /** What `--help` says of the flag. */
  readonly doc?: string
}

type RowDetails = Omit<NumberRow, 'default'>

/** A number of at least 0; Infinity turns it off, unless the row has a maximum. */
export function amount(value: number, details: RowDetails = {}): NumberRow {
  return { default: value, ...details }
}

/** The same of at least 1. */
export function limit(value: number, details: RowDetails = {}): NumberRow {
  return { default: value, least: 1, ...details }
}

/** A time that a timer can take. 0 is left out, since it often means "no limit". */
export function milliseconds(value: number, details: RowDetails = {}): NumberRow {
  return { default: value, least: 1, most: maxInt32, unit: 'ms', ...details }
}

export function bytes(value: number, details: RowDetails = {}): NumberRow {
  return { default: value, most: Number.MAX_SAFE_INTEGER, unit: 'bytes', ...details }
}

/** A number of something, of which there is at least one. */
export function count(value: number, details: RowDetails = {}): NumberRow {
  return limit(value, { most: maxInt32, ...details })
}

/** The rows of some options by name. */
export interface NumberRows {
  readonly [name: string]: NumberRow
}

/** The options that rows describe. Editors show the doc comments of the rows. */
export type NumbersOf<Rows> = { readonly [name in keyof Rows]?: number | undefined }

/** The options with their defaults filled in. */
export type Resolved<Rows> = { readonly [name in keyof Rows]-?: number }

/** `toShape` makes the shape of each number. */
export function shapesOf<Rows extends NumberRows>(
  rows: Rows,
  toShape: (least: number, most: number) => Shape = wholeNumberFrom,
): Shapes<NumbersOf<Rows>> {
  return mapRows(rows, ({ least = 0, most = Infinity }) => toShape(least, most))
}

export function resolveNumbers<Rows extends NumberRows>(
  rows: Rows,
  options: NumbersOf<Rows>,
): Resolved<Rows> {
  return mapRows(rows, (row, name) => options[name] ?? row.default)
}

function mapRows<Rows extends NumberRows, Value>(
  rows: Rows,
  map: (row: NumberRow, name: keyof Rows) => Value,
): { readonly [name in keyof Rows]-?: Value } {
  const named = Object.entries(rows).map(([name, row]) => [name, map(row, name)])
  return Object.fromEntries(named) as { [name in keyof Rows]-?: Value }
}
