import type { CloseReport } from '../../../hosts/node/index.js'
import type { CliError } from '../../process/cli-error.js'
import type { Samples } from '../metrics/samples.js'
import type { Fact } from '../start/banner.js'

/** What a worker sends to the primary process. */
export type WorkerMessage =
  | {
      readonly kind: 'ready'
      readonly path: string
      readonly isSecure: boolean
      readonly facts: readonly Fact[]
    }
  | { readonly kind: 'failed'; readonly error: CliError }
  /** The socket of this number has arrived. */
  | { readonly kind: 'took'; readonly id: number }
  /** It got a signal to end that is not from the primary, and waits for permission. */
  | { readonly kind: 'leaving' }
  /** Asks for the metrics of all workers. */
  | { readonly kind: 'collect'; readonly id: number }
  /** Its own metrics, on request or as it ends. */
  | { readonly kind: 'metrics'; readonly id: number; readonly metrics: Samples }
  /** The last message. */
  | { readonly kind: 'drained'; readonly report: CloseReport }

/** What the primary process sends to a worker. The channel keeps the order. */
export type PrimaryMessage =
  | { readonly kind: 'socket'; readonly id: number }
  | { readonly kind: 'unready' }
  /** Asks for its metrics. */
  | { readonly kind: 'count'; readonly id: number }
  /** The metrics of all workers, as it asked. */
  | { readonly kind: 'collected'; readonly id: number; readonly metrics: Samples }
  | { readonly kind: 'drain'; readonly times: DrainTimes }

/** How long a worker may take to end, in milliseconds. */
export interface DrainTimes {
  readonly grace: number
  readonly spread: number
  readonly deadline: number
}
