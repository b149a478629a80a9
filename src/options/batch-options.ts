import {
  count,
  resolveNumbers,
  shapesOf,
  type NumberRows,
  type Resolved,
} from '../shapes/number-row.js'
import { objectOf, type Shape } from '../shapes/shape.js'
import { numberFrom } from '../shapes/shapes.js'

/** Limits of batches: of lists of requests, and of lists of variables. */
export interface BatchNumbers {
  /** Maximum number of operations in a batch. Each entry of a list of variables counts. Default: 10. */
  readonly maxOperations?: number | undefined
  /** Maximum cost of all operations of a batch together. Each operation must also be within the limits that it has alone. Default: 25,000. */
  readonly maxCost?: number | undefined
  /** Maximum number of queries of a batch that run at once. Mutations run alone. Default: 4. */
  readonly maxConcurrent?: number | undefined
}

export type BatchSettings = Resolved<BatchNumbers>

export const batchRows: NumberRows<BatchNumbers> = {
  maxOperations: count(10, {
    doc: 'Maximum number of operations in a batch.',
    note: 'Each entry of a list of variables counts.',
    flag: 'batch-max-operations',
    refusal: '413',
    why: 'without it, one request could avoid all limits of a request any number of times',
  }),
  maxCost: {
    doc: 'Maximum cost of all operations of a batch together.',
    note: 'Each operation must also be within the limits that it has alone.',
    default: 25_000,
    flag: 'batch-max-cost',
    refusal: '422',
    why: 'a batch is one request: it has one place among those in flight, and one time limit',
  },
  maxConcurrent: count(4, {
    doc: 'Maximum number of queries of a batch that run at once.',
    note: 'Mutations run alone.',
    flag: 'batch-max-concurrent',
    refusal: 'further ones wait',
    why: 'a batch must not take more than its share of the backends, nor hold all its results in memory at once',
  }),
}

export const batchShape: Shape = objectOf<BatchNumbers>('{ maxOperations: 10 }', {
  ...shapesOf(batchRows),
  maxCost: numberFrom(0, Infinity), // weights in a schema may be fractions
})

/** Fills in the defaults; undefined if batches are not accepted. */
export function resolveBatch(options: BatchNumbers | undefined): BatchSettings | undefined {
  return options && resolveNumbers<BatchNumbers>(batchRows, options)
}
