import type { Shapes } from '../shapes/shape.js'
import { aFunction } from '../shapes/shapes.js'
import { safeIdMaker, safeReporter } from '../options/report.js'

/** What every host takes besides the handler. */
export interface HostOptions {
  /**
   * Receives bugs of the host itself with the id that the client saw; errors of user functions go to the
   * `onBug` of the handler. Default: console.error.
   */
  onBug?(bug: unknown, details: { readonly id: string }): void
  /** Creates that id. Default: crypto.randomUUID. */
  createId?(): string
}

/** What each option may be. Every option has a row, or this does not compile. */
export const hostShapes: Shapes<HostOptions> = { onBug: aFunction, createId: aFunction }

/** The resolved options; made once per host. */
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

/** What the first argument of a host must be. */
export const aHandler = 'a handler such as createHandler makes'
