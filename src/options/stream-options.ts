import { amount, milliseconds, type NumbersOf, type Resolved } from '../shapes/number-row.js'

export type StreamSettings = Resolved<StreamNumbers>

export const streamRows = {
  /** Maximum number of open streams. Sources and resolvers of ended streams count until they finish. Default: 10,000. */
  // Beyond it: 503, with Retry-After. Reason: each holds a connection, a source and its memory for
  // as long as its client likes.
  maxStreams: amount(10_000, {
    doc: 'Maximum number of open streams.',
    flag: 'max-streams',
  }),
  /** Maximum memory that open streams may keep, estimated from their documents and parameters, and from the cost of results in parts, in bytes. Default: 256 MiB. */
  // Beyond it: 503, with Retry-After. Reason: a few megabytes of variables each, or thousands of
  // deferred fragments, would fill the memory.
  maxStreamBytes: amount(256 * 1024 * 1024, {
    doc: 'Maximum memory that open streams may keep, estimated from their documents and parameters, and from the cost of results in parts.',
    unit: 'bytes',
    flag: 'max-stream-bytes',
  }),
  /** Send something that clients ignore on streams that have been silent for this long, in milliseconds. Default: 12,000. */
  // Reason: proxies close connections that are idle, often after 60 s, and some after 15 s.
  heartbeat: milliseconds(12_000, {
    doc: 'Send something that clients ignore on streams that have been silent for this long.',
    least: 1000,
    flag: 'heartbeat',
  }),
  /** Time limit for a client of a stream to read what was sent, in milliseconds. Default: 30,000. */
  // Beyond it: the stream is cut. Reason: a client that does not read holds its source and what was
  // sent in memory.
  streamSendTimeout: milliseconds(30_000, {
    least: 1000,
  }),
  /** Report sources that have not finished for this long after their stream ended, in milliseconds. Default: 5,000. */
  // Reason: a source that never finishes is a leak; `onStuck` and `stats()` name it.
  returnTimeout: milliseconds(5000, {
    least: 0,
  }),
  /** Maximum duration of a stream, in milliseconds. Its client is asked to connect again. Default: Infinity. */
  // Beyond it: the stream is ended. Reason: spreads long streams over new servers, and bounds for
  // how long credentials are trusted.
  maxStreamDuration: amount(Infinity, {
    doc: 'Maximum duration of a stream.',
    least: 1000,
    unit: 'ms',
    flag: 'max-stream-duration',
  }),
  /** Ask `recheck` about the credentials of each open stream this often, in milliseconds. Default: 60,000. */
  // Beyond it: the stream is ended. Reason: a revoked key must not go on reading for as long as its
  // stream is open.
  recheckInterval: milliseconds(60_000, {
    least: 1000,
  }),
  /** Time limit for all parts of a result with @defer or @stream, from its first part on, in milliseconds. Default: 30,000. */
  // Beyond it: what is pending is completed with an error. Reason: deferred fields are often the
  // slow ones, and must not wait forever.
  incrementalTimeout: milliseconds(30_000),
}

/** Limits of streams, in number and in time. */
export type StreamNumbers = NumbersOf<typeof streamRows>
