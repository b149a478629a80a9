import { checkOptions, objectOf, wholeNumberFrom } from 'graphwire/base'
import {
  checkTake,
  shortIdentity,
  toCount,
  type Count,
  type PointCounter,
  type Quota,
} from './counter.js'

export interface MemoryCounterOptions {
  /** How many identities are counted for windows of one length; beyond that, the ones whose window began first go. Default: 100,000. */
  readonly maxIdentities?: number | undefined
}

interface Window {
  readonly end: number
  used: number
}

const shape = objectOf<MemoryCounterOptions>('{ maxIdentities: 100000 }', {
  maxIdentities: wholeNumberFrom(1),
})

/** Counts in this process. */
export function memoryCounter(options: MemoryCounterOptions = {}): PointCounter {
  checkOptions('memoryCounter', options, shape)
  return new MemoryCounter(options.maxIdentities ?? 100_000)
}

class MemoryCounter implements PointCounter {
  readonly #maxIdentities: number
  /** By their length: those of one length end in the order in which they began. */
  readonly #windows = new Map<number, Map<string, Window>>()

  constructor(maxIdentities: number) {
    this.#maxIdentities = maxIdentities
  }

  take(quota: Quota, points: number): Count {
    checkTake(quota, points)
    const now = performance.now()
    const { limit, window } = quota
    const key = JSON.stringify([quota.policy, shortIdentity(quota)])
    const known = this.#windows.get(window)?.get(key)
    const isOpen = known !== undefined && known.end > now
    const current = isOpen ? known : { end: now + 1000 * window, used: 0 }
    const isAllowed = current.used + points <= limit
    if (isAllowed) current.used += points
    // Points that a new window refuses exceed the limit itself: no window is needed.
    if (isAllowed && !isOpen) this.#open(window, key, current, now)
    return toCount(quota, current.used, isAllowed, current.end - now)
  }

  #open(length: number, key: string, window: Window, now: number): void {
    const windows = this.#windows.get(length) ?? new Map<string, Window>()
    this.#windows.set(length, windows)
    windows.delete(key)
    windows.set(key, window)
    for (const [first, { end }] of windows) {
      if (end > now && windows.size <= this.#maxIdentities) return
      windows.delete(first)
    }
  }
}
