import type { OperationDefinitionNode } from 'graphql'
import type { BugDetails } from '../graphql/errors/format-errors.js'
import type { GraphQLParams } from '../graphql/execute/params.js'
import type { RequestHead } from '../http/message.js'

/** A request as hooks see it. Members are undefined until their stage has run. */
export interface RequestInfo<Raw = unknown, Principal = unknown> {
  readonly head: RequestHead<Raw>
  /** The target as the client sent it, even if a router has removed a prefix. */
  readonly target: string
  /** What `authenticate` returned; undefined until then. */
  readonly principal: Principal | undefined
  /** The parameters of the request; undefined until they are read and checked. */
  readonly params: GraphQLParams | undefined
  /** The definition of the operation; undefined until it is selected. */
  readonly operation: OperationDefinitionNode | undefined
  /** The cost of the operation; undefined until it is selected. */
  readonly cost: number | undefined
  /** The same object in all hooks of an operation, as the key of a WeakMap; `createState` uses it. */
  readonly key: object
}

/** A request that `authenticate` has accepted. */
export interface AuthenticatedRequest<Raw = unknown, Principal = unknown> extends RequestInfo<
  Raw,
  Principal
> {
  readonly principal: Principal
}

/** A request that received a GraphQL response. */
export interface CompletedRequest<Raw = unknown, Principal = unknown> extends AuthenticatedRequest<
  Raw,
  Principal
> {
  readonly params: GraphQLParams
}

/** Receives a bug, where it happened, and the request unless the host failed. */
export type BugReporter = (bug: unknown, details: BugDetails, request?: RequestInfo) => void
