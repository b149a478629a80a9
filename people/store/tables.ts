import type { ColumnType, Generated } from 'kysely'

/** The tables of both databases, which `migrations.ts` makes. */
export interface Tables {
  readonly persons: {
    readonly id: Generated<number>
    readonly name: string
    readonly age: number | null
    readonly email: string | null
    readonly version: Generated<number>
  }
  readonly addresses: {
    readonly person_id: number
    readonly street: string | null
    readonly city: string | null
    readonly country: string | null
  }
  /** A friendship is two rows, one for each side. */
  readonly friendships: {
    readonly person_id: number
    readonly friend_id: number
  }
  /** No foreign key: messages stay when a person is deleted. */
  readonly messages: {
    readonly id: Generated<number>
    readonly to_id: number
    readonly text: string
    readonly sent_at: string
  }
  readonly changes: {
    readonly id: Generated<number>
    /** Null until it is given, behind those of all changes that were committed before. */
    readonly position: number | null
    readonly kind: string
    readonly person_id: number
    /** JSON; null when the person has been removed. */
    readonly body: ColumnType<string | null, string | null, null>
    readonly changed_at: string
  }
  /** One row with the position of the last change. */
  readonly change_clock: {
    readonly position: number
  }
  /** API keys; only hashes of them are stored. */
  readonly api_keys: {
    readonly name: string
    readonly hash: string
    readonly scopes: string
    readonly limit_per_minute: number | null
    readonly created_at: string
    readonly revoked_at: ColumnType<string | null, undefined, string>
  }
  /** How often a key was used on a day. */
  readonly key_usage: {
    readonly key_name: string
    readonly day: string
    readonly used: number
  }
  readonly logins: {
    readonly login: string
    readonly password_hash: string
    readonly scopes: string
    readonly created_at: string
  }
  /** The responses to requests with an `Idempotency-Key`. */
  readonly idempotency_keys: {
    readonly principal: string
    readonly key: string
    readonly fingerprint: string
    readonly status: number
    /** A flat list as JSON. */
    readonly headers: string
    readonly body: string
    readonly created_at: string
  }
  /** Who has written which person. No foreign key: entries stay when a person is deleted. */
  readonly audit: {
    readonly id: Generated<number>
    readonly at: string
    readonly principal: string
    readonly operation: string
    readonly person_id: number
    readonly version_before: number | null
    readonly version_after: number | null
    readonly request_id: string
  }
}

/** The databases that the tables can be in. */
export type BackendName = 'sqlite' | 'postgres'
