import type { OperationTypeNode } from 'graphql'

/** Every reason to reject a request at the HTTP level, before GraphQL processes it (closed union). */
export type Refusal =
  | { readonly kind: 'not-found'; readonly path: string }
  | { readonly kind: 'method-not-allowed'; readonly method: string; readonly get: boolean }
  | { readonly kind: 'operation-not-allowed'; readonly operation: string; readonly method: string }
  | { readonly kind: 'uri-too-long'; readonly limit: number; readonly found: number }
  | { readonly kind: 'too-many-headers'; readonly limit: number; readonly found: number }
  | { readonly kind: 'invalid-host'; readonly host: string }
  | { readonly kind: 'unsupported-transfer-coding'; readonly coding: string }
  | { readonly kind: 'mutation-by-query' }
  | {
      readonly kind: 'not-acceptable'
      readonly operation?: OperationTypeNode
      /** Whether the body is a list of requests. */
      readonly isBatch?: boolean
    }
  | { readonly kind: 'cross-site'; readonly origin: string | undefined }
  | { readonly kind: 'foreign-socket'; readonly origin: string }
  | {
      readonly kind: 'header-missing'
      readonly names: readonly string[]
      readonly isUpload?: boolean
    }
  | { readonly kind: 'cancelled'; readonly cause: CancelCause }
  | { readonly kind: 'overloaded'; readonly by: 'requests' | 'event-loop' | 'streams' | 'uploads' }
  | { readonly kind: 'internal'; readonly id: string }
  | BodyRefusal
  | DocumentRefusal
  | Denial

/** What can be wrong with the name of a stored document. */
export type DocumentRefusal =
  | { readonly kind: 'document-not-found'; readonly id: string }
  | { readonly kind: 'persisted-query-not-found' }
  | { readonly kind: 'document-id-required' }
  | { readonly kind: 'document-mismatch' }

/** What can be wrong with a body, and with parameters wherever they are. */
export type BodyRefusal =
  | {
      readonly kind: 'unsupported-encoding'
      readonly coding: string
      readonly supported: readonly string[]
    }
  | { readonly kind: 'broken-encoding'; readonly coding: string }
  | { readonly kind: 'unsupported-media-type'; readonly mediaType: string | undefined }
  | { readonly kind: 'unsupported-charset'; readonly charset: string }
  | { readonly kind: 'content-on-get'; readonly mediaType: string }
  | {
      readonly kind: 'body-too-large'
      readonly limit: number
      readonly found?: number
      readonly isDecompressed?: boolean
    }
  | { readonly kind: 'document-too-long'; readonly limit: number; readonly found: number }
  | { readonly kind: 'invalid-utf-8' }
  | { readonly kind: 'invalid-json'; readonly where: string; readonly detail: string }
  | { readonly kind: 'json-too-deep'; readonly where: string; readonly limit: number }
  | {
      readonly kind: 'invalid-parameter'
      readonly name: string
      /** Undefined if a required parameter is missing. */
      readonly expected: string | undefined
    }
  | { readonly kind: 'batching-not-supported' }
  | { readonly kind: 'batch-empty' }
  | { readonly kind: 'batch-too-long'; readonly limit: number; readonly found: number }
  | {
      readonly kind: 'batch-too-expensive'
      readonly of: 'cost' | 'introspection'
      readonly limit: number
      readonly found: number
    }
  | { readonly kind: 'not-in-batch'; readonly what: 'subscription' | 'parts' }
  | { readonly kind: 'not-over-websocket'; readonly type: 'query' | 'mutation' }
  | { readonly kind: 'upload-malformed'; readonly problem: string }
  | { readonly kind: 'upload-path'; readonly path: string }
  | { readonly kind: 'too-many-files'; readonly limit: number; readonly found: number }
  | {
      readonly kind: 'upload-too-large'
      readonly of: 'parameters' | 'files'
      readonly limit: number
      readonly found?: number
    }

/** Why work was cancelled. */
export type CancelCause = 'client-gone' | 'timed-out'

/** The denials that `authenticate` and `admit` can return. */
export type Denial =
  | {
      readonly kind: 'unauthenticated'
      /** The `WWW-Authenticate` that RFC 9110 section 15.5.2 requires for a 401, such as `Bearer`. */
      readonly challenge: string
      readonly message?: string
      /** `extensions.code` of the error, or `code` of the problem. Default: 'UNAUTHENTICATED'. */
      readonly code?: string
    }
  | { readonly kind: 'forbidden'; readonly message?: string }
  | { readonly kind: 'rate-limited'; readonly retryAfter: number; readonly message?: string }
  | { readonly kind: 'unavailable'; readonly retryAfter: number; readonly message?: string }
  | {
      readonly kind: 'denied'
      readonly status: number
      readonly message?: string
      /** `extensions.code` of the error, or `code` of the problem. Default: 'DENIED'. */
      readonly code?: string
    }
