import type { ExecutionArgs, GraphQLError } from 'graphql'
import { failure, success, type Outcome } from '../../base/outcome.js'
import { andThen, isPromise, returnSource } from '../../base/promise.js'
import type { RequestError } from '../errors/request-error.js'
import {
  splitsExecution,
  type ExecuteResult,
  type SourceResult,
  type CoercedVariables,
} from '../js/graphql.js'
import { graphqlChannel, isTraced, trace, type ChannelSettings } from '../js/tracing.js'
import { rootFields } from '../limits/root-fields.js'
import type {
  ExecuteFunction,
  ExecutionInput,
  SubscribeFunction,
  ToArguments,
} from './arguments.js'
import type { Cancellation } from './cancellation.js'
import { checkResult, describeOperation, withoutEndStack } from './execute.js'
import { showKind } from '../../shapes/show-value.js'
import type { ErrorLimit } from './limit-errors.js'
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

interface SubscribeSettings extends ChannelSettings, ErrorLimit {
  readonly execute: ExecuteFunction | undefined
  /** Takes the place of both steps. */
  readonly subscribe: SubscribeFunction | undefined
}

/** How the events of a subscriber are executed. */
interface EventKit {
  readonly settings: SubscribeSettings
  /** Whether arguments are validated apart from their execution, as graphql 17 does. */
  readonly splits: boolean
  readonly executeOne: ExecuteFunction
  readonly toArguments: ToArguments
  readonly executeEvent: EventExecutor | undefined
}

/**
 * Starts subscriptions in the two steps of the GraphQL specification, section 6.2.3: the source first, then
 * an execution for each event. `subscribe()` of graphql-js combines them in a generator whose `return()`
 * waits for a blocked source, and abandons a source that comes after the operation was cancelled. `executeEvent`
 * executes the events that it can; the others are executed by graphql-js.
 */
export function createSubscriber<Out extends Whole = Single>(
  settings: SubscribeSettings,
  toArguments: ToArguments,
  executeEvent?: EventExecutor,
): Subscriber<Out> {
  const { graphql, execute, subscribe: custom } = settings
  const channel = graphqlChannel('subscribe', settings)
  const splits = execute === undefined && splitsExecution(graphql)
  const executeOne = execute ?? ((args: ExecutionArgs) => graphql.execute(args))
  const kit: EventKit = { settings, splits, executeOne, executeEvent, toArguments }
  return (operation, input) => {
    const shareKey = (execute ?? custom) === undefined ? shareKeyOf(operation, graphql) : undefined
    // Its events are not followed.
    const { followers, ...kept } = input
    const events = new SourceEvents<Out>(kit, operation, kept, shareKey)
    const subscribe = (): Subscribed<Out> | Promise<Subscribed<Out>> => {
      const result = events.open()
      // graphql 16 rejects if the resolver returned no iterable.
      return isPromise(result)
        ? Promise.resolve(result).then((late) => events.take(late), refused)
        : events.take(result)
    }
    return followers !== undefined || isTraced(channel)
      ? trace(channel, describeOperation(operation), subscribe, followers)
      : subscribe()
  }
}

/** The events of a subscription. Until the first one, it keeps only what that needs. */
class SourceEvents<Out extends Whole> implements Events<Out> {
  readonly kind = 'events'
  readonly shareKey: string | undefined
  field = ''
  source: AsyncIterator<unknown> = noSource
  readonly #kit: EventKit
  readonly #operation: Operation
  readonly #input: ExecutionInput
  /** The arguments of graphql 17, once an event needs them or if they have variables, which are coerced once. */
  #args:
    | { readonly variableValues?: CoercedVariables; readonly rawVariableValues?: undefined }
    | undefined

  constructor(
    kit: EventKit,
    operation: Operation,
    input: ExecutionInput,
    shareKey: string | undefined,
  ) {
    this.#kit = kit
    this.#operation = operation
    this.#input = input
    this.shareKey = shareKey
  }

