import type {
  ExecutionArgs,
  ExecutionResult,
  GraphQLSchema,
  OperationDefinitionNode,
} from 'graphql'
import { splitsExecution, type ExecuteResult } from '../js/graphql.js'
import type { ExecutionFollower } from '../js/tracing.js'
import type { Cancellation } from './cancellation.js'
import { fieldFailures } from './field-failures.js'
import { resolveOwn } from '../schema/inherited-names.js'
import { lateValues, watchLateDefault } from './late-values.js'
import type { ErrorLimit } from './limit-errors.js'
import type { Operation } from './operation.js'
import { pendingItems } from './pending-items.js'

/** An executor with the signature of `execute` of graphql-js, such as a compiling one. */
export type ExecuteFunction = (args: ExecutionArgs) => ExecuteResult

/** A function with the signature of `subscribe` of graphql-js: its source has the results. */
export type SubscribeFunction = (
  args: ExecutionArgs,
) => SubscribeResult | PromiseLike<SubscribeResult>

type SubscribeResult = AsyncIterable<unknown> | ExecutionResult

/** The inputs of execution besides the operation. */
export interface ExecutionInput {
  readonly rootValue: unknown
  readonly contextValue: unknown
  readonly cancellation: Cancellation
  /** The client that asks for a stream, for its share of the limits; undefined if unknown. */
  readonly client?: string | undefined
  /** Undefined if nothing follows this request alone. */
  readonly followers?: readonly ExecutionFollower[] | undefined
}

/** The arguments of graphql-js for an operation. */
export type ToArguments = (operation: Operation, input: ExecutionInput) => ExecutionArgs

export interface ArgumentSettings extends ErrorLimit {
  readonly execute: ExecuteFunction | undefined
  readonly hideSuggestions: boolean
  readonly maxErrors: number
}

/** Chooses once what the graphql module and a custom executor need. */
export function createArguments(settings: ArgumentSettings): ToArguments {
  const { graphql, hideSuggestions } = settings
  const { defaultFieldResolver } = graphql
  const options = { maxCoercionErrors: settings.maxErrors }
  const isOther = isCustom(settings)
  const repair = isOther || splitsExecution(graphql) ? undefined : repairer(settings)
  const watched = isOther ? undefined : watchLateDefault(defaultFieldResolver)
  return (operation, { rootValue, contextValue, cancellation }) => {
    const { schema, document, inherited } = operation.document
    const repaired = repair?.(operation, cancellation)
    const fieldResolver = repaired?.fieldResolver ?? watched
    // Custom executors get a real AbortSignal; graphql 17 itself gets the light one, and 16 supports none.
    const signal = isOther ? cancellation.signal : (cancellation as unknown as AbortSignal)
    return {
      schema,
      document: repaired?.document ?? document,
      rootValue,
      contextValue,
      variableValues: operation.params.variables,
      operationName: operation.definition.name?.value,
      fieldResolver: inherited.ofOutputs
        ? resolveOwn(fieldResolver ?? defaultFieldResolver)
        : fieldResolver,
      abortSignal: repaired === undefined ? signal : undefined,
      hideSuggestions,
      options,
    }
  }
}

function isCustom({ execute, graphql }: ArgumentSettings): boolean {
  return execute !== undefined && execute !== graphql.execute
}

/** Prepares a schema for graphql-js, which is done once, and an operation. */
export type OperationWatcher = (schema: GraphQLSchema, operation: OperationDefinitionNode) => void

export function createOperationWatcher(settings: ArgumentSettings): OperationWatcher {
  if (isCustom(settings)) return () => undefined
  const resolvers = splitsExecution(settings.graphql) ? lateValues : pendingItems.schemas
  return (schema, operation) => {
    resolvers.add(schema)
    fieldFailures.count(operation, settings)
  }
}

/**
 * graphql 16 does not support signals, so its resolvers are wrapped. They know an execution only by its
 * operation, which is therefore a copy for mutations: documents are cached, and executions share them. A copy
 * for each query would take a tenth of the time of a small one; there only the default resolver stops.
 */
function repairer(settings: ArgumentSettings) {
  const { defaultFieldResolver: defaultResolver } = settings.graphql
  const watched = pendingItems.watch(defaultResolver)
  return ({ definition, document: { document } }: Operation, cancellation: Cancellation) => {
    if (definition.operation !== 'mutation') {
      const fieldResolver = pendingItems.watchDefault(defaultResolver, cancellation)
      return { document, fieldResolver }
    }
    const own = { ...definition }
    pendingItems.begin(own, cancellation)
    fieldFailures.count(own, settings)
    const definitions = document.definitions.map((other) => (other === definition ? own : other))
    return { document: { ...document, definitions }, fieldResolver: watched }
  }
}
