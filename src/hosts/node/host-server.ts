import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { NodeListener } from './listener.js'
import type { NodeHostOptions } from './node-host-options.js'

/** How connections are served. */
export interface ConnectionOptions extends NodeHostOptions {
  readonly headersTimeout?: number
  readonly requestTimeout?: number
  readonly connectionsCheckingInterval?: number
  readonly keepAliveTimeout?: number
  readonly maxHeaderBytes?: number
  readonly maxSockets?: number
  readonly maxRequestsPerSocket?: number
  readonly sendTimeout?: number
  readonly livePath?: string | false
  readonly readyPath?: string | false
  ready?(): boolean | Promise<boolean>
}

/** How a server is closed, in milliseconds; the deadline counts from the call. */
export interface CloseOptions {
  readonly delay?: number
  readonly grace?: number
  readonly deadline?: number
}

/** The requests that were answered while draining, and those that the hard stop cut. */
export interface CloseReport {
  readonly finished: number
  readonly cut: number
}

/** An http.Server around a listener, which need not listen. */
export interface HostServer {
  readonly server: Server
  /** Takes a connection that another process accepted. */
  adopt(socket: Socket): void
  close(options?: CloseOptions): Promise<CloseReport>
}

/** Makes the server without listening. */
export function createHostServer(
  listener: NodeListener<IncomingMessage>,
  options: ConnectionOptions = {},
): HostServer {
  const { livePath = '/livez', readyPath = '/readyz', ready = () => true } = options
  const sockets = new Set<Socket>()
  const inFlight = new Set<ServerResponse>()
  let state: 'open' | 'unready' | 'draining' = 'open'
  let finished = 0

  const health = (outgoing: ServerResponse, isFine: boolean): void => {
    outgoing.writeHead(isFine ? 200 : 503).end()
  }
  const server = createServer(options, (incoming, outgoing) => {
    if (state === 'draining') outgoing.shouldKeepAlive = false
    if (incoming.url === livePath) return health(outgoing, true)
    if (incoming.url === readyPath) {
      void Promise.resolve(state === 'open' && ready()).then((isFine) => health(outgoing, isFine))
      return
    }
    inFlight.add(outgoing)
    outgoing.once('close', () => {
      inFlight.delete(outgoing)
      if (state === 'draining' && outgoing.writableFinished) finished++
    })
    listener(incoming, outgoing)
  })
  server.maxHeadersCount = 0
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const closeIdle = (): void => {
    const busy = new Set([...inFlight].map(({ req }) => req.socket))
    for (const socket of sockets) if (!busy.has(socket)) socket.destroy()
  }
  return {
    server,
    adopt(socket) {
      if (!server.listening && server.listenerCount('error') === 0) {
        server.emit('listening')
        server.on('error', () => {})
      }
      server.emit('connection', socket)
    },
    async close({ delay = 0, grace = 1_000, deadline = 9_000 } = {}) {
      const start = performance.now()
      const elapsed = (): number => performance.now() - start
      state = 'unready'
      if (delay > 0) await pause(delay)
      state = 'draining'
      for (const outgoing of inFlight) if (!outgoing.headersSent) outgoing.shouldKeepAlive = false
      if (server.listening) NetServer.prototype.close.call(server)
      while (sockets.size > 0 && elapsed() < deadline) {
        if (elapsed() - delay >= grace) closeIdle()
        await pause(20)
      }
      const cut = inFlight.size
      server.closeAllConnections()
      return { finished, cut }
    },
  }
}
