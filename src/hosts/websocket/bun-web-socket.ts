import { subprotocol } from '../../websocket/messages.js'
import type { SocketPort } from '../../websocket/socket.js'
import type { Session } from '../../websocket/session.js'
import { toRequestHead } from '../request-head.js'
import { createSessions, type SocketHost } from './socket-host.js'
import type { SocketEndpoint, WebSocketOptions } from '../../websocket/operations.js'
import { refuseHandshake } from './check-handshake.js'

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
  const { maxMessageBytes } = sessions.rules
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
    send: (text) => void socket.send(text),
    ping: () => void socket.ping(),
    close: (code, reason) => socket.close(code, reason),
    terminate: () => socket.terminate(),
    get bufferedAmount() {
      return socket.getBufferedAmount()
    },
  }
}
