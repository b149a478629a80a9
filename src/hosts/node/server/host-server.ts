import type { RequestListener } from 'node:http'
import type { AddressInfo, Server, Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { isReset } from '../../../http/client-address.js'
import { checkOptions, objectOf } from '../../../shapes/shape.js'
import { checkFunction } from '../../../shapes/shapes.js'
import {
  connectionShape,
  listenShapes,
  resolveConnectionOptions,
  resolveListenOptions,
  type ConnectionOptions,
  type ConnectionSettings,
  type ListenOptions,
  type ListenSettings,
} from '../connection/connection-options.js'
import { Connections } from '../connection/connections.js'
import { keepParsing } from '../connection/pipeline.js'
import type { CloseOptions } from './close-options.js'
import { createDrain, type CloseReport } from './drain.js'
import type { Incoming, Outgoing } from '../exchange/incoming.js'
import { createHttp1Server, createHttp2Server } from './http-servers.js'
import type { AnyListener } from '../connection/serve-request.js'
import {
  checkCertificate,
  type Certificate,
  type TlsOptions,
  type TlsSettings,
} from '../connection/tls-options.js'

/** Counts of a server. */
export interface HostFigures {
  /** How many connections are open. */
  readonly connections: number
  /** How many were refused since the start because of `maxSockets`. */
  readonly refusedConnections: number
}

/** A server with limits on its connections; it does not listen by itself. */
export interface HostServer {
  /** Listens: a server of node:http, or with `tls` one of node:tls. */
  readonly server: Server
  /** Serves a connection that another process accepted. */
  adopt(socket: Socket): void
  /** Uses another certificate for new connections; throws and keeps the old one if it is invalid. */
  readonly setCertificate: (certificate: Certificate) => void
  readonly figures: () => HostFigures
  /** Finishes all requests that have arrived, then closes. A second call returns the promise of the first. */
  readonly close: (options?: CloseOptions) => Promise<CloseReport>
}

/** Options for a listener that only supports HTTP/1.1, such as an Express app. */
export interface Http1ConnectionOptions extends ConnectionOptions {
  readonly tls?: (TlsOptions & { readonly http2: false }) | undefined
}

/** A listener for HTTP/1.1 and HTTP/2; what `toNodeListener` makes is one. */
export type DualListener = (incoming: Incoming, outgoing: Outgoing) => unknown

/** Puts a server around a listener. */
export function createHostServer(
  listener: RequestListener,
  options?: Http1ConnectionOptions,
): HostServer
export function createHostServer(listener: DualListener, options?: ConnectionOptions): HostServer
export function createHostServer(
  listener: AnyListener,
  options: ConnectionOptions = {},
): HostServer {
  checkFunction('createHostServer', 'a listener, such as one made by toNodeListener', listener)
  checkOptions('createHostServer', options, connectionShape)
  return hostListener(listener, resolveConnectionOptions('createHostServer', options))
}

export function hostListener(listener: AnyListener, settings: ConnectionSettings): HostServer {
  const { tls } = settings
  const connections = new Connections(settings)
  const http1 = createHttp1Server(listener, connections)
  const serveHttp2 = tls?.http2 && createHttp2Server(listener, tls.http2, connections)
  const serveHttp1 = (socket: Socket): void => {
    connections.takeDecrypted(socket)
    http1.emit('connection', socket)
    keepParsing(socket)
  }
  const take = (socket: Socket): void => connections.take(socket)
  const tlsServer = tls && createTlsServer(tls, take, serveHttp1, serveHttp2)
  const server = tlsServer?.server ?? http1
  // Another process may have paused a connection that it passes on.
  if (tlsServer === undefined) http1.on('connection', (socket) => (take(socket), socket.resume()))

  let clock: NodeJS.Timeout | undefined
  const watch = (): void => {
    if (clock !== undefined) return
    clock = setInterval(() => connections.look(), settings.connectionsCheckingInterval)
    clock.unref()
    // At this event Node begins to enforce the time limits of requests. A server whose connections are
    // accepted elsewhere never listens.
    if (!http1.listening) http1.emit('listening')
  }
  server.on('listening', watch)
  http1.on('close', () => {
    clearInterval(clock)
    clock = undefined
  })
  const end = (): void => void http1.close() // stops Node's timer for connections, and ours
  if (tlsServer !== undefined) server.once('close', end)
  return {
    server,
    adopt: (socket) => {
      watch()
      if (tlsServer === undefined) {
        // node:http does this for the connections that it accepts.
        socket.allowHalfOpen = true
        socket.setNoDelay(true)
      }
      server.emit('connection', socket)
    },
    setCertificate(certificate) {
      if (tlsServer === undefined)
        throw new TypeError('setCertificate: the server was created without tls.')
      tlsServer.setCertificate(certificate)
    },
    figures: () => ({ connections: connections.size, refusedConnections: connections.refused }),
    close: createDrain({ server, http1, connections, end }),
  }
}

/** Creates a TLS server in front of the HTTP servers; clients choose the HTTP version by ALPN. */
function createTlsServer(
  { options }: TlsSettings,
  take: (socket: Socket) => void,
  serveHttp1: (socket: TLSSocket) => void,
  serveHttp2: ((socket: TLSSocket) => void) | undefined,
) {
  const server = process.getBuiltinModule('node:tls').createServer(options)
  // Counted before the handshake, which costs more than a request.
  server.on('connection', take)
  // Node leaves a connection open whose handshake took too long.
  server.on('tlsClientError', (_fault, socket) => socket.destroy())
  server.on('secureConnection', (socket) => {
    // Its own address: that of the socket below was read as it was accepted.
    if (isReset({ raw: { socket } })) socket.destroy()
    else if (socket.alpnProtocol === 'h2' && serveHttp2 !== undefined) serveHttp2(socket)
    else serveHttp1(socket)
  })
  const setCertificate = (certificate: Certificate): void => {
    const next = { ...options, ...certificate }
    checkCertificate(next)
    server.setSecureContext(next)
  }
  return { server, setCertificate }
}

const listenShape = objectOf<ListenOptions>('{ port: 4000 }', listenShapes)

export interface Listening extends Pick<HostServer, 'setCertificate' | 'figures' | 'close'> {
  /** Scheme, host and port, such as `http://localhost:4000`; https with `tls`. */
  readonly origin: string
  readonly host: string
  readonly port: number
}

/** Options for a listener that only supports HTTP/1.1, such as an Express app. */
export interface Http1ListenOptions extends ListenOptions {
  readonly tls?: (TlsOptions & { readonly http2: false }) | undefined
}

/** Serves a listener with limits on its connections, and resolves when it listens. */
export function listen(listener: RequestListener, options?: Http1ListenOptions): Promise<Listening>
export function listen(listener: DualListener, options?: ListenOptions): Promise<Listening>
export function listen(listener: AnyListener, options: ListenOptions = {}): Promise<Listening> {
  checkFunction('listen', 'a listener, such as one made by toNodeListener', listener)
  checkOptions('listen', options, listenShape)
  return startListening(listener, resolveListenOptions('listen', options))
}

export function startListening(
  listener: AnyListener,
  settings: ListenSettings,
): Promise<Listening> {
  const { port, host, backlog, onBug, createId } = settings
  const hosted = hostListener(listener, settings)
  return new Promise((resolve, reject) => {
    const { server } = hosted
    server.once('error', reject)
    server.listen({ port, host, backlog }, () => {
      server.off('error', reject)
      server.on('error', (fault) => onBug(fault, { id: createId() })) // a socket that cannot be accepted
      const { port: taken } = server.address() as AddressInfo
      const origin = `${settings.tls ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${taken}`
      const { setCertificate, figures, close } = hosted
      resolve({ origin, host, port: taken, setCertificate, figures, close })
    })
  })
}
