import type { ExecutionArgs, GraphQLSchema, OperationDefinitionNode } from 'graphql'
import { splitsExecution, type ExecuteResult } from '../js/graphql.js'
import type { Cancellation } from './cancellation.js'
import { fieldFailures } from './field-failures.js'
import { resolveOwn } from '../schema/inherited-names.js'
import { lateValues, watchLateDefault } from './late-values.js'
import type { ErrorLimit } from './limit-errors.js'
import type { Operation } from './operation.js'
import { pendingItems } from './pending-items.js'

/** An executor with the signature of `execute` of graphql-js, such as a compiling one. */
export type ExecuteFunction = (args: ExecutionArgs) => ExecuteResult

/** The inputs of execution besides the operation. */
export interface ExecutionInput {
  readonly rootValue: unknown
  readonly contextValue: unknown
  readonly cancellation: Cancellation
  /** Who asks for a stream, for its share of what all clients share; undefined if it cannot be told. */
  readonly client?: string | undefined
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
  const defaultResolver = graphql.defaultFieldResolver
  const options = { maxCoercionErrors: settings.maxErrors }
  // Custom executors get a real AbortSignal; graphql-js itself gets the light one.
  const bind = isCustom(settings)
    ? bindForOthers
    : splitsExecution(graphql)
      ? binderFor17(defaultResolver)
      : binderFor16(defaultResolver)
  return (operation, input) => {
    const { schema, inherited } = operation.document
    const { document, fieldResolver, abortSignal } = bind(operation, input.cancellation)
    return {
      schema,
      document,
      rootValue: input.rootValue,
      contextValue: input.contextValue,
      variableValues: operation.params.variables,
      operationName: operation.definition.name?.value,
      fieldResolver: inherited.ofOutputs
        ? resolveOwn(fieldResolver ?? defaultResolver)
        : fieldResolver,
      abortSignal,
      hideSuggestions,
      options,
    }
  }
}

/** The arguments that depend on the executor and on how an execution is stopped. */
type Bound = Pick<ExecutionArgs, 'document' | 'fieldResolver' | 'abortSignal'>

type DefaultResolver = ArgumentSettings['graphql']['defaultFieldResolver']

type Binder = (operation: Operation, cancellation: Cancellation) => Bound

const bindForOthers: Binder = ({ document: { document } }, { signal }) => ({
  document,
  fieldResolver: undefined,
  abortSignal: signal,
})

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
    fieldFailures.add(schema, settings)
    fieldFailures.count(operation)
  }
}

function binderFor17(defaultResolver: DefaultResolver): Binder {
  const fieldResolver = watchLateDefault(defaultResolver)
  return ({ document: { document } }, cancellation) => ({
    document,
    fieldResolver,
    abortSignal: cancellation as unknown as AbortSignal,
  })
}

/**
 * graphql 16 does not support signals, so its resolvers are wrapped. They know an execution only by its
 * operation, which is therefore a copy for mutations: documents are cached, and executions share them. A copy
 * for each query would take a tenth of the time of a small one; there only the default resolver stops.
 */
function binderFor16(defaultResolver: DefaultResolver): Binder {
  const watched = pendingItems.watch(defaultResolver)
  return ({ definition, document: { document } }, cancellation) => {
    if (definition.operation !== 'mutation') {
      pendingItems.begin(definition)
      const fieldResolver = pendingItems.watchDefault(defaultResolver, cancellation)
      return { document, fieldResolver, abortSignal: undefined }
    }
    const own = { ...definition }
    pendingItems.beginAlone(own, cancellation)
    fieldFailures.count(own)
    const definitions = document.definitions.map((other) => (other === definition ? own : other))
    return {
      document: { ...document, definitions },
      fieldResolver: watched,
      abortSignal: undefined,
    }
  }
}
