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
  return {
    ...resolveHostOptions(options),
    lingerBytes: atLeastZero('lingerBytes', lingerBytes, Number.MAX_SAFE_INTEGER),
    lingerTimeout: atLeastZero('lingerTimeout', lingerTimeout, longestTimer),
  }
}

/** Node's timers take anything longer for 1 ms. */
const longestTimer = 2 ** 31 - 1

function atLeastZero(name: string, value: number, most: number): number {
  if (value >= 0 && value <= most) return value
  throw new TypeError(`${name}: expected a number from 0 to ${most}, got ${value}.`)
}
