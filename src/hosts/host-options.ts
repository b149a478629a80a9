import { checkOptions, objectOf, type Shape, type Shapes } from '../shapes/shape.js'
import { aFunction, checkFunction } from '../shapes/shapes.js'
import { safeIdMaker, safeReporter } from '../options/report.js'

export interface HostOptions {
  /**
   * Receives bugs of the host itself with the id that the client saw; errors of user functions go to the
   * `onBug` of the handler. Default: prints them.
   */
  onBug?(bug: unknown, details: { readonly id: string }): void
  /** Creates that id. Default: crypto.randomUUID. */
  createId?(): string
}

export const hostShapes: Shapes<HostOptions> = { onBug: aFunction, createId: aFunction }

export interface HostSettings {
  readonly onBug: (bug: unknown, details: { readonly id: string }) => void
  readonly createId: () => string
}

export function resolveHostOptions(options: HostOptions): HostSettings {
  return {
    onBug: safeReporter(options.onBug?.bind(options)),
    createId: safeIdMaker(options.createId?.bind(options)),
  }
}

export const aHandler = 'a handler, such as createHandler makes'

const hostShape = objectOf<HostOptions>('{ onBug }', hostShapes)

export function checkHost(
  caller: string,
  handler: unknown,
  options: HostOptions,
  shape: Shape = hostShape,
): void {
  checkFunction(caller, aHandler, handler)
  checkOptions(caller, options, shape)
}
