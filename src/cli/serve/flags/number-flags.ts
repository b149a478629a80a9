import { limitRows } from '../../../graphql/limits/limits.js'
import {
  connectionRows,
  type ConnectionNumbers,
} from '../../../hosts/node/connection/connection-options.js'
import {
  nodeHostRows,
  type NodeHostNumbers,
} from '../../../hosts/node/exchange/node-host-options.js'
import { requestRows, type NumericOptions } from '../../../options/numeric-options.js'
import { streamRows } from '../../../options/stream-options.js'
import type { NumberRow, NumberRows } from '../../../shapes/number-row.js'
import { rowFlag, type AnyFlagTable, type AnyFlagValues } from '../../arguments/flag.js'

/** The numeric options of a server; those whose row has a flag can be set by it. */
export interface ServedNumbers extends NumericOptions, NodeHostNumbers, ConnectionNumbers {}

/** The rows of the numeric options. */
export const servedRows: NumberRows<ServedNumbers> = {
  ...requestRows,
  ...streamRows,
  ...limitRows,
  ...nodeHostRows,
  ...connectionRows,
}

type AnyRows = { readonly [option: string]: NumberRow }

/** The flags of the rows that have one, each with the variable of its name. */
export function numberFlags(rows: AnyRows, group: string): AnyFlagTable {
  const named = Object.values(rows).flatMap((row) => {
    const { flag } = row
    return flag === undefined ? [] : [[flag, rowFlag(row, group, [variableOf(flag)])] as const]
  })
  return Object.fromEntries(named)
}

/** The numbers set by flags or variables, by the names of their options. */
export function numbersOf<Options>(
  rows: NumberRows<Options>,
  values: AnyFlagValues,
): { readonly [name in keyof Options]?: number } {
  const named = Object.entries<NumberRow>(rows).flatMap(([option, { flag = '' }]) => {
    const one = values[flag]
    return one?.from === undefined ? [] : [[option, one.value] as const]
  })
  // `rowFlag` has made a number of each.
  return Object.fromEntries(named) as { [name in keyof Options]?: number }
}

function variableOf(flag: string): string {
  return `GRAPHWIRE_${flag.toUpperCase().replaceAll('-', '_')}`
}
