import type { GraphQLFormattedError } from 'graphql'
import type { Outcome } from '../base/outcome.js'
import type { BugDetails } from '../graphql/errors/format-errors.js'
import type { LimitReport } from '../graphql/limits/limits.js'
import type { MaybePromise, HttpResponse, RequestHead } from '../http/message.js'
import type { HeaderRecord } from '../http/response-headers.js'
import type { Denial } from '../over-http/refusals.js'
import type { Shapes } from '../shapes/shape.js'
import { aFunction } from '../shapes/shapes.js'
import type { StreamEnd, StuckSource } from '../streams/streams.js'
import type { OperationRequest } from './operation-request.js'
import type { CompletedRequest, RequestInfo } from './request-info.js'
import type { ExecutedResponse, ResultInfo, ResultPart } from './result-info.js'

/** Functions that take part in a request: of the embedder, and of extensions. */
export interface Hooks<Raw = unknown, Principal = unknown> {
  /** Changes how a GraphQL error is shown; `error` is that of graphql-js, with the thrown one as `originalError`. Default: unchanged. */
  formatError?(
    formatted: GraphQLFormattedError,
    error: unknown,
    request: RequestInfo<Raw, Principal>,
  ): GraphQLFormattedError
  /** Called with every masked error and every bug, the id that the client saw, and the request unless a host failed. Default: prints ten of each request. */
  onBug?(bug: unknown, details: BugDetails, request?: RequestInfo<Raw, Principal>): void
  /** Called with each source of a subscription that has not finished long after its stream ended. Default: console.warn. */
  onStuck?(source: StuckSource): void
  /** Called with each stream that has ended: its transport, cause, duration and number of events. Default: none. */
  onStreamEnd?(report: StreamEnd, request: RequestInfo<Raw, Principal>): unknown
  /** Called with each handshake for a WebSocket and its response: 101, or a refusal. Default: none. */
  onHandshake?(head: RequestHead<Raw>, response: HttpResponse): unknown
  /** When the credentials of a caller expire; its open streams then end. A number is in milliseconds since 1970. Default: never. */
  credentialExpiry?(principal: Principal): Date | number | undefined
  /** Whether the credentials of an open stream are still valid, asked every `recheckInterval`. Default: always. */
  recheck?(principal: Principal, head: RequestHead<Raw>): MaybePromise<boolean>
  /** Identifies the caller or rejects with 401/403, before the body is read. Default: accepts all requests. */
  authenticate?(head: RequestHead<Raw>): MaybePromise<Outcome<Principal, Denial>>
  /** Called before execution, with the operation known; returns a denial to reject it. Default: accepts all operations. */
  admit?(request: OperationRequest<Raw, Principal>): MaybePromise<Denial | undefined | void>
  /** Runs in place of the execution; `proceed()` executes and returns the response. Default: proceeds. */
  around?(
    request: OperationRequest<Raw, Principal>,
    proceed: () => ExecutedResponse | Promise<ExecutedResponse>,
  ): MaybePromise<HttpResponse | Denial>
  /** Returns additional headers for any response, including refusals. Default: none. */
  responseHeaders?(
    response: HttpResponse,
    head: RequestHead<Raw>,
    request: RequestInfo<Raw, Principal>,
  ): HeaderRecord | undefined
  /** Returns members for the `extensions` of a result that was executed: whole, an event, or a part. Default: none. */
  responseExtensions?(
    request: CompletedRequest<Raw, Principal>,
    result: ResultPart,
  ): { readonly [name: string]: unknown } | undefined
  /** Called once for every GraphQL response, with its outcome and the context value, if one was made. Default: none. */
  onResult?(
    request: CompletedRequest<Raw, Principal>,
    result: ResultInfo,
    context?: unknown,
  ): unknown
  /** Called with each document that exceeds a limit of `reportOnly`. Default: console.warn. */
  onLimit?(report: LimitReport, request?: RequestInfo<Raw, Principal>): void
}

/** The valid values of each hook. A hook without a row does not compile. */
export const hookShapes: Shapes<Hooks> = {
  formatError: aFunction,
  onBug: aFunction,
  onStuck: aFunction,
  onStreamEnd: aFunction,
  onHandshake: aFunction,
  credentialExpiry: aFunction,
  recheck: aFunction,
  authenticate: aFunction,
  admit: aFunction,
  around: aFunction,
  responseHeaders: aFunction,
  responseExtensions: aFunction,
  onResult: aFunction,
  onLimit: aFunction,
}
