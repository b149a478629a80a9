import type {
  DocumentNode,
  FragmentDefinitionNode,
  GraphQLSchema,
  OperationDefinitionNode,
} from 'graphql'
import { cacheHintShape, type CacheHint } from '../graphql/cache/cache-hint.js'
import { CachePolicies } from '../graphql/cache/cache-policies.js'
import {
  restrict,
  restrictBy,
  unrestricted,
  type CachePolicy,
} from '../graphql/cache/cache-policy.js'
import type { Cancellation } from '../graphql/execute/cancellation.js'
import type { GraphQLParams } from '../graphql/execute/params.js'
import type { Operation } from '../graphql/execute/operation.js'
import { rootFields } from '../graphql/limits/root-fields.js'
import type { AddressReader } from '../http/client-address.js'
import { fieldValue, type RequestHead } from '../http/message.js'
import { ResponseHeaders } from '../http/response-headers.js'
import { checkOptions } from '../shapes/shape.js'
import { isEventId } from '../base/resumable.js'

/** Remembers the policy of each operation. Marked as pure, so that bundles without hints leave it out. */
const policies = /* @__PURE__ */ new CachePolicies()

/**
 * A request whose operation is about to run, as hooks see it. It is also the context value of resolvers
 * if there is no `context` option. Members that are expensive to compute are computed when first read.
 */
export class OperationRequest<Raw = unknown, Principal = unknown> {
  readonly head: RequestHead<Raw>
  /** What `authenticate` returned. */
  readonly principal: Principal
  /** How it arrived: in a request of its own, in a batch, over a WebSocket, or through a route, a tool or a custom surface. */
  readonly via: 'http' | 'batch' | 'websocket' | 'route' | 'tool' | 'surface'
  readonly #operation: Operation
  readonly #cancellation: Cancellation
  readonly #clientOf: AddressReader
  #responseHeaders: ResponseHeaders | undefined
  #rootFields: readonly string[] | undefined
  #hinted: CachePolicy | undefined

  constructor(
    head: RequestHead<Raw>,
    principal: Principal,
    via: OperationRequest['via'],
    operation: Operation,
    cancellation: Cancellation,
    clientOf: AddressReader,
  ) {
    this.head = head
    this.principal = principal
    this.via = via
    this.#operation = operation
    this.#cancellation = cancellation
    this.#clientOf = clientOf
  }

  /** The target as the client sent it, even if a router has removed a prefix. */
  get target(): string {
    return this.head.originalTarget ?? this.head.target
  }

  /**
   * The client, as `clientShare` counts it: its address behind `trustedProxies`, or its network for IPv6. Undefined where
   * the runtime gives no address.
   */
  get client(): string | undefined {
    return this.#clientOf(this.head)
  }

  /** The same object in all hooks of an operation, as the key of a WeakMap; `createState` uses it. */
  get key(): object {
    return this.#cancellation
  }

  /** The checked parameters of the request, `extensions` among them. */
  get params(): GraphQLParams {
    return this.#operation.params
  }

  /** The schema of the request. */
  get schema(): GraphQLSchema {
    return this.#operation.schema
  }

  /** The definition of the selected operation. */
  get operation(): OperationDefinitionNode {
    return this.#operation.definition
  }

  /** The whole document, which may have other operations, too. Its source text is `params.query`. */
  get document(): DocumentNode {
    return this.#operation.document.incremental ?? this.#operation.document.document
  }

  /** The fragments of the document by name. */
  get fragments(): ReadonlyMap<string, FragmentDefinitionNode> {
    return this.#operation.document.fragments
  }

  /**
   * The names of the root fields, once for each alias. Fields excluded by `@skip` and `@include` are left
   * out.
   */
  get rootFields(): readonly string[] {
    return (this.#rootFields ??= rootFields(
      this.operation,
      this.#operation.document.fragments,
      this.params.variables ?? {},
    ))
  }

  /** Cost of the operation: each field costs 1, times the sizes of the lists around it. */
  get cost(): number {
    return this.#operation.costs.cost
  }

  /** Fires when the client disconnects or the time limit is reached. Pass it to functions that take an AbortSignal. */
  get signal(): AbortSignal {
    return this.#cancellation.signal
  }

  /** Headers and cookies of the response, which resolvers can set while the operation runs. */
  get responseHeaders(): ResponseHeaders {
    return (this.#responseHeaders ??= new ResponseHeaders())
  }

  /** The response headers, if any were set. */
  get touchedHeaders(): ResponseHeaders | undefined {
    return this.#responseHeaders
  }

  /**
   * Shortens how long caches may store the response, or makes it private: of all hints the strictest holds, and
   * those of the schema cannot be loosened. Used by the option `cacheHints`, and by caches of responses.
   */
  cacheHint(hint: CacheHint): void {
    checkOptions('cacheHint', hint, cacheHintShape)
    this.#hinted = restrictBy(this.#hinted ?? unrestricted, hint)
  }

  /** How the response may be stored, by the hints of the schema and those of resolvers so far. */
  get cachePolicy(): CachePolicy {
    const declared = policies.of(this.#operation)
    return this.#hinted === undefined ? declared : restrict(declared, this.#hinted)
  }

  /** The id of the last event that the client has seen, if it connects again over SSE and events are `resumable`. */
  get lastEventId(): string | undefined {
    const id = this.header('last-event-id')
    return id !== undefined && isEventId(id) ? id : undefined
  }

  /** Returns the value of a request header; several lines are joined by commas. */
  header(name: string): string | undefined {
    return fieldValue(this.head.headers, name.toLowerCase())
  }
}
