import type { GraphQLSchema } from 'graphql'
import { failure, type Outcome } from '../../base/outcome.js'
import { isPromise } from '../../base/promise.js'
import { createEngine, type Engine } from '../../graphql/engine.js'
import type { IncrementalExecutor } from '../../graphql/execute/execute.js'
import type { Single, Whole } from '../../graphql/execute/result.js'
import type { Subscribed, Subscriber } from '../../graphql/execute/subscribe.js'
import { checkServable } from '../../graphql/schema/check-servable.js'
import type { Settings } from '../../options/settings.js'
import type { Denial, Refusal } from '../../over-http/refusals.js'
import { Streams } from '../../streams/streams.js'
import type { DriverTools } from '../road/driver.js'
import type { Facts } from '../road/facts.js'
import type { Road } from '../road/road.js'
import { askHook } from './ask-hook.js'
import { createLoadGate } from '../road/load-gate.js'
import { createContentCheck, type ContentCheck } from '../../over-http/request/check-head.js'
import { createFinisher, type Finisher } from './finish.js'
import { createDocumentSaver, type DocumentSaver } from './stored-documents.js'

/** Starts a subscription, if there is still room. */
type Starter<Out extends Whole> = (
  ...given: Parameters<Subscriber<Out>>
) => Started<Out> | Promise<Started<Out>>

type Started<Out extends Whole> = Subscribed<Out> | Outcome<never, Refusal>

/** What all roads of an endpoint share. */
export interface EndpointTools extends DriverTools {
  readonly engine: Engine
  /** What starts streams and executions, as in the engine, but counted. */
  readonly starters: {
    readonly subscribe: Starter<Single>
    readonly subscribeToSend: Starter<Whole>
    readonly executeIncrementally: IncrementalExecutor
  }
  readonly streams: Streams
  readonly findSchema: SchemaFinder
  /** Checks the headers of a request with JSON in its body. */
  readonly checkContent: ContentCheck
  readonly finish: Finisher | undefined
  readonly saveDocument: DocumentSaver
}

export function createTools(settings: Settings): EndpointTools {
  const engine = createEngine(settings)
  const streams = new Streams(settings)
  return {
    settings,
    engine,
    starters: {
      subscribe: countStarting(engine.subscribe, streams),
      subscribeToSend: countStarting(engine.subscribeToSend, streams),
      executeIncrementally: countFirstPart(engine.executeIncrementally, streams),
    },
    gate: createLoadGate(settings),
    streams,
    findSchema: createSchemaFinder(settings),
    checkContent: createContentCheck(settings),
    finish: createFinisher(settings),
    saveDocument: createDocumentSaver(settings),
  }
}

export const noRoom: Refusal = { kind: 'overloaded', by: 'streams' }

/**
 * Counts subscriptions from their start, not only once they are open: a resolver that takes a while would let in any
 * number of them. There was room at the check, but others may have started while the context was made. A source whose request
 * is cancelled before it is played is returned.
 */
function countStarting<Out extends Whole>(
  subscribe: Subscriber<Out>,
  streams: Streams,
): Starter<Out> {
  return (operation, input) => {
    if (!streams.hasRoomFor(operation, input.client)) return failure(noRoom)
    const started = streams.begin(operation, input)
    return settling(
      () => subscribe(operation, input),
      (subscribed) => {
        if (subscribed?.ok !== true) return started(undefined)
        const { source, field } = subscribed.value
        started({ source, field, operationName: operation.definition.name?.value })
      },
    )
  }
}

/** Counts a result in parts until its first part is made; from then on, its program counts. */
function countFirstPart(execute: IncrementalExecutor, streams: Streams): IncrementalExecutor {
  return (operation, input, format) => {
    const started = streams.begin(operation, input)
    return settling(
      () => execute(operation, input, format),
      () => started(undefined),
    )
  }
}

/** Starts something. `settled` gets its value once it is there, or undefined if it fails. */
function settling<Value>(
  start: () => Value | Promise<Value>,
  settled: (value: Value | undefined) => void,
): Value | Promise<Value> {
  const done = (value: Value): Value => {
    settled(value)
    return value
  }
  const fail = (bug: unknown): never => {
    settled(undefined)
    throw bug
  }
  try {
    const value = start()
    return isPromise(value) ? value.then(done, fail) : done(value)
  } catch (bug) {
    return fail(bug)
  }
}

type SchemaFinder = (facts: Facts) => Road<GraphQLSchema, Denial>

/** One that is returned by a function is checked when it is first seen. */
function createSchemaFinder(settings: Settings): SchemaFinder {
  const { graphql, schema, cacheHints } = settings
  const checked = new WeakSet<GraphQLSchema>()
  return function* findGiven(facts) {
    facts.at = 'schema'
    if (typeof schema !== 'function') return schema
    const found = yield* askHook((head) => schema(head, facts), facts.head, settings)
    if (!checked.has(found)) {
      checkServable(graphql, { schema: found, cacheHints }, 'The option schema')
      checked.add(found)
    }
    return found
  }
}
