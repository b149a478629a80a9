import { bytes, count, milliseconds, shapesOf, type NumbersOf } from '../shapes/number-row.js'
import { objectOf, type Shape } from '../shapes/shape.js'
import { maxInt32 } from '../shapes/shapes.js'

const KiB = 1024

export const socketRows = {
  /** Maximum number of open sockets. Default: 10,000. */
  maxSockets: count(10_000, {
    doc: 'Maximum number of open sockets.',
    least: 0,
    refusal: '503, with Retry-After',
    why: 'each holds a connection and its memory for as long as its client likes',
  }),
  /** Maximum number of open sockets that have not been acknowledged. Default: 1,000. */
  maxWaitingSockets: count(1000, {
    doc: 'Maximum number of open sockets that have not been acknowledged.',
    refusal: '503, with Retry-After',
    why: 'a socket costs an unknown client a handshake, and the server a connection',
  }),
  /** Time limit for a client to send `connection_init`, in milliseconds. Default: 3,000. */
  connectionInitTimeout: milliseconds(3000, {
    doc: 'Time limit for a client to send `connection_init`.',
    least: 1000,
    refusal: 'closed with 4408',
    why: 'a socket that is never initialized holds a connection',
  }),
  /** Maximum number of operations that run on a socket at once. Queries and mutations count as well. Default: 100. */
  maxStreamsPerSocket: count(100, {
    doc: 'Maximum number of operations that run on a socket at once.',
    note: 'Queries and mutations count as well.',
    refusal: '`error`, with TOO_MANY_STREAMS',
    why: 'one connection must not use up what all of them share',
  }),
  /** Maximum size of a message, in bytes. Default: 256 KiB. */
  maxMessageBytes: bytes(256 * KiB, {
    doc: 'Maximum size of a message.',
    least: 1,
    most: maxInt32,
    refusal: 'closed with 1009',
    why: 'bounds the memory of a message before anything is known about it',
  }),
  /** Maximum memory for messages of all sockets that are incomplete or wait, in bytes. Of incomplete messages only those over Node count; those that only wait for a turn may take as much again, as may those of running operations and of `authenticate`. Default: 64 MiB. */
  maxPendingBytes: bytes(64 * 1024 * KiB, {
    doc: 'Maximum memory for messages of all sockets that are incomplete or wait.',
    note: 'Of incomplete messages only those over Node count; those that only wait for a turn may take as much again, as may those of running operations and of `authenticate`.',
    refusal:
      'closed with 1008, during `authenticate` with 1013; an operation gets `error`, with OVERLOADED',
    why: 'thousands of sockets that send nearly all of a message and then nothing would hold a gigabyte',
  }),
  /** Maximum number of messages per second, on average. Pings and pongs count, too. Default: 100. */
  messagesPerSecond: count(100, {
    doc: 'Maximum number of messages per second, on average.',
    note: 'Pings and pongs count, too.',
    refusal: 'messages wait; with 1008 if more than `maxMessageBytes` wait',
    why: 'a message of 20 bytes costs as much as the head of a request',
  }),
  /** Maximum number of messages at once. Default: 300. */
  messageBurst: count(300, {
    doc: 'Maximum number of messages at once.',
    refusal: 'messages wait; with 1008 if more than `maxMessageBytes` wait',
    why: 'an application that starts, or connects again, subscribes to many things at once',
  }),
  /** Maximum size of what waits for a client to read before its operations have to wait, in bytes. Default: 768 KiB. */
  maxUnsent: bytes(768 * KiB, {
    doc: 'Maximum size of what waits for a client to read before its operations have to wait.',
    least: 64 * KiB,
    most: maxInt32,
    refusal: 'no events are pulled, and no operations are started',
    why: 'a client that does not read must not fill the memory; Node takes about 1.3 times as much. One result of each operation can come on top',
  }),
  /** Maximum memory for what clients of all sockets have not read, in bytes. Beyond it, the client that holds the most loses the socket that holds the most. Default: 128 MiB. */
  maxUnreadBytes: bytes(128 * 1024 * KiB, {
    doc: 'Maximum memory for what clients of all sockets have not read.',
    note: 'Beyond it, the client that holds the most loses the socket that holds the most.',
    least: 1024 * KiB,
    refusal: 'the connection is cut',
    why: 'a hundred clients that do not read would hold gigabytes until `streamSendTimeout`',
  }),
}

/** The options of WebSockets: limits in number, size and time. */
export type WebSocketOptions = NumbersOf<typeof socketRows>

export const webSocketShape: Shape = objectOf<WebSocketOptions>(
  '{ maxSockets }',
  shapesOf(socketRows),
)
