import { safeIdMaker, safeReporter } from '../report-bug.js'

/** What every host takes besides the handler. */
export interface HostOptions {
  /**
   * Gets faults of the host itself, with the id that the client saw; those of user functions go to
   * the handler's own `onBug`. Default: console.error.
   */
  onBug?(bug: unknown, details: { readonly id: string }): void
  /** Makes the id of such a fault. Default: crypto.randomUUID. */
  createId?(): string
}

/** The options with nothing left to decide; made once per host. */
export interface HostSettings {
  readonly onBug: (bug: unknown, details: { readonly id: string }) => void
  readonly createId: () => string
}

/** Fills in the defaults. */
export function resolveHostOptions(options: HostOptions): HostSettings {
  return {
    onBug: safeReporter(options.onBug?.bind(options)),
    createId: safeIdMaker(options.createId?.bind(options)),
  }
}
