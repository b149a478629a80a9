import type { GraphQLFormattedError, OperationDefinitionNode } from 'graphql'
import { Cancellation } from '../../graphql/execute/cancellation.js'
import type { ExecutionKind } from '../../graphql/execute/execution.js'
import { toKeptParams, type GraphQLParams } from '../../graphql/execute/params.js'
import type { Operation } from '../../graphql/execute/operation.js'
import type { Result } from '../../graphql/execute/result.js'
import type { ExecutionFollower } from '../../graphql/js/tracing.js'
import type { RequestHead } from '../../http/message.js'
import type { OperationRequest } from '../../options/operation-request.js'
import type { RequestInfo } from '../../options/request-info.js'
import type { Kinded } from './road.js'
import type { DocumentName } from '../../over-http/request/read-params.js'

/** The steps of a request, each in the order in which it comes; not every request has all of them. */
export type Step =
  | 'framing'
  | 'options'
  | 'ide'
  | 'requestLine'
  | 'accept'
  | 'content'
  | 'load'
  | 'credentials'
  | 'body'
  | 'url'
  | 'document'
  | 'schema'
  | 'prepare'
  | 'check'
  | 'cost'
  | 'admit'
  | 'around'
  | 'context'
  | 'execute'
  | 'respond'

/**
 * What is known of a request so far. Roads write it and do not read it: their values are locals. Hooks see it as a
 * `RequestInfo`; results, traces and `explain` are made of it.
 */
export interface Facts extends RequestInfo {
  /** The step that runs, or the last one. */
  at: Step
  /** Why it went no further; undefined if it made its response. */
  stop: Kinded | undefined
  principal: unknown
  params: GraphQLParams | undefined
  /** The definition of the operation, which is all that hooks see of it. */
  operation: OperationDefinitionNode | undefined
  cost: number | undefined
  /** How the request names its document, if it names a stored one. */
  documentName: DocumentName | undefined
  /** Whether the document was in the cache; undefined if none was looked for, and for routes. */
  documentCached: boolean | undefined
  prepared: Operation | undefined
  /** Resolvers set headers and hints here. */
  request: OperationRequest | undefined
  result: Result | undefined
  /** How the operation was executed; undefined for routes, which read the data, and without `onResult`. */
  execution: ExecutionKind | undefined
  /** The context value of resolvers, for `onResult`; undefined until it is made. */
  contextValue: unknown
  /** The errors of the response as the client sees them. */
  errors: readonly GraphQLFormattedError[]
  /** Undefined for a body that `around` made itself. */
  hasData: boolean | undefined
  /** As of `performance.now`; 0 if durations are not measured. */
  readonly startedAt: number
  /** The time limit of what waits, in place of `executionTimeout`. */
  timeout: number | undefined
  readonly cancellation: Cancellation
  /** Whether `around` has dropped the stream of its operation, which cancels that, and not the request. */
  isStreamDropped: boolean
  /** Those that follow the executions of this request; undefined for most requests. */
  followers: readonly ExecutionFollower[] | undefined
}

export function beginFacts(head: RequestHead, startedAt: number): Facts {
  const cancellation = new Cancellation()
  return {
    head,
    target: head.originalTarget ?? head.target,
    at: 'framing',
    stop: undefined,
    principal: undefined,
    params: undefined,
    operation: undefined,
    cost: undefined,
    documentName: undefined,
    documentCached: undefined,
    prepared: undefined,
    request: undefined,
    result: undefined,
    execution: undefined,
    contextValue: undefined,
    errors: noErrors,
    hasData: false,
    startedAt,
    timeout: undefined,
    key: cancellation,
    cancellation,
    isStreamDropped: false,
    followers: undefined,
  }
}

const noErrors: readonly GraphQLFormattedError[] = []

/** Notes the prepared operation, and what hooks can see of it. */
export function noteOperation(facts: Facts, operation: Operation): void {
  facts.prepared = operation
  facts.params = operation.params
  facts.operation = operation.definition
  facts.cost = operation.costs.cost
}

/**
 * Lets go of what only the response needed: a stream can be open for hours, and a resolver can ignore for as long that its
 * operation was cancelled. Hooks still see the request; then without `extensions` and undeclared variables, which the deferred
 * fields of a result may still read.
 */
export function forgetRequest(facts: Facts): void {
  const { prepared, cancellation } = facts
  if (prepared !== undefined) {
    const { operation } = prepared.definition
    // Hooks and resolvers may hold the operation, too.
    if (operation === 'subscription' || cancellation.aborted) {
      prepared.params = toKeptParams(prepared.params, prepared.definition)
      facts.params = prepared.params
    }
  }
  facts.prepared = undefined
  facts.request = undefined
  facts.contextValue = undefined
  facts.result = undefined
}
