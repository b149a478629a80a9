import { createClientReader } from '../../../http/client-address.js'
import { onceGone, type Incoming, type Outgoing } from './incoming.js'

/** Identifies the client of a request of Node; undefined without an address. */
export type ClientOf = (incoming: Incoming) => string | undefined

export function createClientOf(trustedProxies: number): ClientOf {
  const clientOf = createClientReader(trustedProxies)
  return (raw) => {
    const { method = '', url = '', rawHeaders } = raw
    return clientOf({ method, target: url, headers: rawHeaders, raw })
  }
}

/** Bytes of each body that are not counted: most bodies are smaller, and many of these are harmless. */
export const freeBytes: number = 64 * 1024

/** Bytes of each body that are not counted over HTTP/2, where a connection can have a hundred bodies at once. */
export const freeBytesOfHttp2: number = 2 * 1024

const releases = new WeakMap<Incoming, () => void>()

/** Calls `release` once a request has its response or its client has left, perhaps several times. */
export function releaseWhenDone(incoming: Incoming, outgoing: Outgoing, release: () => void): void {
  releases.set(incoming, release)
  onceGone(incoming, outgoing, release)
  // A response behind another one of a pipeline is only closed with its socket.
  outgoing.once('close', release)
}

/** Gives back the bytes of a body whose response is a stream, which has a budget of its own. */
export function releaseBody(incoming: Incoming): void {
  releases.get(incoming)?.()
}
