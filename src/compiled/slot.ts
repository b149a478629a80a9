import type { GraphQLError, GraphQLResolveInfo } from 'graphql'
import type { Path, ValuePlan } from './plan.js'

/**
 * The state of a slot. `failed`: its failure is on the way to a parent. `dead`: it became null, and nothing below it is
 * reported any more.
 */
export type SlotState = 'waits' | 'done' | 'failed' | 'dead'

/** The final content of a slot. `undefined`: the bytes between its start and its end. */
export type Content = string | WrittenSegment | readonly Piece[] | LeafValue | undefined

export type Piece = string | Slot

/** Waits until a slot is done. */
export interface Waiter {
  done(): void
}

/**
 * A part of the response that is not certain yet: a value that waits, or a nullable position with
 * anything below it that waits. Only such positions have one.
 */
export class Slot {
  readonly plan: ValuePlan | undefined
  readonly path: Path | undefined
  readonly info: GraphQLResolveInfo | undefined
  /** Where it is in the bytes of its segment. */
  readonly start: number
  readonly end: number
  content: Content = undefined
  state: SlotState = 'waits'
  /** The slot around it. Undefined for the whole response, and for what was abandoned. */
  owner: Slot | undefined = undefined
  /** How many slots directly below it wait. */
  pending = 0
  /** Whether its own value came, or is to come, from a promise. */
  readonly isLate: boolean
  /** A failure that waits until those below have settled. */
  held: GraphQLError | undefined = undefined
  /** While an asynchronous list is read: the failure of an item, which counts once it has been read. */
  reading: { failure: GraphQLError | undefined } | undefined = undefined
  /** Called when it is done. */
  waiter: Waiter | undefined = undefined

  constructor(
    plan: ValuePlan | undefined,
    path: Path | undefined,
    info: GraphQLResolveInfo | undefined,
    start: number,
    end: number,
    isLate: boolean,
  ) {
    this.plan = plan
    this.path = path
    this.info = info
    this.start = start
    this.end = end
    this.isLate = isLate
  }
}

/** Whether it, or something around it, became null. */
export function isDead(slot: Slot): boolean {
  for (let at: Slot | undefined = slot; at !== undefined; at = at.owner) {
    if (at.state === 'dead') return true
  }
  return false
}

/** What was written without waiting, with the slots in it: those inside a slot are before it. */
export interface WrittenSegment {
  readonly text: string
  /** Set if a character may have several bytes. */
  readonly bytes: Uint8Array | undefined
  readonly base: number
  readonly slots: readonly Slot[]
}

/** A value that JSON is made of at the end, as graphql-js does: resolvers may change it until then. */
export interface LeafValue {
  readonly value: unknown
  /** The name of its member, or its index. `toJSON` gets it. */
  readonly key: string
  /** The length of the key as it was written; undefined for an item. */
  readonly keyLength: number | undefined
}
