import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createHandler } from '../../handler.js'
import type { Options } from '../../options.js'
import { toNodeListener } from './listener.js'
import { resolveNodeHostOptions, type NodeHostOptions } from './node-host-options.js'

/** The options of the handler and of its host, and where to listen. */
export interface ServeOptions<Principal = unknown>
  extends
    Options<IncomingMessage, Principal>,
    Pick<NodeHostOptions, 'lingerBytes' | 'lingerTimeout'> {
  /** The port; 0 takes a free one. Default: 4000. */
  readonly port?: number
  /** The address to listen on. Default: 'localhost'. */
  readonly host?: string
}

/** A server that listens. */
export interface Served {
  /** Where GraphQL requests go. */
  readonly url: string
  readonly port: number
  /** Takes no more connections and resolves when every request has been answered. */
  close(): Promise<void>
}

/** Serves a schema over HTTP/1.1 and resolves when it listens. The path is '/graphql' unless given. */
export function serve<Principal>(options: ServeOptions<Principal>): Promise<Served> {
  const { port = 4000, host = 'localhost', path = '/graphql' } = options
  const handler = createHandler<IncomingMessage, Principal>({ ...options, path })
  const { onBug, createId } = resolveNodeHostOptions(options)
  const server = createServer(toNodeListener(handler, options))
  // Node drops what is above its own limit without a word, Host among it; the handler counts instead.
  server.maxHeadersCount = 0
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      server.on('error', (fault) => onBug(fault, { id: createId() })) // a socket that cannot be accepted
      const address = server.address() as AddressInfo
      resolve({
        url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}${path}`,
        port: address.port,
        close: () => close(server),
      })
    })
  })
}

/** A connection that becomes idle after `close` would wait seconds for a next request. */
const sweepMs = 100

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    const sweep = setInterval(() => server.closeIdleConnections(), sweepMs)
    server.close(() => {
      clearInterval(sweep)
      resolve()
    })
  })
}
