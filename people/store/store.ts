import type { Outcome } from 'graphwire'

/** A person as it is stored; friends are loaded separately. */
export interface Person {
  readonly id: string
  readonly name: string
  readonly age: number | null
  readonly email: string | null
  /** Counts the writes to name, age, email and address; starts at 1. */
  readonly version: number
  readonly address: Address | null
}

/** Where a person lives. An address without any member counts as absent. */
export interface Address {
  readonly street: string | null
  readonly city: string | null
  readonly country: string | null
}

/** A whole person; absent members are null. */
export interface PersonInput {
  readonly name: string
  readonly age?: number | null | undefined
  readonly email?: string | null | undefined
  readonly address?: Partial<Address> | null | undefined
}

/** The changes to a person: absent members are kept, null clears; the address is merged part by part. */
export interface PersonPatch extends Partial<Omit<PersonInput, 'name'>> {
  readonly name?: string | undefined
}

/** A text that was sent to a person who still exists. */
export interface Message {
  readonly id: string
  readonly to: string
  readonly text: string
  /** RFC 3339, UTC, such as 2026-08-01T12:00:00.000Z. */
  readonly sentAt: string
}

export type Written = Outcome<Person, 'absent' | 'conflict'>

export type Unavailability = 'away' | 'busy' | 'full' | 'read-only'

/** The database cannot do this now; the same request may succeed later. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
  readonly reason: Unavailability

  constructor(
    message?: string,
    { reason = 'away', ...options }: ErrorOptions & { readonly reason?: Unavailability } = {},
  ) {
    super(message, options)
    this.reason = reason
  }
}

/** The database cannot be opened; the message says what was expected. */
export class StoreError extends Error {
  override readonly name = 'StoreError'
}

export interface StoreOptions {
  /** A path of a file, `:memory:`, or postgres://... */
  readonly database: string
  readonly now?: () => Date
  /** Sees each statement, for tests that count them and for metrics. */
  readonly onStatement?: (sql: string, milliseconds: number) => void
  /** How many changes are kept at least. Default: 1,000. */
  readonly keptChanges?: number
  /** Stored responses of each principal; unlimited if it is absent. */
  readonly keptKeys?: number
  /** Connections to PostgreSQL at most. Default: 10. */
  readonly poolSize?: number
}

/** The number of an id; 0, which no person has, for text that cannot be an id. */
export function toNumber(id: string): number {
  const number = /^[1-9]\d{0,15}$/.test(id) ? Number(id) : 0
  return Number.isSafeInteger(number) ? number : 0
}

/** Each number once, in order: two statements for the same rows then lock them in the same order. */
export function toNumbers(ids: readonly string[]): number[] {
  const numbers = ids.map(toNumber).filter((number) => number !== 0)
  return [...new Set(numbers)].toSorted((one, other) => one - other)
}
