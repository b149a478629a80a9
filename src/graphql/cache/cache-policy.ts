import type { CacheHint } from './cache-hint.js'

/** How a whole response may be stored. */
export interface CachePolicy {
  /** In seconds; `Infinity` if nothing says how long. */
  readonly maxAge: number
  /** Whether something is for the client alone. */
  readonly isPrivate: boolean
  /** Whether everything that has a lifetime of its own says that it is for everyone. */
  readonly isPublic: boolean
}

/** The policy of what says nothing. */
export const unrestricted: CachePolicy = { maxAge: Infinity, isPrivate: false, isPublic: true }

export const notStored: CachePolicy = { maxAge: 0, isPrivate: false, isPublic: false }

/** The policy of two parts together: the shorter lifetime, and private if one of them is. */
export function restrict(one: CachePolicy, other: CachePolicy): CachePolicy {
  const maxAge = Math.min(one.maxAge, other.maxAge)
  const isPrivate = one.isPrivate || other.isPrivate
  const isPublic = one.isPublic && other.isPublic
  const isSame = maxAge === one.maxAge && isPrivate === one.isPrivate && isPublic === one.isPublic
  return isSame ? one : { maxAge, isPrivate, isPublic }
}

/** A hint of a resolver can only shorten the lifetime, or make it private. */
export function restrictBy(
  policy: CachePolicy,
  { maxAge = Infinity, scope }: CacheHint,
): CachePolicy {
  return restrict(policy, { maxAge, isPrivate: scope === 'PRIVATE', isPublic: true })
}
