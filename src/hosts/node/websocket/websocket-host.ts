import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer } from 'ws'
import { isStream, type HttpResponse, type RequestHead } from '../../../http/message.js'
import { splitList } from '../../../http/split-list.js'
import { toCloseFrame, type CloseKind } from '../../../websocket/close-reasons.js'
import { subprotocol } from '../../../websocket/messages.js'
import { badRequest } from '../../host-error.js'
import { checkHandshake, tooManySockets } from '../../websocket/check-handshake.js'
import { closed, createSessions, type SocketHost } from '../../websocket/socket-host.js'
import type { SocketEndpoint } from '../../../websocket/operations.js'
import type { WebSocketOptions } from '../../../websocket/socket-options.js'
import { answerPings, connectSocket, type WsSocket } from './connect-socket.js'
import { closeSoon, toBytes } from '../connection/client-fault.js'
import type { UpgradeHost } from '../connection/connection-options.js'

/** Serves WebSockets beside a server of HTTP. */
export interface WebSocketHost extends SocketHost, UpgradeHost {
  /** Serves a socket of `ws` that another library has opened, such as `@fastify/websocket`. */
  accept(this: void, socket: WsSocket, request: IncomingMessage): void
}

/** Makes a host for sockets of graphql-transport-ws. It does not listen: a server of HTTP hands over its upgrades. */
export function createWebSocketHost(
  endpoint: SocketEndpoint,
  options: WebSocketOptions = {},
): WebSocketHost {
  const { sessions, host } = createSessions('createWebSocketHost', endpoint, options)
  const { checkUpgrade, refused } = endpoint.operations
  // The types do not know all of these limits.
  const frameRules = {
    noServer: true,
    clientTracking: false,
    // Compression enables bombs, takes memory, and can leak secrets next to chosen text.
    perMessageDeflate: false,
    maxPayload: sessions.rules.maxMessageBytes,
    handleProtocols: () => subprotocol,
    maxFragments: 64,
    maxBufferedChunks: 1024,
    autoPong: false,
    closeTimeout: 5000,
  }
  const server = new WebSocketServer(frameRules)
  return {
    upgrade(incoming, socket, firstBytes, refusedBefore) {
      const head = toSocketHead(incoming)
      const refusal =
        refusedBefore ??
        checkUpgrade(head) ??
        checkConnection(incoming) ??
        checkHandshake(head) ??
        (sessions.hasRoomFor(head) ? undefined : tooManySockets)
      if (refusal !== undefined) {
        refuseUpgrade(socket, refusal)
        return refused(head, refusal)
      }
      server.handleUpgrade(incoming, socket, firstBytes, (opened) => {
        connectSocket(sessions, head, opened, socket)
        answerPings(opened)
      })
    },
    accept(socket, request) {
      if (socket.readyState === closed) return
      const stream = request.socket
      const head = toSocketHead(request)
      const refuse = (kind: CloseKind, detail = ''): void => {
        const { code, reason } = toCloseFrame(kind, detail)
        socket.on('error', () => undefined)
        socket.close(code, reason)
      }
      if (socket.protocol !== subprotocol) return refuse('wrong-subprotocol')
      const refusal = checkUpgrade(head)
      if (refusal?.status === 503 || !sessions.hasRoomFor(head)) return refuse('overloaded')
      if (refusal !== undefined) return refuse('refused', `HTTP status ${refusal.status}`)
      connectSocket(sessions, head, socket, stream)
    },
    ...host,
  }
}

/** RFC 6455 section 4.2.1. Node's parser also accepts `Proxy-Connection`. */
function checkConnection({ httpVersionMinor, headers }: IncomingMessage): HttpResponse | undefined {
  if (httpVersionMinor === 0) return badRequest('A WebSocket is opened with HTTP/1.1.')
  const options = splitList(headers.connection ?? '', ',')
  if (options.some((option) => /^upgrade$/i.test(option))) return undefined
  return badRequest('A WebSocket is opened with "Connection: Upgrade".')
}

function toSocketHead(incoming: IncomingMessage): RequestHead<IncomingMessage> {
  const { method = 'GET', url = '/', rawHeaders } = incoming
  return { method, target: url, headers: rawHeaders, raw: incoming }
}

/** Answers a refused handshake and closes the connection, whose parser is gone. */
function refuseUpgrade(socket: Duplex, { status, headers, body }: HttpResponse): void {
  socket.on('error', () => undefined)
  if (!socket.writable) return void socket.destroy()
  const text = isStream(body) ? '' : Buffer.from(body as string).toString()
  socket.end(toBytes({ status, headers, body: text }))
  closeSoon(socket)
  // Without a reader, Node does not notice that the client has closed.
  socket.resume()
}
