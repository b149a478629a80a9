import type { IncomingMessage } from 'node:http'
import { createHandler } from '../../handler.js'
import type { Options } from '../../options.js'
import type { CloseOptions, CloseReport } from './host-server.js'
import { listen, type ListenOptions } from './listen.js'
import { toNodeListener } from './listener.js'

/** The options of the handler and of its host, and where to listen. */
export type ServeOptions<Principal = unknown> = Options<IncomingMessage, Principal> & ListenOptions

/** A server that listens. */
export interface Served {
  /** Where GraphQL requests go. */
  readonly url: string
  readonly port: number
  /** Takes no more connections and resolves when every request has been answered. */
  close(options?: CloseOptions): Promise<CloseReport>
}

/** Serves a schema over HTTP/1.1 and resolves when it listens. The path is '/graphql' unless given. */
export async function serve<Principal>(options: ServeOptions<Principal>): Promise<Served> {
  const { path = '/graphql' } = options
  const handler = createHandler<IncomingMessage, Principal>({ ...options, path })
  const { origin, port, close } = await listen(toNodeListener(handler, options), options)
  return { url: `${origin}${path}`, port, close }
}
