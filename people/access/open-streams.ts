import { failure, success, type Denial, type Outcome } from 'graphwire'
import { ownerOf, type Principal } from './principal.js'

/** How many streams a client may have open at this instance. */
export interface StreamLimits {
  readonly perKey: number
  readonly perAddress: number
}

/** Counts the open streams of each key, login and address. */
export interface OpenStreams {
  /** Why the client may not open another stream. */
  deny(principal: Principal): Denial | undefined
  /** Counts a stream until the returned function is called, unless there are too many. */
  take(principal: Principal): Outcome<() => void, Denial>
}

/** How long a client should wait that has too many, in seconds. */
const retryAfter = 10

export function createOpenStreams(limits: StreamLimits): OpenStreams {
  const counts = new Map<string, number>()

  const deny = ({ kind, identity, limit }: ReturnType<typeof ownerOf>): Denial | undefined => {
    if ((counts.get(identity) ?? 0) < limit) return undefined
    const message = `Too many open streams: at most ${limit} for each ${kind}. Close one first.`
    return { kind: 'rate-limited', retryAfter, message }
  }
  const add = (identity: string, change: 1 | -1): void => {
    const count = (counts.get(identity) ?? 0) + change
    if (count === 0) counts.delete(identity)
    else counts.set(identity, count)
  }
  return {
    deny: (principal) => deny(ownerOf(principal, limits)),
    take(principal) {
      const owner = ownerOf(principal, limits)
      const denial = deny(owner)
      if (denial !== undefined) return failure(denial)
      add(owner.identity, 1)
      let isOpen = true
      return success(() => {
        if (isOpen) add(owner.identity, -1)
        isOpen = false
      })
    },
  }
}
