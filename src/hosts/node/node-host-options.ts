import { resolveHostOptions, type HostOptions, type HostSettings } from '../host-options.js'
import { BodyBudget } from './body-budget.js'
import { checkNumber, longestTimer } from './check-number.js'

/** What the Node hosts take besides the handler. */
export interface NodeHostOptions extends HostOptions {
  /**
   * How many bytes are read and dropped of a request that was answered before its end, so that the
   * client does not lose the answer. Default: 16 MiB.
   */
  readonly lingerBytes?: number | undefined
  /** How long they are read at most, in milliseconds. Default: 3,000. */
  readonly lingerTimeout?: number | undefined
  /**
   * How long a client may take to read a whole answer, in milliseconds, counted from when it was
   * written; then it is cut off. A framework that sends by itself is left alone. Default: 30,000.
   */
  readonly sendTimeout?: number | undefined
  /**
   * How many bytes of unfinished bodies a listener keeps, of each the first 64 KiB not counted; then
   * 503. Default: 256 MiB.
   */
  readonly maxBufferedBytes?: number | undefined
}

/** The options with nothing left to decide. */
export interface NodeHostSettings extends HostSettings {
  readonly lingerBytes: number
  readonly lingerTimeout: number
  readonly sendTimeout: number
  readonly bodies: BodyBudget
}

const MiB = 1024 * 1024

/** Fills in the defaults. */
export function resolveNodeHostOptions(options: NodeHostOptions): NodeHostSettings {
  const { lingerBytes = 16 * MiB, lingerTimeout = 3_000, sendTimeout = 30_000 } = options
  const { maxBufferedBytes = 256 * MiB } = options
  return {
    ...resolveHostOptions(options),
    lingerBytes: checkNumber('lingerBytes', lingerBytes, 0),
    lingerTimeout: checkNumber('lingerTimeout', lingerTimeout, 0, longestTimer),
    sendTimeout: checkNumber('sendTimeout', sendTimeout, 1, longestTimer),
    bodies: new BodyBudget(checkNumber('maxBufferedBytes', maxBufferedBytes, 0)),
  }
}
