import type { ExecutionArgs, GraphQLError } from 'graphql'
import { failure, success, type Outcome } from '../../base/outcome.js'
import { andThen, isPromise } from '../../base/promise.js'
import type { RequestError } from '../errors/request-error.js'
import {
  splitsExecution,
  type ExecuteResult,
  type GraphQLModule,
  type SourceResult,
} from '../js/graphql.js'
import { graphqlChannel, isTraced, trace, type ChannelSettings } from '../js/tracing.js'
import { rootFields } from '../limits/root-fields.js'
import type { ExecuteFunction, ExecutionInput, ToArguments } from './arguments.js'
import type { Cancellation } from './cancellation.js'
import { checkResult, describeOperation } from './execute.js'
import type { Operation } from './operation.js'
import { shareKeyOf } from './pure-selection.js'
import type { EventExecutor } from './execution.js'
import type { Events, Single, Whole } from './result.js'

/** The subscription started, or its variables could not be coerced, or its resolver refused it. */
export type Subscribed<Out extends Whole = Single> = Outcome<Events<Out>, RequestError>

/** Starts a subscription; synchronous on graphql 17 if its resolver is. */
export type Subscriber<Out extends Whole = Single> = (
  operation: Operation,
  input: ExecutionInput,
) => Subscribed<Out> | Promise<Subscribed<Out>>

interface SubscribeSettings extends ChannelSettings {
  readonly graphql: GraphQLModule
  readonly execute: ExecuteFunction | undefined
}

/** A source, and how its events are executed. */
interface Opened {
  readonly result: SourceResult | PromiseLike<SourceResult>
  readonly run: (event: unknown, cancellation: Cancellation) => ExecuteResult
}

/**
 * Starts subscriptions in the two steps of the GraphQL specification, section 6.2.3: the source first, then
 * an execution for each event. `subscribe()` of graphql-js combines them in a generator whose `return()`
 * waits for a blocked source, and abandons a source that comes after the operation was cancelled.
 */
export function createSubscriber(
  { graphql, execute, channels }: SubscribeSettings,
  toArguments: ToArguments,
  /** For operations whose results may be shared. */
  toNotingArguments: ToArguments,
): Subscriber {
  const channel = graphqlChannel('subscribe', { channels })
  const executeOne = execute ?? ((args: ExecutionArgs) => graphql.execute(args))
  const open = execute === undefined && splitsExecution(graphql) ? openOn17 : openByArguments
  return (operation, input) => {
    const shareKey = execute === undefined ? shareKeyOf(operation) : undefined
    const toOwn = shareKey === undefined ? toArguments : toNotingArguments
    const subscribe = (): Subscribed | Promise<Subscribed> => {
      const opened = open(operation, input, toOwn)
      if ('errors' in opened) return failure({ kind: 'variables', errors: opened.errors })
      const { result, run } = opened
      const take = (source: SourceResult): Subscribed =>
        takeSource(source, operation, input.cancellation, run, shareKey)
      // graphql 16 rejects if the resolver returned no iterable.
      return isPromise(result) ? Promise.resolve(result).then(take, refused) : take(result)
    }
    return isTraced(channel) ? trace(channel, describeOperation(operation), subscribe) : subscribe()
  }

  /** Variables are coerced once, for the source and all events. */
  function openOn17(
    operation: Operation,
    input: ExecutionInput,
    toOwn: ToArguments,
  ): Opened | { readonly errors: readonly GraphQLError[] } {
    const validated = graphql.validateSubscriptionArgs!(withoutSignal(toOwn(operation, input)))
    if (Array.isArray(validated)) return { errors: validated as readonly GraphQLError[] }
    const shared = validated as object
    return {
      result: graphql.createSourceEventStream(shared),
      run: (rootValue, externalAbortSignal) =>
        graphql.executeSubscriptionEvent!({ ...shared, rootValue, externalAbortSignal }),
    }
  }

  function openByArguments(
    operation: Operation,
    input: ExecutionInput,
    toOwn: ToArguments,
  ): Opened {
    return {
      result: openSource(graphql, toOwn(operation, input)),
      run: (rootValue, cancellation) =>
        executeOne(toOwn(operation, { ...input, rootValue, cancellation })),
    }
  }
}

