import { resolveHostOptions, type HostOptions, type HostSettings } from '../host-options.js'

/** What the Node hosts take besides the handler. */
export interface NodeHostOptions extends HostOptions {
  /**
   * How many bytes are read and dropped of a request that was answered before its end, so that the
   * client does not lose the answer. Default: 16 MiB.
   */
  readonly lingerBytes?: number
  /** How long they are read at most, in milliseconds. Default: 3,000. */
  readonly lingerTimeout?: number
}

/** The options with nothing left to decide. */
export interface NodeHostSettings extends HostSettings {
  readonly lingerBytes: number
  readonly lingerTimeout: number
}

/** Fills in the defaults. */
export function resolveNodeHostOptions(options: NodeHostOptions): NodeHostSettings {
  const { lingerBytes = 16 * 1024 * 1024, lingerTimeout = 3_000 } = options
  return { ...resolveHostOptions(options), lingerBytes, lingerTimeout }
}
