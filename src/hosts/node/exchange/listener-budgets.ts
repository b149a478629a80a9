import { createClientReader } from '../../../http/client-address.js'
import { onceGone, type Incoming, type Outgoing } from './incoming.js'

/** Finds who has sent a request of Node; undefined where there is no address. */
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

/** Calls what gives back the bytes of a body, maybe several times, once it has a response or its client has left. */
export function releaseWhenDone(incoming: Incoming, outgoing: Outgoing, release: () => void): void {
  releases.set(incoming, release)
  onceGone(incoming, outgoing, release)
  // One behind another response of a pipeline is only watched by its socket.
  outgoing.once('close', release)
}

/** Gives back the bytes of a body whose response is a stream, which has a budget of its own. */
export function releaseBody(incoming: Incoming): void {
  releases.get(incoming)?.()
}