function openSource(
  graphql: GraphQLModule,
  args: ExecutionArgs,
): SourceResult | PromiseLike<SourceResult> {
  const own = withoutSignal(args)
  if (graphql.validateSubscriptionArgs === undefined) return graphql.createSourceEventStream(own)
  const validated = graphql.validateSubscriptionArgs(own)
  return Array.isArray(validated)
    ? { errors: validated as readonly GraphQLError[] }
    : graphql.createSourceEventStream(validated)
}

/**
 * With a signal, graphql 17 drops a source that comes after the operation was cancelled, without returning
 * it. The resolver finds the signal in `request.signal`.
 */
function withoutSignal(args: ExecutionArgs): ExecutionArgs {
  return { ...args, abortSignal: undefined }
}

function takeSource(
  result: SourceResult,
  operation: Operation,
  cancellation: Cancellation,
  run: Opened['run'],
  shareKey: string | undefined,
): Subscribed {
  if (!isIterable(result)) return refuse(result.errors ?? [])
  const source = result[Symbol.asyncIterator]()
  // Nobody waits for it any more.
  if (cancellation.aborted) {
    void returnSource(source)
    throw cancellation.reason
  }
  const { definition, document, params } = operation
  const [field = ''] = rootFields(definition, document.fragments, params.variables ?? {})
  return success({
    kind: 'events',
    field,
    source,
    shareKey,
    run: (event, own) =>
      andThen<unknown, Single>(run(event, own), (late) => takeWhole(checkResult(late))),
  })
}

/** The same with events that `executeEvent` executes, except where their results may be shared. */
export function withTextEvents(
  subscribe: Subscriber,
  executeEvent: EventExecutor,
): Subscriber<Whole> {
  return (operation, input) =>
    andThen(subscribe(operation, input), (subscribed: Subscribed): Subscribed<Whole> => {
      if (!subscribed.ok || subscribed.value.shareKey !== undefined) return subscribed
      const { value } = subscribed
      const run: Events['run'] = (rootValue, cancellation) => {
        const executed = executeEvent(operation, { ...input, rootValue, cancellation })
        return executed === undefined
          ? value.run(rootValue, cancellation)
          : andThen(executed, takeWhole)
      }
      return success({ ...value, run })
    })
}

/** An event whose variables cannot be coerced has a result, too. */
function takeWhole<Out extends Whole>(executed: Outcome<Out, RequestError>): Out | Single {
  if (executed.ok) return executed.value
  const { errors } = executed.reason
  return {
    kind: 'single',
    data: null,
    errors: errors as readonly GraphQLError[],
    extensions: undefined,
  }
}

/** Variables fail before the field is resolved, and have no path. */
function refuse(errors: readonly GraphQLError[]): Subscribed {
  const isOfField = errors.some(({ path }) => path !== undefined)
  return failure({ kind: isOfField ? 'source' : 'variables', errors })
}

function refused(bug: unknown): Subscribed {
  return failure({ kind: 'source', errors: [bug as GraphQLError] })
}

function isIterable(result: SourceResult): result is AsyncIterable<unknown> {
  return Symbol.asyncIterator in result
}

/** Returns a source without waiting for it. Its failures have no reader. Undefined if it settled at once. */
export function returnSource(source: AsyncIterator<unknown>): Promise<unknown> | undefined {
  try {
    const returned: unknown = source.return?.()
    if (!isPromise(returned)) return undefined
    return Promise.resolve(returned).catch(() => undefined)
  } catch {
    return undefined
  }
}
