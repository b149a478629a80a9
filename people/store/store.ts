import type { Outcome } from 'graphwire'
import type {
  Actor,
  AuditStore,
  KeptResponse,
  KeyedOutcome,
  KeyedRequest,
} from './request-records.js'

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

/** What to change: absent keeps, null clears; the address is merged part by part. */
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

/** Why a write did not happen. */
export type WriteFault = 'absent' | 'conflict'

export type Written = Outcome<Person, WriteFault>

interface PeoplePage {
  readonly people: readonly Person[]
  /** Whether there are more after the last one. */
  readonly hasMore: boolean
}

/** People, their addresses and friendships. No person has a malformed id. */
export interface PeopleStore {
  /** In order of creation; an `after` that no person has is a failure. */
  page(limit: number, after?: string): Promise<Outcome<PeoplePage, 'unknown-after'>>
  /** In one statement for all; absent ids are absent from the map. */
  byIds(ids: readonly string[]): Promise<ReadonlyMap<string, Person>>
  /** At most `limit` friends of each, in order of their creation; one statement for all. */
  friendsOf(ids: readonly string[], limit: number): Promise<ReadonlyMap<string, readonly Person[]>>
  create(input: PersonInput): Promise<Person>
  /** The version is compared inside the transaction. */
  update(id: string, patch: PersonPatch, ifVersion?: number): Promise<Written>
  replace(id: string, input: PersonInput, ifVersion?: number): Promise<Written>
  /** Ends the friendships of the person; messages to the person can no longer be read. */
  remove(id: string, ifVersion?: number): Promise<Written>
  /** Mutual, and not a write to either person: versions stay. Befriending twice has no further effect. */
  befriend(id: string, friend: string): Promise<Outcome<Person, 'absent' | 'friend-absent'>>
  unfriend(id: string, friend: string): Promise<Outcome<Person, 'absent' | 'friend-absent'>>
}

export interface MessageStore {
  send(to: string, text: string): Promise<Outcome<Message, 'absent'>>
  byId(id: string): Promise<Message | undefined>
}

/** The stores that a request reads and writes. */
export interface RequestStores {
  readonly people: PeopleStore
  readonly messages: MessageStore
}

/** Responses by key, for a day. */
export interface KeyedStore {
  /**
   * Does the work of a key once: what it writes through the stores it gets, and its response, are committed together or not at all. A
   * failure undoes everything. Throws a StoreUnavailable if it is not known to be committed.
   */
  once<Reason>(
    request: KeyedRequest,
    actor: Actor | undefined,
    work: (stores: RequestStores) => Promise<Outcome<KeptResponse, Reason>>,
  ): Promise<KeyedOutcome<Reason>>
  /** Deletes expired keys, at most `most` of them; returns how many. */
  sweep(most: number): Promise<number>
}

/** A committed write, at its place in the order of commits. */
export interface Change {
  /** 1 for the first change; each further one has the next number. */
  readonly position: number
  readonly kind: 'ADDED' | 'CHANGED' | 'REMOVED' | 'MESSAGE'
  /** The person, or the recipient of the message. */
  readonly personId: string
  /** As the change left it, with the address; null once the person has been removed. */
  readonly person: Person | null
  /** The message that was sent; null once the recipient has been removed. */
  readonly message: Message | null
}

/** What was written lately: at least the last 1,000 changes, and those of the last ten minutes. */
export interface ChangeStore {
  /** The position of the last change; 0 if there never was one. */
  last(): Promise<number>
  /** Those that follow a position, in order. If the first one is not the next, those between are no longer kept. */
  after(position: number, limit: number): Promise<readonly Change[]>
  /** Deletes what need not be kept. */
  prune(): Promise<void>
  /** Calls the listener whenever this store has committed a change. */
  listen(listener: () => void): void
}

export type Scope = 'read' | 'write'

/** An API key as it is stored, without the key itself. */
export interface KeyRecord {
  readonly name: string
  readonly scopes: readonly Scope[]
  /** Root fields per minute; null means the limit of the service. */
  readonly limit: number | null
  readonly createdAt: string
  readonly revokedAt: string | null
}

export interface NewKey {
  readonly name: string
  readonly hash: string
  readonly scopes: readonly Scope[]
  readonly limit: number | null
}

export interface KeyStore {
  /** False if the name is taken. */
  create(key: NewKey): Promise<boolean>
  /** The key of a hash, revoked ones too. */
  find(hash: string): Promise<KeyRecord | undefined>
  /** All keys by name, with what was counted on the day (YYYY-MM-DD, UTC). */
  list(day: string): Promise<readonly (KeyRecord & { readonly used: number })[]>
  /** False if no valid key has the name. */
  revoke(name: string): Promise<boolean>
  /** Adds counts by name of key. */
  addUsage(day: string, counts: ReadonlyMap<string, number>): Promise<void>
}

export interface LoginRecord {
  readonly login: string
  /** Made by the access layer; opaque here. */
  readonly passwordHash: string
  readonly scopes: readonly Scope[]
  readonly createdAt: string
}

export type NewLogin = Omit<LoginRecord, 'createdAt'>

export interface LoginStore {
  /** False if it is taken. */
  create(login: NewLogin): Promise<boolean>
  find(login: string): Promise<LoginRecord | undefined>
  list(): Promise<readonly LoginRecord[]>
  remove(login: string): Promise<boolean>
}

/** All stored data. Every method throws a StoreUnavailable while the database is unavailable. */
export interface Store extends RequestStores {
  /** The stores whose writes are recorded in the audit, under this name. */
  as(actor: Actor): RequestStores
  readonly audit: AuditStore
  readonly keyed: KeyedStore
  readonly changes: ChangeStore
  readonly keys: KeyStore
  readonly logins: LoginStore
  /** Creates a key and a login in one transaction; returns which of the two names were free. */
  createBoth(
    key: NewKey,
    login: NewLogin,
  ): Promise<{ readonly key: boolean; readonly login: boolean }>
  /** Whether the database was unavailable at the last statement; a locked or full one can still be read. */
  readonly isAway: boolean
  /** Whether the database responds within a second. */
  check(): Promise<boolean>
  /** Adds 100 people to a database that never had any; returns whether it did. */
  seed(): Promise<boolean>
  close(): Promise<void>
}

/** Why the database is unavailable. */
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

/** How to open a store. */
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