  open(): SourceResult | PromiseLike<SourceResult> {
    const { splits, settings } = this.#kit
    if (settings.subscribe !== undefined) return this.#openResults(settings.subscribe)
    const args = this.#validate()
    if (Array.isArray(args)) return { errors: args as readonly GraphQLError[] }
    const { variableDefinitions = [] } = this.#operation.definition
    // They take a kilobyte per waiting subscriber; without variables they can be made again when an event comes.
    if (splits && variableDefinitions.length > 0) {
      this.#args = { ...args, rawVariableValues: undefined }
    }
    return settings.graphql.createSourceEventStream(args)
  }

  /** Functions that are not of graphql-js get a real signal, and may throw as well as reject. */
  async #openResults(subscribe: SubscribeFunction): Promise<SourceResult> {
    const abortSignal = this.#input.cancellation.signal
    return subscribe({ ...this.#toArguments(this.#input), abortSignal })
  }

  take(result: SourceResult): Subscribed<Out> {
    if (!isIterable(result)) return refuse(errorsOf(result))
    const source = result[Symbol.asyncIterator]()
    if (Object(source) !== source) throw new TypeError('A source of events has no iterator.')
    const { cancellation } = this.#input
    // The request was cancelled meanwhile.
    if (cancellation.aborted) {
      void returnSource(source)
      throw cancellation.reason
    }
    const { definition, document, params } = this.#operation
    const [field = ''] = rootFields(definition, document.fragments, params.variables ?? {})
    this.field = field
    this.source = source
    return success(this)
  }

  run(rootValue: unknown, cancellation: Cancellation): Out | Promise<Out> {
    const { executeEvent, settings } = this.#kit
    const { subscribe } = settings
    if (subscribe !== undefined) {
      return takeWhole(checkResult(rootValue, { ...settings, execute: subscribe })) as Out
    }
    const input = { ...this.#input, rootValue, cancellation }
    const executed = executeEvent?.(this.#operation, input, this.#args?.variableValues)
    const whole =
      executed === undefined
        ? andThen<unknown, Single>(this.#interpret(rootValue, cancellation), (late) =>
            takeWhole(checkResult(late, this.#kit.settings)),
          )
        : andThen<Outcome<Whole, RequestError>, Whole>(executed, takeWhole)
    // Data is text only if there is an `executeEvent`, and then `Out` allows it.
    return whole as Out | Promise<Out>
  }

  #interpret(rootValue: unknown, cancellation: Cancellation): ExecuteResult {
    const { settings, splits, executeOne } = this.#kit
    if (!splits) return executeOne(this.#toArguments({ ...this.#input, rootValue, cancellation }))
    this.#args ??= this.#validate()
    const event = { ...this.#args, rootValue, externalAbortSignal: cancellation }
    return withoutEndStack(settings.graphql, 'executeSubscriptionEvent', event)
  }

  /**
   * The arguments of the source, or errors; graphql 16 validates them itself. With a signal, 17 would drop a source that comes
   * after the operation was cancelled, without returning it. The resolver finds the signal in `request.signal`.
   */
  #validate(): object {
    const args = { ...this.#toArguments(this.#input), abortSignal: undefined }
    return this.#kit.settings.graphql.validateSubscriptionArgs?.(args) ?? args
  }

  #toArguments(input: ExecutionInput): ExecutionArgs {
    return this.#kit.toArguments(this.#operation, input)
  }
}

/** Takes the place of the source until `take`. */
const noSource: AsyncIterator<unknown> = {
  next: () => Promise.resolve({ done: true, value: undefined }),
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
function refuse(errors: readonly GraphQLError[]): Outcome<never, RequestError> {
  const isOfField = errors.some(({ path }) => path !== undefined)
  return failure({ kind: isOfField ? 'source' : 'variables', errors })
}

function refused(bug: unknown): Outcome<never, RequestError> {
  return failure({ kind: 'source', errors: [bug as GraphQLError] })
}

function isIterable(result: SourceResult): result is AsyncIterable<unknown> {
  return Symbol.asyncIterator in Object(result)
}

/** A function that is not of graphql-js may return anything. */
function errorsOf(result: { readonly errors?: readonly GraphQLError[] } | undefined) {
  if (result?.errors !== undefined) return result.errors
  const found = showKind(result)
  throw new TypeError(`subscribe: expected an async iterable or errors, got ${found}.`)
}
