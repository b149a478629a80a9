import {
  amount,
  count,
  resolveNumbers,
  shapesOf,
  type NumbersOf,
  type Resolved,
} from '../shapes/number-row.js'
import { objectOf, type Shape } from '../shapes/shape.js'
import { numberFrom } from '../shapes/shapes.js'

export type BatchSettings = Resolved<BatchNumbers>

export const batchRows = {
  /** Maximum number of operations in a batch. Each entry of a list of variables counts. Default: 10. */
  // Beyond it: 413. Reason: without it, one request could avoid all limits of a request any number
  // of times.
  maxOperations: count(10, {
    doc: 'Maximum number of operations in a batch.',
    flag: 'batch-max-operations',
  }),
  /** Maximum cost of all operations of a batch together. Each operation must also be within the limits that it has alone. Default: 25,000. */
  // Beyond it: 422. Reason: a batch is one request: it has one place among those in flight, and one
  // time limit.
  maxCost: amount(25_000, {
    doc: 'Maximum cost of all operations of a batch together.',
    flag: 'batch-max-cost',
  }),
  /** Maximum number of queries of a batch that run at once. Mutations run alone. Default: 4. */
  // Beyond it: further ones wait. Reason: a batch must not take more than its share of the
  // backends, nor hold all its results in memory at once.
  maxConcurrent: count(4, {
    doc: 'Maximum number of queries of a batch that run at once.',
    flag: 'batch-max-concurrent',
  }),
}

/** Limits of batches: of lists of requests, and of lists of variables. */
export type BatchNumbers = NumbersOf<typeof batchRows>

export const batchShape: Shape = objectOf<BatchNumbers>('{ maxOperations: 10 }', {
  ...shapesOf(batchRows),
  maxCost: numberFrom(0, Infinity), // weights in a schema may be fractions
})

/** Fills in the defaults; undefined if batches are not accepted. */
export function resolveBatch(options: BatchNumbers | undefined): BatchSettings | undefined {
  return options && resolveNumbers(batchRows, options)
}
