import { createCheckedHandler } from '../../../handler/handler.js'
import type { Handler } from '../../../http/message.js'
import { optionShapes, type Options } from '../../../options/options.js'
import { checkOptions, objectOf, type Shapes } from '../../../shapes/shape.js'
import { findPathConflict } from '../connection/connection-options.js'
import type { CloseOptions } from './close-options.js'
import type { CloseReport } from './drain.js'
import type { Incoming } from '../exchange/incoming.js'
import type { HostFigures } from './host-server.js'
import { startListening } from './listen.js'
import {
  listenShapes,
  resolveListenOptions,
  type ListenMembers,
  type ListenSettings,
} from './listen-options.js'
import { createListener } from './listener.js'
import type { Certificate } from '../connection/tls-options.js'

/** The options of the handler, where to listen, and how to treat connections. */
export interface ServeOptions<Principal = unknown>
  extends Options<Incoming, Principal>, ListenMembers {}

/** A server of GraphQL that listens. */
export interface Served {
  /** The URL of the GraphQL endpoint. */
  readonly url: string
  readonly port: number
  /** Uses another certificate for new connections; throws and keeps the old one if it is invalid. */
  readonly setCertificate: (certificate: Certificate) => void
  readonly figures: () => HostFigures
  /** Finishes all requests that have arrived, then closes. A second call returns the promise of the first. */
  readonly close: (options?: CloseOptions) => Promise<CloseReport>
}

/** The valid values of each option. An option without a row does not compile. */
export const serveShapes: Shapes<ServeOptions> = { ...listenShapes, ...optionShapes }

const serveShape = objectOf<ServeOptions>('{ schema }', serveShapes)

/** The handler and the server of `serve`. */
export interface ServeSettings {
  readonly path: string
  readonly handler: Handler<Incoming>
  readonly settings: ListenSettings
}

/** Serves a schema and resolves when it listens. The path is '/graphql' unless given. */
export async function serve<Principal>(options: ServeOptions<Principal>): Promise<Served> {
  const { path, handler, settings } = resolveServeOptions('serve', options)
  const listening = await startListening(createListener(handler, settings), settings)
  const { origin, port, setCertificate, figures, close } = listening
  return { url: `${origin}${path}`, port, setCertificate, figures, close }
}

/** Checks the options and fills in the defaults; messages name the caller, such as a file. */
export function resolveServeOptions<Principal>(
  caller: string,
  options: ServeOptions<Principal>,
): ServeSettings {
  checkOptions(caller, options, serveShape)
  const { path = '/graphql' } = options
  const settings = resolveListenOptions(caller, options)
  const conflict = findPathConflict(path, settings)
  if (conflict !== undefined) throw new TypeError(`${caller}: ${conflict}`)
  const handler = createCheckedHandler<Incoming, Principal>(caller, options, path)
  return { path, handler, settings }
}
