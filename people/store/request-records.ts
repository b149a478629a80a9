/** Who writes, and in which request. */
export interface Actor {
  /** Such as `key:demo`, `login:ann@example.org` or `anonymous`. */
  readonly principal: string
  readonly requestId: string
}

/** What can be done to a person. */
export type AuditOperation =
  | 'create'
  | 'update'
  | 'replace'
  | 'remove'
  | 'befriend'
  | 'unfriend'
  | 'send'

/** One write to one person, committed together with it. */
export interface AuditEntry {
  /** Greater for a later entry. */
  readonly id: number
  /** RFC 3339, UTC. */
  readonly at: string
  readonly principal: string
  readonly operation: AuditOperation
  readonly personId: string
  /** Null before the first version, and for messages. */
  readonly versionBefore: number | null
  /** Null after the last version, and for messages. */
  readonly versionAfter: number | null
  readonly requestId: string
}

/** Which entries are wanted; absent members do not restrict them. */
interface AuditFilter {
  readonly personId?: string | undefined
  readonly principal?: string | undefined
  /** At this time or later. */
  readonly since?: Date | undefined
  /** Before this time. */
  readonly until?: Date | undefined
  readonly limit: number
}

export interface AuditStore {
  /** The latest entries, in order. */
  list(filter: AuditFilter): Promise<readonly AuditEntry[]>
  /** Deletes entries from before a time, at most `most` of them; returns how many. */
  prune(before: Date, most: number): Promise<number>
}

/** A request with an `Idempotency-Key`. */
export interface KeyedRequest {
  readonly principal: string
  readonly key: string
  /** A digest of the request; equal for a repetition. */
  readonly fingerprint: string
}

/** A response as it is stored. */
export interface KeptResponse {
  readonly status: number
  readonly headers: readonly string[]
  readonly body: string
}

/**
 * How a keyed request ended: its work was done and committed now or before, or nothing was written: another request with the key is
 * running, the key belongs to another request, the principal has too many keys, or the work itself gave a reason.
 */
export type KeyedOutcome<Reason> =
  | { readonly kind: 'done' | 'kept'; readonly response: KeptResponse }
  | { readonly kind: 'running' | 'other' }
  /** In so many seconds there is room for another key. */
  | { readonly kind: 'full'; readonly retryAfter: number }
  | { readonly kind: 'undone'; readonly reason: Reason }
