import { mostHeaderLines } from '../http/message.js'
import { limitRows, type DocumentLimits, type LimitNumbers } from '../graphql/limits/limits.js'
import {
  amount,
  bytes,
  limit,
  milliseconds,
  resolveNumbers,
  shapesOf,
  type NumbersOf,
  type Resolved,
} from '../shapes/number-row.js'
import type { Shapes } from '../shapes/shape.js'
import { streamRows, type StreamNumbers, type StreamSettings } from './stream-options.js'
import { numberFrom } from '../shapes/shapes.js'

/** The numeric options of a handler; those about documents are in `limits`. */
export interface NumericSettings extends Resolved<RequestNumbers>, StreamSettings {
  readonly limits: DocumentLimits
}

export interface NumericOptions extends RequestNumbers, StreamNumbers, LimitNumbers {}

const MiB = 1024 * 1024

export const requestRows = {
  /** Maximum length of a URL, in characters. Default: 8,192. */
  // Beyond it: 414; 431 if the head is then larger than `maxHeaderBytes`. Reason: a longer GET is
  // better sent as POST or QUERY.
  maxUrlLength: limit(8192),
  /** Maximum number of header lines in a request. At most 250. Default: 100. */
  // Beyond it: 431. Reason: Node's own limit drops lines silently, even Authorization; `listen`
  // sets it higher than the most.
  maxHeaderCount: limit(100, {
    most: mostHeaderLines,
  }),
  /** Maximum size of a request body, in bytes. Applies to a compressed body before and after decoding. Default: 1 MiB. */
  // Beyond it: 413. Reason: bounds the memory of one request before anything is known about it.
  maxBodyBytes: amount(MiB, {
    doc: 'Maximum size of a request body.',
    unit: 'bytes',
    flag: 'max-body',
  }),
  /** Maximum nesting of the JSON of a request. At most 512. Default: 128. */
  // Beyond it: 400. Reason: deep values overflow the stack of code that walks them later.
  maxJsonNesting: limit(128, {
    most: 512,
  }),
  /** Maximum length of a document, in characters. Default: 65,536. */
  // Beyond it: 413. Reason: documents are small; large values belong in the variables.
  maxDocumentLength: limit(65_536),
  /** Assumed size of a list whose size argument is not given. A list without a size argument counts half. Default: 10. */
  // Reason: part of the cost.
  costListSize: amount(10),
  /** Maximum size of a list that resolvers return, whatever a size argument asks for. Default: Infinity. */
  // Reason: part of the cost.
  costMaxListSize: amount(Infinity),
  /** Maximum number of errors reported about a document, and about its variables. Default: 5. */
  // Reason: a small document can produce thousands; a final error says that there are more.
  maxErrors: limit(5),
  /** Maximum number of fields of an operation that fail. With more, the operation is stopped. Default: 1,000. */
  // Beyond it: `data` is null, with the code `TOO_MANY_FIELD_ERRORS`. Reason: an error takes as
  // long as a hundred fields.
  maxFieldErrors: amount(1000),
  /** Maximum length of an error message of graphql-js about a request, in characters. Default: 200. */
  // Reason: they can repeat much of the request.
  maxMessageLength: limit(200),
  /** Time limit for the stages of a request that wait, such as its operation, in milliseconds. Default: 10,000. */
  // Beyond it: 503. Reason: a slow backend must not block requests forever; resolvers get an
  // AbortSignal and can stop their work.
  executionTimeout: milliseconds(10_000, {
    doc: 'Time limit for the stages of a request that wait, such as its operation.',
    flag: 'timeout',
  }),
  /** Maximum number of requests that are waiting for their response. Default: 1,000. */
  // Beyond it: 503, with Retry-After. Reason: rejecting a few is better than delaying all; counts
  // requests that wait for `authenticate`, or between a complete body and the response, and those
  // of clients that left, until their resolvers end.
  maxInFlight: limit(1000, {
    doc: 'Maximum number of requests that are waiting for their response.',
    flag: 'max-in-flight',
  }),
  /** Maximum share of waiting requests, open streams, their memory, sockets, pending messages, bodies and uploads that one client may hold, in percent. Clients are identified by their address. At most 100. Default: 50. */
  // Beyond it: as beyond the limit itself. Reason: one client must not use up what all share. IPv6
  // addresses of one /64 are one client; behind proxies, set `trustedProxies`.
  clientShare: limit(50, {
    doc: 'Maximum share of waiting requests, open streams, their memory, sockets, pending messages, bodies and uploads that one client may hold, in percent.',
    most: 100,
    flag: 'client-share',
  }),
  /** Number of proxies in front of the server whose `X-Forwarded-For` is trusted. At most 100. Default: 0. */
  // Reason: otherwise all clients behind a proxy count as one.
  trustedProxies: amount(0, {
    doc: 'Number of proxies in front of the server whose `X-Forwarded-For` is trusted.',
    most: 100,
    flag: 'trusted-proxies',
  }),
  /** Reject requests while the event loop is delayed by more than this, in milliseconds. Default: Infinity. */
  // Beyond it: 503, with Retry-After. Reason: an overloaded process recovers faster with less work.
  maxEventLoopDelay: limit(Infinity, {
    doc: 'Reject requests while the event loop is delayed by more than this.',
    unit: 'ms',
    flag: 'max-event-loop-delay',
  }),
  /** Maximum size of a response body, in bytes. Default: 10 MiB. */
  // Beyond it: 500, masked. Reason: an unbounded list is a bug in the server.
  maxResponseBytes: limit(10 * MiB, {
    unit: 'bytes',
  }),
  /** Maximum number of parsed and validated documents to keep for each schema. Default: 500. */
  // Reason: invalid documents have their own cache, a tenth as large.
  documentCacheEntries: amount(500, {
    most: Number.MAX_SAFE_INTEGER,
  }),
  /** Maximum memory for cached documents, estimated from their source, in bytes. Default: 8 MiB. */
  // Reason: a cache bounded by count alone can be filled with large documents; those over 8 KiB are
  // not kept.
  documentCacheBytes: bytes(8 * MiB),
}

/** Limits of requests and responses, in size and in time. */
export type RequestNumbers = NumbersOf<typeof requestRows>

export const numberShapes: Shapes<NumericOptions> = {
  ...shapesOf(requestRows),
  ...shapesOf(streamRows),
  ...shapesOf(limitRows),
  maxCost: numberFrom(0, Infinity), // weights in a schema may be fractions
}

export function readNumbers(options: NumericOptions): NumericSettings {
  return {
    ...resolveNumbers(requestRows, options),
    ...resolveNumbers(streamRows, options),
    limits: resolveNumbers(limitRows, options),
  }
}
