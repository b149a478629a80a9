import type { Duplex } from 'node:stream'
import type { RequestHead } from '../../../http/message.js'
import type { Session } from '../../../websocket/session.js'
import type { Sessions } from '../../../websocket/sessions.js'
import { registerFlow } from '../streams/open-flows.js'

/** A socket of the library `ws`. */
export interface WsSocket {
  readonly protocol: string
  readonly readyState: number
  readonly bufferedAmount: number
  send(data: string): void
  ping(): void
  close(code?: number, reason?: string | Buffer): void
  terminate(): void
  // oxlint-disable-next-line typescript/no-explicit-any
  on(event: string, listener: (...given: any[]) => void): unknown
}

/** Answers the pings on a socket that was opened here, and is connected. */
export function answerPings(socket: WsSocket): void {
  socket.on('ping', onPing)
}

/** Connects any socket of `ws` with a session. `stream` is the connection below it. */
export function connectSocket(
  sessions: Sessions,
  head: RequestHead,
  socket: WsSocket,
  stream: Duplex,
): void {
  const session = sessions.open(head, socket)
  registerFlow(stream, session)
  // oxlint-disable-next-line typescript/unbound-method -- `closeBoth` calls it on the same socket
  const closeSocket = socket.close
  const below = { socket, stream, closeSocket }
  const state: SocketState = { session, sessions, ...below, unanswered: undefined, partBytes: 0 }
  Object.assign(socket, { [link]: state, close: closeBoth })
  socket.on('message', onMessage)
  socket.on('pong', onPong)
  // After a violation of the protocol, `ws` may wait long for the client before it emits `close`.
  socket.on('error', onGone)
  socket.on('close', onClose)
  Object.assign(stream, { [link]: state })
  stream.on('data', onData)
  stream.on('drain', onDrain)
  stream.on('end', onHalfClosed)
}

/** How a socket and its connection find their session: closures would take more memory than the session. */
const link = Symbol('session')

interface Linked {
  readonly [link]: SocketState
}

interface SocketState {
  readonly session: Session
  readonly sessions: Sessions
  readonly socket: WsSocket & {
    /** Of a socket that was opened here. */
    pong?(data: Buffer): void
    /** What `ws` keeps of a message until it is complete: the unread bytes of a frame, and the frames before it. */
    readonly _receiver?: { readonly _bufferedBytes: number; readonly _messageLength: number }
  }
  /** The `close` of the library; the socket has `closeBoth` instead. */
  readonly closeSocket: WsSocket['close']
  readonly stream: Duplex
  /** The newest ping that the client has not left room to answer. */
  unanswered: Buffer | undefined
  /** How many bytes of an incomplete message have arrived. */
  partBytes: number
}

function onMessage(this: Linked, data: Buffer, isBinary: boolean): void {
  const state = this[link]
  receivePart(state, 0)
  if (isBinary) state.session.receiveBinary()
  else state.session.receive(data.toString())
}

/** Runs when `ws` has read the chunk. Of each fragment `ws` keeps all of the chunk that it came in. */
function onData(this: Linked, { length }: Buffer): void {
  const state = this[link]
  receivePart(state, isWithinMessage(state.socket) ? state.partBytes + length : 0)
}

function receivePart(state: SocketState, bytes: number): void {
  if (bytes === state.partBytes) return
  state.partBytes = bytes
  state.session.receivePart(bytes)
}

function isWithinMessage({ _receiver: receiver }: SocketState['socket']): boolean {
  // oxlint-disable-next-line no-underscore-dangle -- no public member of `ws` tells
  return receiver !== undefined && receiver._bufferedBytes + receiver._messageLength > 0
}

function onPong(this: Linked): void {
  this[link].session.heard()
}

/**
 * By itself, `ws` would cut a connection on which five pings arrive at once, which is what a network sends that was away for
 * a while, or keep all pongs in memory. RFC 6455 section 5.5.3: only the newest ping has to be answered.
 */
function onPing(this: Linked, data: Buffer): void {
  const state = this[link]
  if (state.unanswered === undefined) setImmediate(answerPing, state)
  state.unanswered = data
  state.session.heard()
}

/** Called once all that was read is processed, for the newest ping only. Waits if the client has to read first. */
function answerPing(state: SocketState): void {
  if (state.unanswered === undefined || state.stream.writableNeedDrain) return
  state.socket.pong?.(state.unanswered)
  state.unanswered = undefined
}

function onGone(this: Linked): void {
  this[link].session.gone()
}

function onClose(this: Linked): void {
  const { session, sessions } = this[link]
  sessions.release(session)
}

/**
 * `ws` answers a close frame with `close()`, and emits `close` only when the connection has closed too, so that operations
 * would have to wait for the client or a time-out.
 */
function closeBoth(this: Linked, code?: number, reason?: string | Buffer): void {
  const { session, socket, closeSocket } = this[link]
  closeSocket.call(socket, code, reason)
  session.gone()
}

function onDrain(this: Linked): void {
  const state = this[link]
  answerPing(state)
  state.session.drained()
}

/** Closing and half-closing look alike, and operations must not wait for a write to fail. */
function onHalfClosed(this: Linked): void {
  const { session, socket } = this[link]
  session.gone()
  if (socket.bufferedAmount > 0) socket.terminate()
}
