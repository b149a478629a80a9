import type { Shape, Shapes } from './shape.js'
import { maxInt32, wholeNumberFrom } from './shapes.js'

/**
 * Everything about a numeric option. Its shape, its resolved setting, its flag and environment variable,
 * `--help` and the tables in docs/ are derived from this row. Editors show the doc comment of the interface
 * member; spec-tests/options/number-rows.test.ts compares it with the row, and rewrites it with UPDATE=1.
 */
export interface NumberRow {
  /** One sentence for editors, `--help` and the docs. */
  readonly doc: string
  /** A second sentence, for editors and the docs only. */
  readonly note?: string
  readonly default: number
  /** Default: 0. */
  readonly least?: number
  /** Default: Infinity, which turns the option off. */
  readonly most?: number
  readonly unit?: 'ms' | 'bytes' | 'MiB'
  /** The flag of `graphwire serve` and, derived from it, the variable: `max-depth`, `GRAPHWIRE_MAX_DEPTH`. */
  readonly flag?: string
  /** What happens beyond the limit, for the docs: usually a status. */
  readonly refusal?: string
  /** Why the limit exists, for the docs. */
  readonly why?: string
}

type RowDetails = Omit<NumberRow, 'default'>

/** A time that a timer can take. 0 is left out, since it often means "no limit". */
export function milliseconds(value: number, details: RowDetails): NumberRow {
  return { default: value, least: 1, most: maxInt32, unit: 'ms', ...details }
}

export function bytes(value: number, details: RowDetails): NumberRow {
  return { default: value, most: Number.MAX_SAFE_INTEGER, unit: 'bytes', ...details }
}

/** A limit of at least one; Infinity turns it off, unless the row has a maximum. */
export function limit(value: number, details: RowDetails): NumberRow {
  return { default: value, least: 1, ...details }
}

/** A number of something, of which there is at least one. */
export function count(value: number, details: RowDetails): NumberRow {
  return limit(value, { most: maxInt32, ...details })
}

/** A row for each number; a missing or surplus one does not compile. */
export type NumberRows<Options> = { readonly [name in keyof Options]-?: NumberRow }

/** The options with their defaults filled in. */
export type Resolved<Options> = { readonly [name in keyof Options]-?: number }

/** `toShape` makes the shape of each number. */
export function shapesOf<Options>(
  rows: NumberRows<Options>,
  toShape: (least: number, most: number) => Shape = wholeNumberFrom,
): Shapes<Options> {
  return mapRows(rows, ({ least = 0, most = Infinity }) => toShape(least, most))
}

export function resolveNumbers<Options>(
  rows: NumberRows<Options>,
  options: { readonly [name in keyof Options]?: number | undefined },
): Resolved<Options> {
  return mapRows<Options, number>(rows, (row, name) => options[name] ?? row.default)
}

function mapRows<Options, Value>(
  rows: NumberRows<Options>,
  map: (row: NumberRow, name: keyof Options) => Value,
): { readonly [name in keyof Options]-?: Value } {
  const names = Object.keys(rows) as (keyof Options)[]
  return Object.fromEntries(names.map((name) => [name, map(rows[name], name)])) as {
    [name in keyof Options]-?: Value
  }
}
