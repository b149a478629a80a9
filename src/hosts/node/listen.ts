import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { checkNumber } from './check-number.js'
import type { ConnectionOptions } from './connection-options.js'
import type { CloseOptions, CloseReport } from './drain.js'
import { resolveHostOptions } from '../host-options.js'
import { createHostServer } from './host-server.js'

/** Where to listen, and how to treat connections. */
export interface ListenOptions extends ConnectionOptions {
  /** The port; 0 takes a free one. Default: 4000. */
  readonly port?: number | undefined
  /** The address to listen on. Default: 'localhost'. */
  readonly host?: string | undefined
  /** How many new connections the system keeps for us in a burst. Default: 4,096. */
  readonly backlog?: number | undefined
}

/** A server that listens. */
export interface Listening {
  /** Scheme, host and port, such as `http://localhost:4000`. */
  readonly origin: string
  readonly host: string
  readonly port: number
  /** Answers what has arrived and ends; a second call gives the promise of the first, options and all. */
  close(options?: CloseOptions): Promise<CloseReport>
}

/** Serves a listener over HTTP/1.1 with limits on its connections, and resolves when it listens. */
export function listen(listener: RequestListener, options: ListenOptions = {}): Promise<Listening> {
  const { host = 'localhost' } = options
  const port = checkNumber('port', options.port ?? 4000, 0, 65_535)
  const backlog = checkNumber('backlog', options.backlog ?? 4_096, 1, 2 ** 31 - 1)
  const { onBug, createId } = resolveHostOptions(options)
  const hosted = createHostServer(listener, options)
  return new Promise((resolve, reject) => {
    const { server } = hosted
    server.once('error', reject)
    server.listen({ port, host, backlog }, () => {
      server.off('error', reject)
      server.on('error', (fault) => onBug(fault, { id: createId() })) // a socket that cannot be accepted
      const { port: taken } = server.address() as AddressInfo
      const origin = `http://${host.includes(':') ? `[${host}]` : host}:${taken}`
      resolve({ origin, host, port: taken, close: (how) => hosted.close(how) })
    })
  })
}
