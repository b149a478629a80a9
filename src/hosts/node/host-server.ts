import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import type { HttpResponse } from '../../http/message.js'
import { isPromise } from '../../promise.js'
import { badRequest, hostError } from '../host-error.js'
import { answerFault, isBroken, refuseFault, refuseTunnel } from './client-fault.js'
import {
  resolveConnectionOptions,
  type ConnectionOptions,
  type ConnectionSettings,
} from './connection-options.js'
import { Connections } from './connections.js'
import { createDrain, type CloseOptions, type CloseReport } from './drain.js'
import { continueWhenRead } from './expectation.js'
import { refuseVersion } from './old-http.js'
import { createProbes } from './probes.js'
import { sendFailure } from './send-failure.js'
import { send } from './send.js'

/** A server of HTTP/1.1 with limits on its connections; it does not listen by itself. */
export interface HostServer {
  readonly server: Server
  /** Takes a connection that another process accepted. */
  adopt(socket: Socket): void
  /** Answers what has arrived and ends; a second call gives the promise of the first, options and all. */
  close(options?: CloseOptions): Promise<CloseReport>
}

/** Puts a server around a listener. */
export function createHostServer(
  listener: RequestListener,
  options: ConnectionOptions = {},
): HostServer {
  const settings = resolveConnectionOptions(options)
  const connections = new Connections(settings)
  const server = createServer({
    headersTimeout: settings.headersTimeout,
    requestTimeout: settings.requestTimeout,
    connectionsCheckingInterval: settings.connectionsCheckingInterval,
    keepAliveTimeout: settings.keepAliveTimeout,
    maxHeaderSize: settings.maxHeaderBytes,
    requireHostHeader: false, // Node's own refusal has no body
  })
  // Node drops what is above its own limit without a word, Host among it; the handler counts instead.
  server.maxHeadersCount = 0
  server.on('connection', (socket) => connections.take(socket))
  answerRequests(server, connections, settings, guard(listener, settings))
  answerFaults(server, connections, settings)
  watchSlowReaders(server, connections, settings)

  let isWatched = false
  server.once('listening', () => {
    isWatched = true
  })
  return {
    server,
    adopt: (socket) => {
      // At this event Node begins to look after the time that requests take. A server that only
      // adopts never listens.
      if (!isWatched) server.emit('listening')
      // As http makes its own.
      socket.allowHalfOpen = true
      socket.setNoDelay(true)
      server.emit('connection', socket)
      socket.resume() // it may come from a server that does not read
    },
    close: createDrain(server, connections),
  }
}

type Respond = (incoming: IncomingMessage, outgoing: ServerResponse) => void

function answerRequests(
  server: Server,
  connections: Connections,
  settings: ConnectionSettings,
  respond: Respond,
): void {
  const answerProbe = createProbes(settings, () => connections.draining)
  const serve: Respond = (incoming, outgoing) => {
    const refusal = refuseHead(incoming)
    if (refusal !== undefined) send(refusal, incoming, outgoing, settings)
    else if (!answerProbe(incoming, outgoing)) respond(incoming, outgoing)
  }
  server.on('request', (incoming, outgoing) => {
    if (connections.admit(incoming, outgoing)) serve(incoming, outgoing)
  })
  server.on('checkContinue', (incoming, outgoing) => {
    if (!connections.admit(incoming, outgoing)) return
    continueWhenRead(incoming, outgoing, () => connections.saysClose)
    serve(incoming, outgoing)
  })
  server.on('checkExpectation', (incoming, outgoing) => {
    if (!connections.admit(incoming, outgoing)) return
    send(refuseHead(incoming) ?? unknownExpectation, incoming, outgoing, settings)
  })
}

const unknownExpectation = hostError(417, 'The only expectation that is met is 100-continue.', {
  code: 'EXPECTATION_FAILED',
})

function refuseHead(incoming: IncomingMessage): HttpResponse | undefined {
  const refused = refuseVersion(incoming)
  if (refused !== undefined) return refused
  // Node has read the headers of HTTP/1.1 already, to find `Expect`.
  const isHostMissing = incoming.httpVersionMinor === 1 && incoming.headers.host === undefined
  return isHostMissing ? noHost : undefined
}

const noHost = badRequest('A request of HTTP/1.1 needs a Host header.') // RFC 9112 section 3.2

/** A listener that throws or rejects is a bug, and not the end of the process. */
function guard(listener: RequestListener, settings: ConnectionSettings): Respond {
  return (incoming, outgoing) => {
    const failed = (bug: unknown): void => sendFailure(bug, incoming, outgoing, settings)
    try {
      // An async function is a listener, too.
      const done: unknown = listener(incoming, outgoing)
      if (isPromise(done)) done.then(undefined, failed)
    } catch (bug) {
      failed(bug)
    }
  }
}

function answerFaults(
  server: Server,
  connections: Connections,
  settings: ConnectionSettings,
): void {
  server.on('clientError', (fault, duplex) => {
    const connection = connections.of(duplex as Socket)
    if (connection === undefined || isBroken(fault)) duplex.destroy()
    else answerFault(connection, refuseFault(fault, settings), fault)
  })
  server.on('connect', (incoming, duplex) => {
    const connection = connections.of(duplex as Socket)
    if (connection === undefined || connection.isOver) duplex.destroy()
    else answerFault(connection, refuseHead(incoming) ?? refuseTunnel)
  })
}

function watchSlowReaders(
  server: Server,
  connections: Connections,
  { sendTimeout, connectionsCheckingInterval }: ConnectionSettings,
): void {
  const looks = Math.ceil(sendTimeout / connectionsCheckingInterval)
  let timer: NodeJS.Timeout | undefined
  server.on('listening', () => {
    clearInterval(timer)
    timer = setInterval(() => connections.cutSlowReaders(looks), connectionsCheckingInterval)
    timer.unref()
  })
  server.on('close', () => clearInterval(timer))
}
