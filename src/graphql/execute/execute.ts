import type { DocumentNode, GraphQLError } from 'graphql'
import { type Outcome, failure, success } from '../../base/outcome.js'
import { andThen, isPromise, returnSource } from '../../base/promise.js'
import type { RequestError } from '../errors/request-error.js'
import { asShownError, innermostError } from '../errors/show-error.js'
import type { ExecuteFunction, ExecutionInput, ToArguments } from './arguments.js'
import type { Cancellation } from './cancellation.js'
import { limitErrors, type ErrorLimit } from './limit-errors.js'
import type { Operation } from './operation.js'
import type { IncrementalFormat, Part } from './parts.js'
import type { Incremental, Single } from './result.js'
import {
  deliversIncrementally,
  splitsExecution,
  type ExecuteResult,
  type GraphQLModule,
  type SplitGraphQLModule,
} from '../js/graphql.js'
import { graphqlChannel, isTraced, trace, type ChannelSettings } from '../js/tracing.js'
import { ResolverWork, watchWork } from './resolver-work.js'
import { showKind } from '../../shapes/show-value.js'

interface ExecuteSettings extends ChannelSettings, ErrorLimit {
  readonly execute: ExecuteFunction | undefined
}

/** Execution returned a result, or the variables could not be coerced and no resolver ran. */
export type Executed = Outcome<Single, RequestError>

/** Runs an operation; synchronous if all resolvers are. */
export type Executor = (operation: Operation, input: ExecutionInput) => Executed | Promise<Executed>

/** Chooses how to execute once, by the functions of the graphql module. */
export function createExecutor(settings: ExecuteSettings, toArguments: ToArguments): Executor {
  const { graphql, execute: custom } = settings
  const split = splitsExecution(graphql)
  const run = custom ?? (split ? splitExecute(graphql) : (args) => graphql.execute(args))
  // `execute` of graphql 17 publishes on the channel itself; for everything else that happens here.
  const publishes = split && custom !== undefined && custom === graphql.execute
  const channel = publishes ? undefined : graphqlChannel('execute', settings)
  return (operation, input) => {
    const args = toArguments(operation, input)
    const result =
      input.followers !== undefined || isTraced(channel)
        ? trace(channel, describeOperation(operation), () => run(args), input.followers)
        : run(args)
    return isPromise(result)
      ? Promise.resolve(result).then((late) => checkResult(late, settings))
      : checkResult(result, settings)
  }
}

/** Uses the two steps of graphql 17, since `execute` refuses a schema that contains @defer. */
function splitExecute(graphql: SplitGraphQLModule): ExecuteFunction {
  return (args) => {
    const validated = graphql.validateExecutionArgs(args)
    if (Array.isArray(validated)) return { errors: validated as readonly GraphQLError[] }
    return withoutEndStack(graphql, 'executeRootSelectionSet', validated)
  }
}

/** Whether an execution runs that has waited for nothing so far. */
let isAtOnce = false
let limitBefore: number | undefined

/** graphql 17 reads it immediately before it aborts its signal. */
const hooks = {
  get asyncWorkFinished(): undefined {
    if (isAtOnce) {
      limitBefore ??= Error.stackTraceLimit
      Reflect.set(Error, 'stackTraceLimit', 0)
    }
    return undefined
  },
}

/**
 * Executes by a function of graphql 17, which ends each execution by aborting the signal of its resolvers. Without the stack for
 * the reason of that, a small request takes a sixth less time. An execution that waits gets one: it ends while others run.
 */
export function withoutEndStack(
  graphql: GraphQLModule,
  execute: 'executeRootSelectionSet' | 'executeSubscriptionEvent',
  args: object,
): ExecuteResult {
  const isWithin = isAtOnce
  isAtOnce = true
  try {
    return graphql[execute]!(Object.assign(args, { hooks }))
  } finally {
    isAtOnce = isWithin
    if (limitBefore !== undefined) Reflect.set(Error, 'stackTraceLimit', limitBefore)
    limitBefore = undefined
  }
}

/** The message of the channel, with the names of graphql 17. */
export function describeOperation({ schema, document, definition, params }: Operation): object {
  return {
    schema,
    document: document.document,
    rawVariableValues: params.variables,
    operationName: definition.name?.value,
    operationType: definition.operation,
  }
}

interface ResultRules extends ErrorLimit {
  /** A custom executor, whose results may have any shape. */
  readonly execute?: unknown
}

/**
 * Checks the result of an executor, which may be custom. Errors without `data` mean that coercion failed
 * before any resolver ran, if the errors indicate it. Any other result without `data` is a bug of the
 * executor and throws.
 */
