import type { CliError } from '../cli-error.js'
import type { Fact } from './banner.js'

/** What a worker tells the primary. */
export type WorkerMessage =
  | { readonly kind: 'ready'; readonly url: string; readonly facts: readonly Fact[] }
  | { readonly kind: 'failed'; readonly error: CliError }
  /** Takes no new connections; requests that it has are still answered. */
  | { readonly kind: 'draining' }

/** What the primary tells a worker. */
export interface PrimaryMessage {
  readonly kind: 'drain'
}
