import type { IncomingMessage } from 'node:http'
import { createHandler } from '../../handler.js'
import type { Options } from '../../options.js'
import { checkServedPath } from './connection-options.js'
import type { CloseOptions, CloseReport } from './drain.js'
import { listen, type ListenOptions } from './listen.js'
import { toNodeListener } from './listener.js'

/** The options of the handler, where to listen, and how to treat connections. */
export interface ServeOptions<Principal = unknown>
  extends
    Options<IncomingMessage, Principal>,
    Omit<ListenOptions, keyof Options<IncomingMessage, Principal>> {}

/** A server of GraphQL that listens. */
export interface Served {
  /** Where GraphQL requests go. */
  readonly url: string
  readonly port: number
  /** Answers what has arrived and ends; a second call gives the promise of the first, options and all. */
  close(options?: CloseOptions): Promise<CloseReport>
}

/** Serves a schema over HTTP/1.1 and resolves when it listens. The path is '/graphql' unless given. */
export async function serve<Principal>(options: ServeOptions<Principal>): Promise<Served> {
  const { path = '/graphql' } = options
  checkServedPath(path, options)
  const handler = createHandler<IncomingMessage, Principal>({ ...options, path })
  const listening = await listen(toNodeListener(handler, options), options)
  const { origin, port } = listening
  return { url: `${origin}${path}`, port, close: (how) => listening.close(how) }
}
