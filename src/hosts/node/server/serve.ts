import { createCheckedEndpoint, type Endpoint } from '../../../handler/handler.js'
import { optionShapes, type Options } from '../../../options/options.js'
import type { StreamStats } from '../../../streams/streams.js'
import { checkOptions, either, objectOf, type Shapes } from '../../../shapes/shape.js'
import { aBoolean } from '../../../shapes/shapes.js'
import type { HostOptions } from '../../host-options.js'
import {
  findPathConflict,
  listenShapes,
  resolveListenOptions,
  type ListenOptions,
  type ListenSettings,
} from '../connection/connection-options.js'
import type { Incoming } from '../exchange/incoming.js'
import { startListening, type HostFigures, type HostServer } from './host-server.js'
import { createListener } from '../exchange/listener.js'
import type { SocketEndpoint } from '../../../websocket/operations.js'
import { webSocketShape, type WebSocketOptions } from '../../../websocket/socket-options.js'
import type { WebSocketHost } from '../websocket/websocket-host.js'

/** The options of the handler, where to listen, and how to treat connections. */
export interface ServeOptions<Principal = unknown>
  extends Options<Incoming, Principal>, Omit<ListenOptions, keyof HostOptions> {
  /** Whether to serve WebSockets at the same path, or with which options. Default: false. */
  readonly websocket?: boolean | WebSocketOptions | undefined
}

/** Counts of a server, and of its streams. */
export interface ServedFigures extends HostFigures {
  readonly streams: StreamStats
  /** How many WebSockets are open. */
  readonly sockets: number
}

export interface Served extends Pick<HostServer, 'setCertificate' | 'close'> {
  /** The URL of the GraphQL endpoint. */
  readonly url: string
  readonly port: number
  readonly figures: () => ServedFigures
}

export const serveShapes: Shapes<ServeOptions> = {
  ...listenShapes,
  ...optionShapes,
  websocket: either(aBoolean, webSocketShape),
}

const serveShape = objectOf<ServeOptions>('{ schema }', serveShapes)

export interface ServeSettings {
  readonly path: string
  readonly endpoint: Endpoint<Incoming, never>
  readonly settings: ListenSettings
  /** Undefined without WebSockets. */
  readonly websocket: WebSocketOptions | undefined
}

/** Serves a schema and resolves when it listens. The path is '/graphql' unless given. */
export async function serve<Principal>(options: ServeOptions<Principal>): Promise<Served> {
  const { path, endpoint, settings, websocket } = resolveServeOptions('serve', options)
  const sockets = settings.sockets ?? (await loadWebSocketHost(endpoint, websocket))
  const listener = createListener(endpoint.handler, settings)
  const listening = await startListening(listener, { ...settings, sockets })
  const { origin, port, setCertificate, close } = listening
  const figures = (): ServedFigures => {
    const { sockets: opened, ...streams } = endpoint.stats()
    return { ...listening.figures(), streams, sockets: opened }
  }
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
  const endpoint = createCheckedEndpoint<Incoming, Principal>(caller, options, { path })
  const { websocket = false } = options
  if (websocket !== false && settings.sockets !== undefined) {
    throw new TypeError(
      `${caller}: websocket and sockets are given; sockets has options of its own.`,
    )
  }
  return {
    path,
    endpoint,
    settings,
    websocket: typeof websocket === 'object' ? websocket : websocket ? {} : undefined,
  }
}

/** The library `ws` is loaded only where it is used. */
export async function loadWebSocketHost(
  endpoint: SocketEndpoint,
  options: WebSocketOptions | undefined,
): Promise<WebSocketHost | undefined> {
  if (options === undefined) return undefined
  const { createWebSocketHost } = await import('../websocket/websocket-host.js')
  return createWebSocketHost(endpoint, options)
}
