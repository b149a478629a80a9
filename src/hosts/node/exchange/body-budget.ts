import { ByteBudget } from '../../../base/byte-budget.js'
import { createClientOf, type ClientOf } from './client-of.js'

/** Bytes of each body that are not counted: most bodies are smaller, and many of these are harmless. */
export const freeBytes: number = 64 * 1024

/** The limits of all bodies of a listener. */
interface BudgetRules {
  readonly maxBufferedBytes: number
  readonly maxSmallChunks: number
  readonly clientShare: number
  readonly trustedProxies: number
}

/**
 * How many bytes of bodies a listener takes until their requests have a response, and of one client. Each body has a limit, but
 * a thousand that are nearly complete would hold a gigabyte, and JSON takes up to 23 times its bytes once it is parsed.
 */
export interface BodyBudget {
  /** How many chunks of less than 64 bytes each body may have. */
  readonly maxSmallChunks: number
  readonly bytes: ByteBudget
  readonly clientOf: ClientOf
}

export function createBodyBudget(rules: BudgetRules): BodyBudget {
  return {
    maxSmallChunks: rules.maxSmallChunks,
    bytes: new ByteBudget(rules.maxBufferedBytes, rules.clientShare),
    clientOf: createClientOf(rules.trustedProxies),
  }
}
