import type { HttpResponse } from '../http/message.js'
import type { GraphQLFormattedError } from 'graphql'
import type { ExecutionKind } from '../graphql/execute/execution.js'
import type { ResponseHeaders } from '../http/response-headers.js'

/** The outcome of a request, for `onResult`. */
export interface ResultInfo {
  readonly status: number
  /** The name of the selected operation, if it has one. */
  readonly operationName: string | undefined
  /** Undefined if no operation was selected. */
  readonly operationType: 'query' | 'mutation' | 'subscription' | undefined
  /** The source text of the document; empty if the request names a stored one that does not exist. */
  readonly document: string
  /** The id of the stored document that the request named, if it named one. */
  readonly documentId: string | undefined
  /** The errors of the response as the client sees them; for a problem, one error. */
  readonly errors: readonly GraphQLFormattedError[]
  /** The code of each error; 'UNKNOWN' if a resolver's error has none. */
  readonly errorCodes: readonly string[]
  /** Whether the response has `data`, even if null; if false, no resolver was called. Undefined for a body that `around` made. */
  readonly hasData: boolean | undefined
  /** Time from receiving the head of the request to the response, in milliseconds. */
  readonly duration: number
  /** The cost of the operation; undefined if no operation was selected. */
  readonly cost: number | undefined
  /**
   * How the operation was executed: compiled, or by graphql-js for the reason given. Undefined if nothing was
   * executed, for subscriptions and results that are delivered in parts, and for routes.
   */
  readonly execution: ExecutionKind | undefined
  /** Whether the document was in the cache; undefined if none was looked for, and for routes. */
  readonly documentCached: boolean | undefined
  /** How the operation arrived. */
  readonly transport: 'http' | 'websocket' | 'in-process'
  /** The size of the response body in bytes, before compression; 0 for a stream, which has just begun. */
  readonly size: number
  /** Headers of the response. They can be set until the hook returns, and override all others. */
  readonly headers: ResponseHeaders
}

/** The response of `proceed`, for `around`. */
export interface ExecutedResponse extends HttpResponse {
  /** The errors as the client sees them, also where the status is 200. Of a stream, none are known yet. */
  readonly errors: readonly GraphQLFormattedError[]
}

/** A result that is about to be written, for `responseExtensions`. */
export interface ResultPart {
  /** Its errors as the client sees them. */
  readonly errors: readonly GraphQLFormattedError[]
  /** Whether it is not the last of its operation: a part of several, or an event of a subscription. */
  readonly hasNext: boolean
}
