import { subprotocol } from '../../websocket/messages.js'
import type { SocketEndpoint } from '../../websocket/operations.js'
import type { WebSocketOptions } from '../../websocket/socket-options.js'
import type { Session } from '../../websocket/session.js'
import type { SocketPort } from '../../websocket/socket.js'
import { maxInt32 } from '../../shapes/shapes.js'
import { toRequestHead } from '../request-head.js'
import { refuseHandshake } from './check-handshake.js'
import { closed, createSessions, type SocketHost } from './socket-host.js'
import { toStandardPort, type StandardSocket } from './standard-port.js'

/** Serves WebSockets of runtimes that do the handshake themselves. */
export interface SocketAcceptor extends SocketHost {
  /** The response to a request whose handshake must not be done: call this first. */
  refuse(this: void, request: Request): Response | undefined
  /** Serves a socket. It must have been made with the subprotocol `graphql-transport-ws`. */
  accept(this: void, socket: StandardSocket, request: Request): void
}

/** Makes an acceptor for the standard WebSockets of a runtime. Imports nothing of Node. */
export function createSocketAcceptor(
  endpoint: SocketEndpoint,
  options: WebSocketOptions = {},
): SocketAcceptor {
  const { sessions, host } = createSessions('createSocketAcceptor', endpoint, options)
  const { operations } = endpoint
  return {
    refuse: (request) => refuseHandshake(toRequestHead(request), operations, sessions),
    accept(socket, request) {
      if (socket.readyState === closed) return
      const { maxMessageBytes, maxUnsent } = sessions.rules
      const { port, stop } = toStandardPort(socket, maxUnsent, () => session.drained())
      const session = sessions.open(toRequestHead(request), port)
      const give = (code: number, reason: string): void => {
        session.gone()
        port.close(code, reason)
      }
      socket.addEventListener('message', ({ data }) => {
        if (typeof data !== 'string') session.receiveBinary()
        else if (isLonger(data, maxMessageBytes)) give(1009, 'Message too long')
        else session.receive(data)
      })
      socket.addEventListener('error', () => session.gone())
      socket.addEventListener('close', () => {
        stop()
        sessions.release(session)
      })
      // Not every runtime reports the chosen subprotocol.
      if (socket.protocol && socket.protocol !== subprotocol) {
        give(4406, 'Subprotocol not acceptable')
      }
    },
    ...host,
  }
}

/** A character takes three bytes at most, for each of its units. */
function isLonger(text: string, bytes: number): boolean {
  if (text.length > bytes || text.length * 3 <= bytes) return text.length > bytes
  return new TextEncoder().encode(text).byteLength > bytes
}

/** The data that Bun keeps with a socket. */
interface BunSocketData {
  readonly request: Request
  /** Set once the socket is open. */
  session?: Session
}

export interface BunSocket {
  readonly data: BunSocketData
  send(text: string): number
  ping(): number
  close(code?: number, reason?: string): void
  terminate(): void
  getBufferedAmount(): number
}

/** The server that `fetch` of Bun gets. */
export interface BunServer {
  upgrade(
    request: Request,
    options: {
      readonly data: BunSocketData
      readonly headers: { readonly [name: string]: string }
    },
  ): boolean
}

/** WebSockets for `Bun.serve`. */
export interface BunWebSocket extends SocketHost {
  /** Opens a socket, in `fetch`; the response if it is refused. */
  upgrade(this: void, request: Request, server: BunServer): Response | undefined
  /** The option `websocket` of `Bun.serve`. */
  readonly websocket: {
    readonly maxPayloadLength: number
    readonly backpressureLimit: number
    readonly sendPings: false
    readonly idleTimeout: 0
    open(this: void, socket: BunSocket): void
    message(this: void, socket: BunSocket, message: string | Uint8Array): void
    ping(this: void, socket: BunSocket): void
    pong(this: void, socket: BunSocket): void
    drain(this: void, socket: BunSocket): void
    close(this: void, socket: BunSocket): void
  }
}

export function bunWebSocket(
  endpoint: SocketEndpoint,
  options: WebSocketOptions = {},
): BunWebSocket {
  const { sessions, host } = createSessions('bunWebSocket', endpoint, options)
  const { maxMessageBytes, maxUnreadBytes } = sessions.rules
  return {
    upgrade(request, server) {
      const refusal = refuseHandshake(toRequestHead(request), endpoint.operations, sessions)
      if (refusal !== undefined) return refusal
      const headers = { 'Sec-WebSocket-Protocol': subprotocol }
      if (server.upgrade(request, { data: { request }, headers })) return undefined
      return new Response('The handshake is not that of a WebSocket.\n', { status: 400 })
    },
    websocket: {
      maxPayloadLength: maxMessageBytes,
      backpressureLimit: Math.min(maxUnreadBytes, maxInt32),
      // The session does both.
      sendPings: false,
      idleTimeout: 0,
      open(socket) {
        const head = toRequestHead(socket.data.request)
        socket.data.session = sessions.open(head, toPort(socket))
      },
      message(socket, message) {
        const { session } = socket.data
        if (typeof message === 'string') session?.receive(message)
        else session?.receiveBinary()
      },
      ping: (socket) => socket.data.session?.heard(),
      pong: (socket) => socket.data.session?.heard(),
      drain: (socket) => socket.data.session?.drained(),
      close(socket) {
        const { session } = socket.data
        if (session !== undefined) sessions.release(session)
      },
    },
    ...host,
  }
}

function toPort(socket: BunSocket): SocketPort {
  return {
    send(text) {
      // Lost, as more waits than the limit, and nothing else would tell the client.
      if (socket.send(text) === 0) socket.terminate()
    },
    ping: () => void socket.ping(),
    close: (code, reason) => socket.close(code, reason),
    terminate: () => socket.terminate(),
    get bufferedAmount() {
      return socket.getBufferedAmount()
    },
  }
}