export function checkResult(result: unknown, limit: ResultRules): Executed {
  const { data, errors, extensions } = (result ?? {}) as {
    readonly [name in 'data' | 'errors' | 'extensions']?: unknown
  }
  const list = errors === undefined || errors === null ? noErrors : checkErrors(errors)
  if (limit.execute !== undefined) {
    if (data !== undefined) checkMap('data', 'an object or null', data)
    if (extensions !== undefined) checkMap('extensions', 'an object', extensions)
  }
  if (data !== undefined) {
    const single: Single = {
      kind: 'single',
      data,
      errors: list,
      extensions: extensions ?? undefined,
    }
    return success(list.length === 0 ? single : limitErrors(single, limit))
  }
  if (list.length === 0) {
    throw new TypeError(`execute: expected a result with data or errors, got ${kindOf(result)}.`)
  }
  const bugs = list.map(bugOf).filter((bug) => bug !== undefined)
  if (bugs.length === 0) return failure({ kind: 'variables', errors: list })
  throw bugs.length === 1
    ? bugs[0]
    : new AggregateError(bugs, `execute: ${bugs.length} errors without data.`)
}

/** JSON omits functions, for example, and the response would be an empty object. */
function checkMap(name: string, expected: string, value: unknown): void {
  const { toJSON } = (value ?? {}) as { readonly toJSON?: unknown }
  const written: unknown = typeof toJSON === 'function' ? toJSON.call(value, name) : value
  if (typeof written === 'object' && !Array.isArray(written)) return
  throw new TypeError(`execute: expected ${name} to be ${expected}, got ${showKind(written)}.`)
}

const noErrors: readonly GraphQLError[] = []

function checkErrors(errors: unknown): readonly GraphQLError[] {
  if (Array.isArray(errors)) return errors as readonly GraphQLError[]
  throw new TypeError('execute: expected the errors of a result to be a list.')
}

function kindOf(result: unknown): string {
  if (result === null) return 'null'
  return typeof result === 'object' ? 'neither' : typeof result
}

/** The exception behind an error without data, if it was thrown on the server. */
function bugOf(error: GraphQLError): Error | undefined {
  const innermost = innermostError(error)
  if (asShownError(innermost) !== undefined || isOfVariable(error)) return undefined
  return innermost instanceof Error
    ? innermost
    : new Error('execute: got an error without data.', { cause: error })
}

/** Errors from the parser of a scalar are for clients, whatever their class; graphql-js adds the variable. */
function isOfVariable(error: GraphQLError): boolean {
  const nodes = asShownError(error)?.nodes ?? []
  return nodes.length > 0 && nodes.every(({ kind }) => kind === 'VariableDefinition')
}

/** The result came whole if nothing was deferred after all. */
type IncrementallyExecuted = Outcome<Single | Incremental, RequestError>

/** Runs an operation whose @defer and @stream are honored. Only for those that `isIncremental`. */
export type IncrementalExecutor = (
  operation: Operation,
  input: ExecutionInput,
  format: IncrementalFormat,
) => IncrementallyExecuted | Promise<IncrementallyExecuted>

export function createIncrementalExecutor(
  settings: ErrorLimit & ChannelSettings,
  toArguments: ToArguments,
): IncrementalExecutor {
  const { graphql } = settings
  const channel = graphqlChannel('execute', settings)
  return (operation, input, format) => {
    const work = new ResolverWork()
    const run = (): object | PromiseLike<object> => execute(operation, input, format, work)
    const result =
      input.followers !== undefined || isTraced(channel)
        ? trace(channel, describeOperation(operation), run, input.followers)
        : run()
    return andThen(result, (found) => takeResult(found, format, work, input.cancellation, settings))
  }

  function execute(
    operation: Operation,
    input: ExecutionInput,
    format: IncrementalFormat,
    work: ResolverWork,
  ): object | PromiseLike<object> {
    if (!deliversIncrementally(graphql)) throw new TypeError('graphql cannot execute @defer.')
    const document = operation.document.incremental as DocumentNode
    const args = graphql.validateExecutionArgs({ ...toArguments(operation, input), document })
    if (Array.isArray(args)) return { errors: args as readonly GraphQLError[] }
    // Each execution has an object of its own.
    watchWork((args as { readonly variableValues: object }).variableValues, work)
    return format === 'v0.2'
      ? graphql.experimentalExecuteRootSelectionSet(args)
      : graphql.legacyExecuteRootSelectionSet(args)
  }
}

function takeResult(
  result: object,
  format: IncrementalFormat,
  work: ResolverWork,
  cancellation: Cancellation,
  limit: ErrorLimit,
): IncrementallyExecuted {
  if (!('initialResult' in result)) return checkResult(result, limit)
  // Something was deferred.
  const { initialResult: initial, subsequentResults: parts } = result as {
    readonly initialResult: Part
    readonly subsequentResults: AsyncIterator<Part>
  }
  // The request was cancelled meanwhile.
  if (cancellation.aborted) {
    void returnSource(parts)
    throw cancellation.reason
  }
  const { data, errors = noErrors } = initial
  const whole = limitErrors<Single>({ kind: 'single', data, errors, extensions: undefined }, limit)
  if (whole.errors === errors) return success({ kind: 'incremental', format, initial, parts, work })
  void returnSource(parts)
  return success(whole)
}
