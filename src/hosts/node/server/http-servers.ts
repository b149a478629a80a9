import type { EventEmitter } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import type { Socket } from 'node:net'
import { mostHeaderLines, type HttpResponse } from '../../../http/message.js'
import { badRequest, overloaded } from '../../host-error.js'
import {
  headTooLarge,
  refuseFault,
  refuseTunnel,
  sendRefusal,
  tooSlow,
} from '../connection/client-fault.js'
import type { UpgradeHost } from '../connection/connection-options.js'
import type { Connections } from '../connection/connections.js'
import { handleOf, Http2Session, type OpenStream } from '../connection/http2-session.js'
import {
  createRespond,
  unknownExpectation,
  type AnyListener,
  type Respond,
} from '../connection/serve-request.js'
import type { TlsSettings } from '../connection/tls-options.js'
import { connectionOf, continueWhenRead, isGone, type Incoming } from '../exchange/incoming.js'
import { refuseHead } from '../exchange/listener.js'
import { startInTurn, weightOfHead } from '../exchange/request-turns.js'
import { send } from '../exchange/send.js'
import { cutResponse } from '../exchange/send-timeout.js'
import { isStream } from '../streams/open-flows.js'
import { SocketIncomingMessage } from '../websocket/socket-incoming-message.js'

export function createHttp1Server(listener: AnyListener, connections: Connections): Server {
  const { settings } = connections
  const server = createServer({
    headersTimeout: settings.headersTimeout,
    requestTimeout: settings.requestTimeout,
    connectionsCheckingInterval: settings.connectionsCheckingInterval,
    keepAliveTimeout: settings.keepAliveTimeout,
    maxHeaderSize: settings.maxHeaderBytes,
    requireHostHeader: false, // Node's own refusal has no body
    ...(settings.sockets && { IncomingMessage: SocketIncomingMessage }),
  })
  // Of a head with more lines, Node 20 drops the rest silently, even Host: enough is left for the handler to refuse it.
  server.maxHeadersCount = mostHeaderLines + 1
  serveRequests(server, listener, connections, refuseHead, (respond) => connections.admit(respond))
  watchFaults(server, connections)
  watchIdle(server, connections)
  if (settings.sockets !== undefined) openSockets(server, connections, settings.sockets)
  return server
}

/** Serves the requests that a server emits, each once it is admitted. Returns what refuses those of a kind. */
function serveRequests(
  server: EventEmitter,
  listener: AnyListener,
  connections: Connections,
  checkHead: (incoming: Incoming) => HttpResponse | undefined,
  admit: (respond: Respond) => Parameters<EventEmitter['on']>[1],
): (refusal: HttpResponse) => Respond {
  const { settings } = connections
  const isDraining = (): boolean => connections.phase !== 'serving'
  const serve = createRespond(listener, settings, isDraining, checkHead)
  const serveExpecting: Respond = (incoming, outgoing) => {
    continueWhenRead(incoming, outgoing, () => {
      if (connections.phase === 'closing') connections.of(incoming.socket)?.closeBehindNewest()
    })
    serve(incoming, outgoing)
  }
  const refuse =
    (refusal: HttpResponse): Respond =>
    (incoming, outgoing) =>
      send(checkHead(incoming) ?? refusal, { incoming, outgoing, settings })
  server.on('request', admit(serve))
  server.on('checkContinue', admit(serveExpecting))
  server.on('checkExpectation', admit(refuse(unknownExpectation)))
  return refuse
}

function watchFaults(server: Server, connections: Connections): void {
  server.on('clientError', (fault, duplex) => {
    const connection = connections.of(duplex as Socket)
    const { code } = fault as NodeJS.ErrnoException
    // A connection that broke takes no response.
    if (connection === undefined || code === 'ECONNRESET' || code === 'EPIPE') duplex.destroy()
    else sendRefusal(connection, refuseFault(fault, connections.settings), fault)
  })
  server.on('connect', (incoming, duplex) => {
    const connection = connections.of(duplex as Socket)
    if (connection?.isServing !== true) duplex.destroy()
    else sendRefusal(connection, refuseHead(incoming) ?? refuseTunnel)
  })
}

/** Node closes a connection that was idle for long; if it is not read, its client may have sent something. */
function watchIdle(server: Server, connections: Connections): void {
  server.on('timeout', (socket) => {
    const connection = connections.of(socket)
    if (connection?.isHeld === true) socket.setTimeout(socket.timeout ?? 0)
    // A listener of the embedder decides instead, as on a server of Node.
    else if (server.listenerCount('timeout') === 1 && !hasTimeout(connection?.inFlight[0]))
      socket.destroy()
  })
}

/** Whether the listener has set a time limit for the request, and decides what happens then. */
function hasTimeout(outgoing: ServerResponse | undefined): boolean {
  if (outgoing === undefined) return false
  const { req } = outgoing
  return (
    outgoing.listenerCount('timeout') > 0 || (!req.complete && req.listenerCount('timeout') > 0)
  )
}

