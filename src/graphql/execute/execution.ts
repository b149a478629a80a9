import type { Outcome } from '../../base/outcome.js'
import type { RequestError } from '../errors/request-error.js'
import type { CoercedVariables } from '../js/graphql.js'
import type { ChannelSettings } from '../js/tracing.js'
import type { ExecutionInput } from './arguments.js'
import type { Executor } from './execute.js'
import type { ErrorLimit } from './limit-errors.js'
import type { Operation } from './operation.js'
import type { Whole } from './result.js'

/** Like `Executed`, but the data may be JSON already. */
export type ExecutedText = Outcome<Whole, RequestError>

/** Runs an operation for a caller that only sends the result; synchronous if all resolvers are. */
export type TextExecutor = (
  operation: Operation,
  input: ExecutionInput,
) => ExecutedText | Promise<ExecutedText>

/**
 * Like `TextExecutor`, for the operations that it executes by itself. All events have the variables of graphql 17, if there are any;
 * those of 16 are coerced for each of them.
 */
export type EventExecutor = (
  operation: Operation,
  input: ExecutionInput,
  variableValues: CoercedVariables | undefined,
) => ReturnType<TextExecutor> | undefined

/** How an operation is executed: by a compiled plan, or by graphql-js for the reason given (closed union). */
export type ExecutionKind =
  | 'compiled'
  | 'not-enabled'
  | 'few-uses'
  | 'incremental'
  | 'introspection'
  | 'fragment-variables'
  | 'too-many-variants'
  | 'too-many-plans'
  | 'traced'
  | 'unsupported-operation'
  | 'unsupported-module'

/** What an execution gets from its handler. */
export interface ExecutionSettings extends ChannelSettings, ErrorLimit {
  readonly hideSuggestions: boolean
  readonly maxErrors: number
  /** The length at which writing stops with the bug of `checkLength`. */
  readonly maxResponseBytes: number
  /** Executes with graphql-js what is not compiled. */
  readonly interpret: Executor
}

/** Makes the execution of one handler. */
export type Execution = (settings: ExecutionSettings) => PreparedExecution

/** How the operations of one handler are executed. */
export interface PreparedExecution {
  readonly execute: TextExecutor
  /** Executes one event of a subscription, which is the root value; undefined if graphql-js has to. */
  readonly executeEvent: EventExecutor
  /** How the operation was executed last, or will be. */
  readonly describe: (operation: Operation) => ExecutionKind
}
