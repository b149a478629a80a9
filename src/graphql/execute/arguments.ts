import type { ExecutionArgs, GraphQLFieldResolver } from 'graphql'
import { splitsExecution, type ExecuteResult, type GraphQLModule } from '../js/graphql.js'
import type { Cancellation } from './cancellation.js'
import { resolveOwn, type InheritedNames } from './inherited-names.js'
import { handleUnread, lateValues, watchLate } from './late-values.js'
import type { Operation } from './operation.js'
import { pendingItems } from './pending-items.js'

/** An executor with the signature of `execute` of graphql-js, such as a compiling one. */
export type ExecuteFunction = (args: ExecutionArgs) => ExecuteResult

/** The inputs of execution besides the operation. */
export interface ExecutionInput {
  readonly rootValue: unknown
  readonly contextValue: unknown
  readonly cancellation: Cancellation
}

/** The arguments of graphql-js for an operation. */
export type ToArguments = (operation: Operation, input: ExecutionInput) => ExecutionArgs

export interface ArgumentSettings {
  readonly graphql: GraphQLModule
  readonly execute: ExecuteFunction | undefined
  readonly hideSuggestions: boolean
  readonly maxErrors: number
}

/** Chooses once what the graphql module and a custom executor need. */
export function createArguments(
  settings: ArgumentSettings,
  names: InheritedNames,
  defaultResolver: GraphQLFieldResolver<unknown, unknown> = settings.graphql.defaultFieldResolver,
): ToArguments {
  const { graphql, execute: custom, hideSuggestions } = settings
  const options = { maxCoercionErrors: settings.maxErrors }
  const split = splitsExecution(graphql)
  // Custom executors get a real AbortSignal; graphql-js itself gets the light one.
  const isOthers = custom !== undefined && custom !== graphql.execute
  const fieldResolver17 = split && !isOthers ? watchLate(defaultResolver) : undefined
  return (operation, input) => {
    const { schema } = operation.document
    const args: ExecutionArgs = {
      schema,
      document: operation.document.document,
      rootValue: input.rootValue,
      contextValue: input.contextValue,
      variableValues: operation.params.variables,
      operationName: operation.definition.name?.value,
      hideSuggestions,
      options,
      ...(split || isOthers
        ? { abortSignal: signalFor(input.cancellation, isOthers) }
        : argumentsFor16(operation, defaultResolver, input.cancellation)),
    }
    if (fieldResolver17 !== undefined) {
      lateValues.add(schema)
      args.fieldResolver = fieldResolver17
    }
    if (names.of(schema).ofOutputs) {
      args.fieldResolver = resolveOwn(args.fieldResolver ?? defaultResolver)
    }
    return args
  }
}

function signalFor(cancellation: Cancellation, isReal: boolean): AbortSignal {
  return isReal ? cancellation.signal : (cancellation as unknown as AbortSignal)
}

/**
 * graphql 16 does not support signals, so its resolvers are wrapped. They know an execution only by its
 * operation, which is therefore a copy for mutations: documents are cached, and executions share them. A copy
 * for each query would take a tenth of the time of a small one; there only the default resolver stops.
 */
function argumentsFor16(
  { schema, definition, document: { document } }: Operation,
  defaultResolver: GraphQLFieldResolver<unknown, unknown>,
  cancellation: Cancellation,
): Pick<ExecutionArgs, 'document' | 'fieldResolver'> {
  if (definition.operation !== 'mutation') {
    pendingItems.begin(schema, definition)
    const stopping = stoppingResolver(defaultResolver, cancellation)
    return { document, fieldResolver: pendingItems.watch(stopping) }
  }
  const own = { ...definition }
  pendingItems.beginAlone(schema, own, cancellation)
  return {
    document: {
      ...document,
      definitions: document.definitions.map((other) => (other === definition ? own : other)),
    },
    fieldResolver: pendingItems.watch(defaultResolver),
  }
}

/** The promises in the objects that are then not read are handled, or they would end the process by rejecting. */
function stoppingResolver(
  resolve: GraphQLFieldResolver<unknown, unknown>,
  cancellation: Cancellation,
): GraphQLFieldResolver<unknown, unknown> {
  // The fields of an object come one after another, so remembering one is enough.
  let unread: unknown
  return (source, args, context, info) => {
    if (cancellation.aborted && source !== unread) {
      unread = source
      handleUnread(source)
    }
    cancellation.throwIfAborted()
    return resolve(source, args, context, info)
  }
}
