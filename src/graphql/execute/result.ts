import type { GraphQLError } from 'graphql'
import type { Cancellation } from './cancellation.js'
import type { IncrementalFormat, Part } from './parts.js'
import type { ResolverWork } from './resolver-work.js'

/** The result of an operation (closed union). */
export type Result = Whole | Incremental | Events

/** A result that is not delivered in parts. */
export type Whole = Single | Written

/** The whole result at once: of a query, a mutation, or one event of a subscription. */
export interface Single {
  readonly kind: 'single'
  readonly data: unknown
  readonly errors: readonly GraphQLError[]
  readonly extensions: unknown
}

/** A whole result whose data is JSON already, for callers that only send it. */
interface Written {
  readonly kind: 'written'
  /** The whole response as it is without errors: `{"data":…}`. */
  readonly body: string
  readonly errors: readonly GraphQLError[]
}

/** A result in parts, for @defer and @stream. */
export interface Incremental {
  readonly kind: 'incremental'
  readonly format: IncrementalFormat
  readonly initial: Part
  /** The parts that follow; nothing deferred runs before the first is asked for. It must be returned if it is not read to the end. */
  readonly parts: AsyncIterator<Part>
  readonly work: ResolverWork
}

/** The events of a subscription, each of which is executed to get a result. */
export interface Events<Out extends Whole = Whole> {
  readonly kind: 'events'
  /** The name of the root field. */
  readonly field: string
  /** What the `subscribe` resolver returned. It must be returned, by `return()`, whatever happens. */
  readonly source: AsyncIterator<unknown>
  /** Operations with equal keys can share one execution per event. */
  readonly shareKey: string | undefined
  /** Executes the operation with the event as its root value. Throws for bugs of the executor. */
  run(event: unknown, cancellation: Cancellation): Out | Promise<Out>
}
