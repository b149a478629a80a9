import type { RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { checkOptions, objectOf } from '../../../shapes/shape.js'
import { checkFunction } from '../../../shapes/shapes.js'
import { hostListener, type DualListener, type HostServer } from './host-server.js'
import {
  listenShapes,
  resolveListenOptions,
  type ListenOptions,
  type ListenSettings,
} from '../connection/connection-options.js'
import type { AnyListener } from '../connection/serve-request.js'
import type { TlsOptions } from '../connection/tls-options.js'

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