function openSockets(server: Server, connections: Connections, sockets: UpgradeHost): void {
  server.on('upgrade', (incoming, duplex, firstBytes) => {
    const connection = connections.of(duplex as Socket)
    if (connection?.isServing !== true) return void duplex.destroy()
    const refusal =
      refuseHead(incoming) ?? (connection.inFlight.length > 0 ? behindRequest : undefined)
    if (refusal !== undefined) return sendRefusal(connection, refusal)
    const refusedBefore = connections.phase === 'serving' ? undefined : shuttingDown
    sockets.upgrade(incoming, duplex, firstBytes, refusedBefore)
    // As Node's own listeners, which go with the upgrade: otherwise a buffer is filled first, by 16,000 records of TLS.
    duplex.on('pause', () => handleOf(duplex)?.readStop())
    duplex.on('resume', () => handleOf(duplex)?.readStart())
    // A listener would let a socket flow that has no reader yet.
    if (duplex.listenerCount('data') > 0) {
      duplex.on('data', ({ length }: Buffer) => connections.reads.noteFrames(connection, length))
    }
  })
}

const behindRequest = badRequest('A WebSocket cannot be opened behind a request without response.')

const shuttingDown = overloaded('The server is shutting down')

/**
 * Serves a listener over HTTP/2, with the limits of HTTP/1.1 and some of its own. Returns what serves a connection whose
 * client has chosen it.
 */
export function createHttp2Server(
  listener: AnyListener,
  limits: NonNullable<TlsSettings['http2']>,
  connections: Connections,
): (socket: Socket) => void {
  const { settings } = connections
  const { maxConcurrentStreams, ...rest } = limits
  const maxHeaderListSize = settings.maxHeaderBytes * listSizeFactor
  const server = process.getBuiltinModule('node:http2').createServer({
    ...rest,
    settings: { maxConcurrentStreams, maxHeaderListSize },
    // A field may take one byte. Of a longer head, Node resets the stream; up to this, the handler refuses with 431.
    maxHeaderListPairs: mostHeaderLines + pseudoFields,
  })
  const admit = (respond: Respond): Http2Listener => admitHttp2(respond, connections)
  const refuseSize = ({ rawHeaders }: Incoming): HttpResponse | undefined =>
    headBytes(rawHeaders) > settings.maxHeaderBytes ? headTooLarge(settings) : undefined
  const refuse = serveRequests(server, listener, connections, refuseSize, admit)
  server.on('connect', admit(refuse(refuseTunnel)))
  const refuseSlow = ({ incoming, outgoing }: OpenStream): void => {
    const exchange = { incoming, outgoing, settings }
    if (outgoing.headersSent) cutResponse(exchange)
    else send(tooSlow(settings), exchange)
  }
  return (socket) => {
    // Node creates the session synchronously.
    server.once('session', (session) => {
      connections.takeSession(new Http2Session(session, socket, refuseSlow))
    })
    server.emit('connection', socket)
  }
}

/** Those of a request with a protocol (RFC 9113 section 8.3.1, RFC 8441 section 4). */
const pseudoFields = 5

/** Node resets the stream of a longer head; up to this size a response can say why. */
const listSizeFactor = 2

/** REFUSED_STREAM of RFC 9113 section 7. */
const refusedStream = 7

type Http2Listener = (incoming: Http2ServerRequest, outgoing: Http2ServerResponse) => void

/** Registers each request and responds to it in its turn, unless its connection serves no further ones. */
function admitHttp2(respond: Respond, connections: Connections): Http2Listener {
  const { settings } = connections
  return (incoming, outgoing) => {
    const session = connections.sessionOf(connectionOf(incoming))
    // It arrived before the GOAWAY frame was sent.
    if (session?.isClosed === true) return incoming.stream.close(refusedStream)
    if (session !== undefined) {
      connections.reads.noteHttp2(session, incoming.rawHeaders)
      if (!incoming.stream.endAfterHeaders)
        connections.reads.notePieces(incoming.stream, session, 4)
    }
    session?.begin(incoming, outgoing, () => {
      if (connections.phase === 'serving' || isStream(outgoing)) return
      if (outgoing.writableEnded && !incoming.aborted && incoming.stream.rstCode === 0) {
        connections.finished += 1
      }
    })
    // Before the response: a client that sends one request after another has none on its way.
    const isLast = session !== undefined && session.requests >= settings.maxRequestsPerSocket
    if (connections.phase === 'closing' || isLast) session?.closeIdle()
    startInTurn(incoming, settings, {
      run: () => respond(incoming, outgoing),
      isGone: () => isGone(incoming, outgoing),
      get weight() {
        return weightOfHead(incoming.rawHeaders)
      },
      refuse: () => incoming.stream.close(refusedStream),
    })
  }
}

/** The size of the head as HTTP/1.1: colon, space and line end are four bytes per field. */
function headBytes(rawHeaders: readonly string[]): number {
  let bytes = 0
  for (const text of rawHeaders) bytes += text.length + 2
  return bytes
}
