import type { CloseReport } from '../../hosts/node/index.js'
import type { CliError } from '../cli-error.js'
import type { Fact } from './banner.js'

/** What a worker tells the primary. */
export type WorkerMessage =
  | { readonly kind: 'ready'; readonly path: string; readonly facts: readonly Fact[] }
  | { readonly kind: 'failed'; readonly error: CliError }
  /** Has the socket of this number. */
  | { readonly kind: 'took'; readonly id: number }
  /** Was told by somebody else to end, and waits to be let go. */
  | { readonly kind: 'leaving' }
  /** The last word. */
  | { readonly kind: 'drained'; readonly report: CloseReport }

/** What the primary tells a worker; what it has sent before, the worker has got before. */
export type PrimaryMessage =
  | { readonly kind: 'socket'; readonly id: number }
  | { readonly kind: 'unready' }
  | { readonly kind: 'drain'; readonly times: DrainTimes }

/** How long a worker may take to end, in milliseconds. */
export interface DrainTimes {
  readonly grace: number
  readonly deadline: number
}
