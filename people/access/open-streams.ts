import { failure, success, type Denial } from 'graphwire'
import { Shares } from 'graphwire/base'
import { ownerOf, type Limits, type Principal } from './principal.js'

export type OpenStreams = ReturnType<typeof createOpenStreams>

/** Counts the streams of each key, login and address that are open at this instance. */
export function createOpenStreams(limits: Limits) {
  // Each owner has a limit of their own, so that the shares themselves have none.
  const open = new Shares(Infinity, 100)
  const deny = (principal: Principal): Denial | undefined => {
    const { kind, identity, limit } = ownerOf(principal, limits)
    if (open.of(identity) < limit) return undefined
    const message = `Too many open streams: at most ${limit} for each ${kind}. Close one first.`
    return { kind: 'rate-limited', retryAfter: 10, message }
  }
  return {
    deny,
    /** Counts a stream until the returned function is called, once. Fails if there are too many. */
    take(principal: Principal) {
      const denial = deny(principal)
      if (denial !== undefined) return failure(denial)
      return success(open.take(ownerOf(principal, limits).identity))
    },
  }
}
