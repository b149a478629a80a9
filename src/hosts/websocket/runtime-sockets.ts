import { pingMessage, subprotocol } from '../../websocket/messages.js'
import type { SocketEndpoint, WebSocketOptions } from '../../websocket/operations.js'
import type { Session } from '../../websocket/session.js'
import type { SocketPort } from '../../websocket/socket.js'
import { maxInt32 } from '../../shapes/shapes.js'
import { toRequestHead } from '../request-head.js'
import { refuseHandshake } from './check-handshake.js'
import { closed, createSessions, type SocketHost } from './socket-host.js'

/** A WebSocket as the web has it, on the side of the server: of Deno.upgradeWebSocket, or one of a WebSocketPair. */
export interface StandardSocket {
  /** Some runtimes have none. */
  readonly bufferedAmount?: number
  readonly protocol?: string | null
  readonly readyState: number
  send(text: string): void
  close(code?: number, reason?: string): void
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void
  addEventListener(type: 'close' | 'error', listener: () => void): void
}

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

/** How often a socket is asked whether the client has read: no event reports that. */
const pollMs = 20

/** `readyState` of a socket that is open. */
const open = 1

/** The code of a socket whose client is to connect again. */
const goingAway = 1001

/**
 * A standard socket for a session. The runtime keeps what it was given until the client reads it or leaves, since no standard
 * socket can be cut, so that it gets little at once. `stop` ends what asks whether the client has read.
 */
function toStandardPort(socket: StandardSocket, maxUnsent: number, drained: () => void) {
  let waiting: string[] = []
  let waitingLength = 0
  const sendWaiting = (most: number): void => {
    while (socket.readyState === open && (socket.bufferedAmount ?? 0) < most) {
      const text = waiting.shift()
      if (text === undefined) return
      waitingLength -= text.length
      socket.send(text)
    }
  }
  const drop = (): void => {
    waiting = []
    waitingLength = 0
  }
  let polling: ReturnType<typeof setInterval> | undefined
  const stop = (): void => {
    clearInterval(polling)
    polling = undefined
  }
  const port: SocketPort = {
    get bufferedAmount() {
      return (socket.bufferedAmount ?? 0) + waitingLength
    },
    send(text) {
      if (socket.readyState !== open) return
      waiting.push(text)
      waitingLength += text.length
      sendWaiting(maxUnsent)
      if (polling !== undefined || port.bufferedAmount < maxUnsent) return
      polling = setInterval(() => {
        sendWaiting(maxUnsent)
        if (port.bufferedAmount >= maxUnsent / 2) return
        stop()
        drained()
      }, pollMs)
    },
    /** The standard socket cannot send ping frames. */
    ping: () => port.send(pingMessage),
    close(code, reason) {
      if (code === goingAway) sendWaiting(Infinity)
      drop()
      try {
        socket.close(code, reason)
      } catch {
        // The standard allows only 1000 and application codes, and some runtimes enforce that.
        socket.close(code < 3000 ? code + 3000 : code, reason)
      }
    },
    terminate() {
      drop()
      port.close(goingAway, '')
    },
  }
  return { port, stop }
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
