import type { IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  createHostServer,
  type CloseOptions,
  type CloseReport,
  type ConnectionOptions,
} from './host-server.js'
import type { NodeListener } from './listener.js'

/** How connections are served, and where. */
export interface ListenOptions extends ConnectionOptions {
  readonly port?: number
  readonly host?: string
  readonly backlog?: number
}

/** A server that listens. */
export interface Listening {
  readonly origin: string
  readonly host: string
  readonly port: number
  close(options?: CloseOptions): Promise<CloseReport>
}

/** Listens with any listener. */
export function listen(
  listener: NodeListener<IncomingMessage>,
  options: ListenOptions = {},
): Promise<Listening> {
  const { port = 4000, host = 'localhost', backlog = 4096 } = options
  const { server, close } = createHostServer(listener, options)
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ port, host, backlog }, () => {
      const address = server.address() as AddressInfo
      const name = host.includes(':') ? `[${host}]` : host
      resolve({ origin: `http://${name}:${address.port}`, host, port: address.port, close })
    })
  })
}
