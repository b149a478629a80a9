import type { GraphQLFormattedError, GraphQLSchema, OperationDefinitionNode } from 'graphql'
import { Cancellation } from '../../graphql/execute/cancellation.js'
import type { ExecutionKind } from '../../graphql/execute/execution.js'
import { toStreamParams, type GraphQLParams } from '../../graphql/execute/params.js'
import type { Operation } from '../../graphql/execute/operation.js'
import type { Result } from '../../graphql/execute/result.js'
import type { BodyChunks, ParsedJson, RequestHead } from '../../http/message.js'
import type { ResponseHeaders } from '../../http/response-headers.js'
import type { OperationRequest } from '../../options/operation-request.js'
import type { RequestInfo } from '../../options/request-info.js'
import type { OpenUpload } from '../../options/upload-reader.js'
import type { DocumentName } from '../../over-http/request/document-params.js'
import type { Encoding } from '../../over-http/response/choose-encoding.js'

/**
 * A request on its way to its response. Each stage adds what it finds out; hooks see it as a `RequestInfo`.
 * What a stage reads, an earlier one in its list has written.
 */
export interface Exchange extends RequestInfo {
  principal: unknown
  params: GraphQLParams | undefined
  /** The definition of the operation, which is all that hooks see of it. */
  operation: OperationDefinitionNode | undefined
  cost: number | undefined
  /** How the request names its document, if it names a stored one. */
  documentName: DocumentName | undefined
  /** Whether a document came with its hash and is not stored yet. */
  isNewDocument: boolean
  /** Whether the load gate currently counts it. */
  isCounted: boolean
  /** Whether the parameters are in the body, which is then read. */
  hasBody: boolean
  body: Uint8Array | ParsedJson | BodyChunks | undefined
  /** What separates the parts of a multipart body, where uploads are accepted; else undefined. */
  boundary: string | undefined
  /** The body with files, while it is being read. */
  upload: OpenUpload | undefined
  schema: GraphQLSchema | undefined
  prepared: Operation | undefined
  /** Whether its document is in the cache, as far as is known: false once it was not. Undefined for routes. */
  documentCached: boolean | undefined
  request: OperationRequest | undefined
  contextValue: unknown
  /** The headers of a route, for its success; they are added after those of resolvers. */
  routeHeaders: ResponseHeaders | undefined
  result: Result | undefined
  /** How the operation was executed; undefined for routes, which read the data, and without `onResult`. */
  execution: ExecutionKind | undefined
  /** The errors of the response as the client sees them. */
  errors: readonly GraphQLFormattedError[]
  /** Undefined for a body that `around` made itself. */
  hasData: boolean | undefined
  /** As of `performance.now`; 0 if durations are not measured. */
  readonly startedAt: number
  readonly cancellation: Cancellation
  /** Routes have only one encoding. */
  readonly encoding: Encoding | undefined
}

export function beginExchange<Chosen extends Encoding | undefined>(
  head: RequestHead,
  startedAt: number,
  encoding: Chosen,
): Exchange & { readonly encoding: Chosen } {
  return {
    head,
    target: head.originalTarget ?? head.target,
    principal: undefined,
    params: undefined,
    operation: undefined,
    cost: undefined,
    documentName: undefined,
    isNewDocument: false,
    isCounted: false,
    hasBody: false,
    body: undefined,
    boundary: undefined,
    upload: undefined,
    schema: undefined,
    prepared: undefined,
    documentCached: true,
    request: undefined,
    contextValue: undefined,
    routeHeaders: undefined,
    result: undefined,
    execution: undefined,
    errors: noErrors,
    hasData: false,
    startedAt,
    cancellation: new Cancellation(),
    encoding,
  }
}

/**
 * Lets go of what only the stages need: a stream can be open for hours. Hooks still see the request; of a subscription
 * without `extensions` and without undeclared variables.
 */
export function forgetRequest(exchange: Exchange): void {
  const { prepared } = exchange
  if (prepared?.definition.operation === 'subscription') {
    // Hooks and resolvers may hold the operation, too.
    prepared.params = toStreamParams(prepared.params, prepared.definition)
    exchange.params = prepared.params
  }
  exchange.body = undefined
  exchange.prepared = undefined
  exchange.request = undefined
  exchange.result = undefined
}

const noErrors: readonly GraphQLFormattedError[] = []

/** Whether the document of a request was cached; undefined if none was looked for, as before the schema is known. */
export function isCached({ schema, documentCached }: Exchange): boolean | undefined {
  return schema === undefined ? undefined : documentCached
}
