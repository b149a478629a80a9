import type { ExecutionArgs, ExecutionResult, GraphQLError, GraphQLFieldResolver } from 'graphql'
import { failure, success, type Outcome } from '../outcome.js'
import { andThen } from '../promise.js'
import type { Cancellation } from './cancellation.js'
import {
  splitsExecution,
  type ExecuteResult,
  type GraphQLModule,
  type SplitGraphQLModule,
} from './graphql.js'
import type { Operation } from './prepare.js'
import type { RequestError } from './request-error.js'
import type { Result } from './result.js'
import { asShownError } from './show-error.js'
import { tracingChannel, trace } from './tracing.js'

/** An executor with the signature of graphql-js, such as a compiling one. */
export type ExecuteFunction = (args: ExecutionArgs) => ExecuteResult

/** The values that execution starts from, besides the operation. */
export interface ExecutionInput {
  readonly rootValue: unknown
  readonly contextValue: unknown
  readonly cancellation: Cancellation
}

/** What execution has to know. */
interface ExecuteSettings {
  readonly graphql: GraphQLModule
  readonly execute: ExecuteFunction | undefined
  readonly hideSuggestions: boolean
  readonly maxErrors: number
}

/** Execution gave a result, or the variables could not be coerced and no resolver ran. */
export type Executed = Outcome<Result, RequestError>

/** Runs an operation; synchronous where every resolver is. */
export type Executor = (operation: Operation, input: ExecutionInput) => Executed | Promise<Executed>

/** Chooses the way of execution once, by what the graphql module can do. */
export function createExecutor(settings: ExecuteSettings): Executor {
  const { graphql, execute: custom, hideSuggestions } = settings
  const options = { maxCoercionErrors: settings.maxErrors }
  const split = splitsExecution(graphql)
  const run = custom ?? (split ? splitExecute(graphql) : (args) => graphql.execute(args))
  // graphql 17's own `execute` publishes on the channel itself; everything else is published here.
  const publishes = split && custom !== undefined && custom === graphql.execute
  const channel = publishes ? undefined : tracingChannel('graphql:execute')
  // Code of others gets a signal that all of the platform takes; graphql's own gets the light one.
  const isOthers = custom !== undefined && custom !== graphql.execute
  return (operation, input) => {
    const args: ExecutionArgs = {
      schema: operation.schema,
      document: operation.document.document,
      rootValue: input.rootValue,
      contextValue: input.contextValue,
      variableValues: operation.params.variables,
      operationName: operation.definition.name?.value,
      hideSuggestions,
      options,
      ...(split || isOthers
        ? { abortSignal: signalFor(input.cancellation, isOthers) }
        : { fieldResolver: stoppingResolver(graphql.defaultFieldResolver, input.cancellation) }),
    }
    const result = trace(
      channel,
      () => describe(operation),
      () => run(args),
    )
    return andThen(result, toExecuted)
  }
}

function signalFor(cancellation: Cancellation, isReal: boolean): AbortSignal {
  return isReal ? cancellation.signal : (cancellation as unknown as AbortSignal)
}

/** graphql 17 in its two steps, since `execute` itself refuses a schema that contains @defer. */
function splitExecute(graphql: SplitGraphQLModule): ExecuteFunction {
  return (args) => {
    const validated = graphql.validateExecutionArgs(args)
    if (Array.isArray(validated)) return { errors: validated as readonly GraphQLError[] }
    return graphql.executeRootSelectionSet(validated)
  }
}

/** graphql 16 knows no signal: between two fields without a resolver of their own this stops it. */
function stoppingResolver(
  resolve: GraphQLFieldResolver<unknown, unknown>,
  cancellation: Cancellation,
): GraphQLFieldResolver<unknown, unknown> {
  return (source, args, context, info) => {
    cancellation.throwIfAborted()
    return resolve(source, args, context, info)
  }
}

/** On both majors errors without `data` mean that coercion failed before any resolver ran. */
function toExecuted(result: ExecutionResult): Executed {
  const { data, errors = [], extensions } = result
  if (data === undefined) {
    const [first] = errors
    if (first === undefined) throw new TypeError('execute: the result has neither data nor errors.')
    // A custom executor can fail in its own way; what graphql-js says of variables is for clients.
    if (!errors.every((error) => asShownError(error))) throw first
    return failure({ kind: 'variables', errors })
  }
  return success({ kind: 'single', data, errors, extensions })
}

/** The message of the channel, with the names that graphql 17 gives. */
function describe({ schema, document, definition, params }: Operation): object {
  return {
    schema,
    document: document.document,
    rawVariableValues: params.variables,
    operationName: definition.name?.value,
    operationType: definition.operation,
  }
}
