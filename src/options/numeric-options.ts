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
  maxUrlLength: limit(8192, {
    doc: 'Maximum length of a URL, in characters.',
    refusal: '414; 431 if the head is then larger than `maxHeaderBytes`',
    why: 'a longer GET is better sent as POST or QUERY',
  }),
  /** Maximum number of header lines in a request. At most 250. Default: 100. */
  maxHeaderCount: limit(100, {
    doc: 'Maximum number of header lines in a request.',
    most: mostHeaderLines,
    refusal: '431',
    why: "Node's own limit drops lines silently, even Authorization; `listen` sets it higher than the most",
  }),
  /** Maximum size of a request body, in bytes. Applies to a compressed body before and after decoding. Default: 1 MiB. */
  maxBodyBytes: amount(MiB, {
    doc: 'Maximum size of a request body.',
    note: 'Applies to a compressed body before and after decoding.',
    unit: 'bytes',
    flag: 'max-body',
    refusal: '413',
    why: 'bounds the memory of one request before anything is known about it',
  }),
  /** Maximum nesting of the JSON of a request. At most 512. Default: 128. */
  maxJsonNesting: limit(128, {
    doc: 'Maximum nesting of the JSON of a request.',
    most: 512,
    refusal: '400',
    why: 'deep values overflow the stack of code that walks them later',
  }),
  /** Maximum length of a document, in characters. Default: 65,536. */
  maxDocumentLength: limit(65_536, {
    doc: 'Maximum length of a document, in characters.',
    refusal: '413',
    why: 'documents are small; large values belong in the variables',
  }),
  /** Assumed size of a list whose size argument is not given. A list without a size argument counts half. Default: 10. */
  costListSize: amount(10, {
    doc: 'Assumed size of a list whose size argument is not given.',
    note: 'A list without a size argument counts half.',
    why: 'part of the cost',
  }),
  /** Maximum size of a list that resolvers return, whatever a size argument asks for. Default: Infinity. */
  costMaxListSize: amount(Infinity, {
    doc: 'Maximum size of a list that resolvers return, whatever a size argument asks for.',
    why: 'part of the cost',
  }),
  /** Maximum number of errors reported about a document, and about its variables. Default: 5. */
  maxErrors: limit(5, {
    doc: 'Maximum number of errors reported about a document, and about its variables.',
    why: 'a small document can produce thousands; a final error says that there are more',
  }),
  /** Maximum number of fields of an operation that fail. With more, the operation is stopped. Default: 1,000. */
  maxFieldErrors: amount(1000, {
    doc: 'Maximum number of fields of an operation that fail.',
    note: 'With more, the operation is stopped.',
    refusal: '`data` is null, with the code `TOO_MANY_FIELD_ERRORS`',
    why: 'an error takes as long as a hundred fields',
  }),
  /** Maximum length of an error message of graphql-js about a request, in characters. Default: 200. */
  maxMessageLength: limit(200, {
    doc: 'Maximum length of an error message of graphql-js about a request, in characters.',
    why: 'they can repeat much of the request',
  }),
  /** Time limit for the stages of a request that wait, such as its operation, in milliseconds. Default: 10,000. */
  executionTimeout: milliseconds(10_000, {
    doc: 'Time limit for the stages of a request that wait, such as its operation.',
    flag: 'timeout',
    refusal: '503',
    why: 'a slow backend must not block requests forever; resolvers get an AbortSignal and can stop their work',
  }),
  /** Maximum number of requests that are waiting for their response. Default: 1,000. */
  maxInFlight: limit(1000, {
    doc: 'Maximum number of requests that are waiting for their response.',
    flag: 'max-in-flight',
    refusal: '503, with Retry-After',
    why: 'rejecting a few is better than delaying all; counts requests that wait for `authenticate`, or between a complete body and the response, and those of clients that left, until their resolvers end',
  }),
  /** Maximum share of waiting requests, open streams, their memory, sockets, pending messages, bodies and uploads that one client may hold, in percent. Clients are identified by their address. At most 100. Default: 50. */
  clientShare: limit(50, {
    doc: 'Maximum share of waiting requests, open streams, their memory, sockets, pending messages, bodies and uploads that one client may hold, in percent.',
    note: 'Clients are identified by their address.',
    most: 100,
    flag: 'client-share',
    refusal: 'as beyond the limit itself',
    why: 'one client must not use up what all share. IPv6 addresses of one /64 are one client; behind proxies, set `trustedProxies`',
  }),
  /** Number of proxies in front of the server whose `X-Forwarded-For` is trusted. At most 100. Default: 0. */
  trustedProxies: amount(0, {
    doc: 'Number of proxies in front of the server whose `X-Forwarded-For` is trusted.',
    most: 100,
    flag: 'trusted-proxies',
    why: 'otherwise all clients behind a proxy count as one',
  }),
  /** Reject requests while the event loop is delayed by more than this, in milliseconds. Default: Infinity. */
  maxEventLoopDelay: limit(Infinity, {
    doc: 'Reject requests while the event loop is delayed by more than this.',
    unit: 'ms',
    flag: 'max-event-loop-delay',
    refusal: '503, with Retry-After',
    why: 'an overloaded process recovers faster with less work',
  }),
  /** Maximum size of a response body, in bytes. Default: 10 MiB. */
  maxResponseBytes: limit(10 * MiB, {
    doc: 'Maximum size of a response body.',
    unit: 'bytes',
    refusal: '500, masked',
    why: 'an unbounded list is a bug in the server',
  }),
  /** Maximum number of parsed and validated documents to keep for each schema. Default: 500. */
  documentCacheEntries: amount(500, {
    doc: 'Maximum number of parsed and validated documents to keep for each schema.',
    most: Number.MAX_SAFE_INTEGER,
    why: 'invalid documents have their own cache, a tenth as large',
  }),
  /** Maximum memory for cached documents, estimated from their source, in bytes. Default: 8 MiB. */
  documentCacheBytes: bytes(8 * MiB, {
    doc: 'Maximum memory for cached documents, estimated from their source.',
    why: 'a cache bounded by count alone can be filled with large documents; those over 8 KiB are not kept',
  }),
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
