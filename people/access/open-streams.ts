import { failure, success, type Denial } from 'graphwire'
import { ownerOf, type Limits, type Principal } from './principal.js'

export type OpenStreams = ReturnType<typeof createOpenStreams>

/** Counts the streams of each key, login and address that are open at this instance. */
export function createOpenStreams(limits: Limits) {
  const counts = new Map<string, number>()
  const countOf = (identity: string): number => counts.get(identity) ?? 0

  const deny = (principal: Principal): Denial | undefined => {
    const { kind, identity, limit } = ownerOf(principal, limits)
    if (countOf(identity) < limit) return undefined
    const message = `Too many open streams: at most ${limit} for each ${kind}. Close one first.`
    return { kind: 'rate-limited', retryAfter: 10, message }
  }
  return {
    deny,
    /** Counts a stream until the returned function is called, once. Fails if there are too many. */
    take(principal: Principal) {
      const denial = deny(principal)
      if (denial !== undefined) return failure(denial)
      const { identity } = ownerOf(principal, limits)
      counts.set(identity, countOf(identity) + 1)
      return success((): void => {
        if (countOf(identity) > 1) counts.set(identity, countOf(identity) - 1)
        else counts.delete(identity)
      })
    },
  }
}
