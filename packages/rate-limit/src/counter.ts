import type { MaybePromise } from 'graphwire'
import { sha256 } from 'graphwire/base'

/** How much of a limit is left. */
export interface Count {
  /** Whether the points were taken. Points that do not fit are not counted. */
  readonly isAllowed: boolean
  readonly remaining: number
  /** Seconds until the window ends. */
  readonly reset: number
}

/** A limit in a window of time. */
export interface Quota {
  /** The name of the limit, in the headers and in Redis. */
  readonly policy: string
  /** The client or key that the limit applies to. */
  readonly identity: string
  readonly limit: number
  /** In seconds. */
  readonly window: number
}

/** Counts points by policy and identity. The window of an identity begins with its first points. */
export interface PointCounter {
  take(quota: Quota, points: number): MaybePromise<Count>
}

/** Code without types can leave `window` out: without a number, nothing would be limited. */
export function checkTake({ limit, window }: Quota, points: number): void {
  if (limit >= 0 && window > 0 && points >= 0) return
  const got = JSON.stringify({ limit, window, points })
  throw new TypeError(`take: expected a window above 0, and a limit and points from 0, got ${got}.`)
}

const maxIdentityLength = 64
const maxHashedLength = 4096

/** An identity as part of a key. Counters keep it for a whole window, and a client may have written a megabyte. */
export function shortIdentity({ identity }: Quota): string {
  return identity.length <= maxIdentityLength
    ? identity
    : sha256(identity.slice(0, maxHashedLength))
}

/** Seconds for a message. */
export function inWords(seconds: number): string {
  return seconds === 1 ? '1 second' : `${seconds} seconds`
}

/** `left`: the milliseconds until the window ends. */
export function toCount({ limit }: Quota, used: number, isAllowed: boolean, left: number): Count {
  return {
    isAllowed,
    remaining: Math.max(0, limit - used),
    reset: Math.max(1, Math.ceil(Math.round(left) / 1000)),
  }
}
