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
    onBug: options.onBug?.bind(options) ?? reportBug,
    createId: options.createId?.bind(options) ?? (() => crypto.randomUUID()),
  }
}

function reportBug(bug: unknown, { id }: { readonly id: string }): void {
  console.error(`graphwire: bug ${id} of the host`, bug)
}
