import { bytes, count, milliseconds, shapesOf, type NumbersOf } from '../shapes/number-row.js'
import { objectOf, type Shape } from '../shapes/shape.js'
import { maxInt32 } from '../shapes/shapes.js'

const KiB = 1024

export const socketRows = {
  /** Maximum number of open sockets. Default: 10,000. */
  // Beyond it: 503, with Retry-After. Reason: each holds a connection and its memory for as long as
  // its client likes.
  maxSockets: count(10_000, {
    least: 0,
  }),
  /** Maximum number of open sockets that have not been acknowledged. Default: 1,000. */
  // Beyond it: 503, with Retry-After. Reason: a socket costs an unknown client a handshake, and the
  // server a connection.
  maxWaitingSockets: count(1000),
  /** Time limit for a client to send `connection_init`, in milliseconds. Default: 3,000. */
  // Beyond it: closed with 4408. Reason: a socket that is never initialized holds a connection.
  connectionInitTimeout: milliseconds(3000, {
    least: 1000,
  }),
  /** Maximum number of operations that run on a socket at once. Queries and mutations count as well. Default: 100. */
  // Beyond it: `error`, with TOO_MANY_STREAMS. Reason: one connection must not use up what all of
  // them share.
  maxStreamsPerSocket: count(100),
  /** Maximum size of a message, in bytes. Default: 256 KiB. */
  // Beyond it: closed with 1009. Reason: bounds the memory of a message before anything is known
  // about it.
  maxMessageBytes: bytes(256 * KiB, {
    least: 1,
    most: maxInt32,
  }),
  /** Maximum memory for messages of all sockets that are incomplete or wait, in bytes. Of incomplete messages only those over Node count; those that only wait for a turn may take as much again, as may those of running operations and of `authenticate`. Default: 64 MiB. */
  // Beyond it: closed with 1008, during `authenticate` with 1013; an operation gets `error`, with
  // OVERLOADED. Reason: thousands of sockets that send nearly all of a message and then nothing
  // would hold a gigabyte.
  maxPendingBytes: bytes(64 * 1024 * KiB),
  /** Maximum number of messages per second, on average. Pings and pongs count, too. Default: 100. */
  // Beyond it: messages wait; with 1008 if more than `maxMessageBytes` wait. Reason: a message of
  // 20 bytes costs as much as the head of a request.
  messagesPerSecond: count(100),
  /** Maximum number of messages at once. Default: 300. */
  // Beyond it: messages wait; with 1008 if more than `maxMessageBytes` wait. Reason: an application
  // that starts, or connects again, subscribes to many things at once.
  messageBurst: count(300),
  /** Maximum size of what waits for a client to read before its operations have to wait, in bytes. Default: 768 KiB. */
  // Beyond it: no events are pulled, and no operations are started. Reason: a client that does not
  // read must not fill the memory; Node takes about 1.3 times as much. One result of each operation
  // can come on top.
  maxUnsent: bytes(768 * KiB, {
    least: 64 * KiB,
    most: maxInt32,
  }),
  /** Maximum memory for what clients of all sockets have not read, in bytes. Beyond it, the client that holds the most loses the socket that holds the most. Default: 128 MiB. */
  // Beyond it: the connection is cut. Reason: a hundred clients that do not read would hold
  // gigabytes until `streamSendTimeout`.
  maxUnreadBytes: bytes(128 * 1024 * KiB, {
    least: 1024 * KiB,
  }),
}

/** The options of WebSockets: limits in number, size and time. */
export type WebSocketOptions = NumbersOf<typeof socketRows>

export const webSocketShape: Shape = objectOf<WebSocketOptions>(
  '{ maxSockets }',
  shapesOf(socketRows),
)
