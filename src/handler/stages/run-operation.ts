import type { GraphQLSchema } from 'graphql'
import { failure, type Outcome } from '../../base/outcome.js'
import { createEngine, type Engine } from '../../graphql/engine.js'
import type { IncrementalExecutor } from '../../graphql/execute/execute.js'
import type { TextExecutor } from '../../graphql/execute/execution.js'
import type { ExecutionInput } from '../../graphql/execute/arguments.js'
import type { Operation } from '../../graphql/execute/operation.js'
import type { GraphQLParams } from '../../graphql/execute/params.js'
import type { RequestError } from '../../graphql/errors/request-error.js'
import type { RequestHead } from '../../http/message.js'
import type { Refusal } from '../../over-http/refusal.js'
import { checkOperation } from '../../over-http/request/check-head.js'
import type { Encoding } from '../../over-http/response/choose-encoding.js'
import type { Settings } from '../../options/settings.js'
import type { Streams } from '../../streams/streams.js'
import type { Exchange } from './exchange.js'
import { createLoadGate, type LoadGate } from './load-gate.js'
import { setOperation, type OwnStages } from './operation-stages.js'
import type { Stage } from './stage.js'
import { describeStream, formatOf, formatOfParts } from './stream-response.js'
import { isPromise } from '../../base/promise.js'
import type { Single, Whole } from '../../graphql/execute/result.js'
import type { Subscribed, Subscriber } from '../../graphql/execute/subscribe.js'

type GraphQLExchange = Exchange & { readonly encoding: Encoding }

/** Starts a subscription, if there is still room. */
type Starter<Out extends Whole> = (
  ...given: Parameters<Subscriber<Out>>
) => Started<Out> | Promise<Started<Out>>

type Started<Out extends Whole> = Subscribed<Out> | Outcome<never, Refusal>

/** The same as those of the engine, but counted. */
interface Starters {
  readonly subscribe: Starter<Single>
  readonly subscribeToSend: Starter<Whole>
  readonly executeIncrementally: IncrementalExecutor
}

/** What all surfaces of an endpoint share. */
export interface Services {
  readonly engine: Engine
  readonly starters: Starters
  readonly gate: LoadGate
  readonly streams: Streams
}

/** Makes what the surfaces share. */
export function createServices(settings: Settings, streams: Streams): Services {
  const engine = createEngine(settings)
  return {
    engine,
    starters: {
      subscribe: countStarting(engine.subscribe, streams),
      subscribeToSend: countStarting(engine.subscribeToSend, streams),
      executeIncrementally: countFirstPart(engine.executeIncrementally, streams),
    },
    gate: createLoadGate(settings),
    streams,
  }
}

/** Finds the document of a request, and selects its operation. */
export function createPreparation(
  engine: Engine,
): (exchange: Exchange) => RequestError | undefined {
  return (exchange) => {
    const { schema, params } = exchange
    const prepared = engine.prepare(schema as GraphQLSchema, params as GraphQLParams, exchange)
    if (!prepared.ok) return prepared.reason
    setOperation(exchange, prepared.value)
    return undefined
  }
}

type RoomCheck = (
  operation: Operation,
  head: RequestHead,
  mayBeWhole: boolean,
) => Refusal | undefined

/** Makes what refuses a stream if too many are open. A result in parts may also be delivered as a whole. */
export function createRoomCheck({ clientOf }: Settings, streams: Streams): RoomCheck {
  return (operation, head, mayBeWhole) => {
    const isSubscription = operation.definition.operation === 'subscription'
    if (!isSubscription && (mayBeWhole || !operation.isIncremental)) return undefined
    return streams.hasRoomFor(operation, clientOf(head)) ? undefined : noRoom
  }
}

const noRoom: Refusal = { kind: 'overloaded', by: 'streams' }

/** Whether the request may run this kind of operation, and whether there is room for another stream. */
export function createOperationCheck(settings: Settings, streams: Streams): Stage<GraphQLExchange> {
  const checkRoom = createRoomCheck(settings, streams)
  return ({ head, prepared, encoding }) => {
    const operation = prepared as Operation
    const refusal = checkOperation(head.method, operation, encoding)
    return refusal ?? checkRoom(operation, head, encoding.single !== undefined)
  }
}

type SendExecutor = (...args: [...Parameters<TextExecutor>, Exchange]) => ReturnType<TextExecutor>

/** Makes the execution of operations whose results are only sent. Notes how they are executed, if a hook can see it. */
export function createSender(
  { onResult }: Settings,
  { executeToSend, describe }: Engine,
): SendExecutor {
  if (onResult === undefined) return executeToSend
  return (operation, input, exchange) => {
    const executed = executeToSend(operation, input)
    exchange.execution = describe(operation)
    return executed
  }
}

/** Executes queries and mutations, and starts subscriptions. */
export function createExecution(
  settings: Settings,
  { engine, starters, streams }: Services,
): OwnStages<GraphQLExchange>['execute'] {
  const send = createSender(settings, engine)
  return (operation: Operation, input: ExecutionInput, exchange: GraphQLExchange) => {
    const { head, encoding } = exchange
    const isHead = head.method === 'HEAD'
    if (operation.definition.operation === 'subscription') {
      return isHead
        ? failure(describeStream(formatOf(encoding)))
        : starters.subscribeToSend(operation, input)
    }
    const { incremental } = encoding
    const hasRoom = operation.isIncremental && streams.hasRoomFor(operation, input.client)
    if (operation.isIncremental && !hasRoom && encoding.single === undefined) return failure(noRoom)
    if (incremental === undefined || !hasRoom) return send(operation, input, exchange)
    return isHead
      ? failure(describeStream(formatOfParts(incremental)))
      : starters.executeIncrementally(operation, input, incremental.format)
  }
}

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
    const take = (subscribed: Subscribed<Out>): Subscribed<Out> => {
      if (!subscribed.ok) {
        started(undefined)
        return subscribed
      }
      const { source, field } = subscribed.value
      const operationName = operation.definition.name?.value
      started({ source, field, operationName })
      return subscribed
    }
    const fail = (bug: unknown): never => {
      started(undefined)
      throw bug
    }
    try {
      const subscribed = subscribe(operation, input)
      return isPromise(subscribed) ? subscribed.then(take, fail) : take(subscribed)
    } catch (bug) {
      return fail(bug)
    }
  }
}

/** Counts a result in parts until its first part is made; from then on, its program counts. */
function countFirstPart(execute: IncrementalExecutor, streams: Streams): IncrementalExecutor {
  return (operation, input, format) => {
    const started = streams.begin(operation, input)
    const made = (): void => started(undefined)
    try {
      const executed = execute(operation, input, format)
      if (isPromise(executed)) return executed.finally(made)
      made()
      return executed
    } catch (bug) {
      made()
      throw bug
    }
  }
}
