import { createClientReader } from '../../../http/client-address.js'
import type { Incoming } from './incoming.js'

/** Finds who has sent a request of Node; undefined where there is no address. */
export type ClientOf = (incoming: Incoming) => string | undefined

export function createClientOf(trustedProxies: number): ClientOf {
  const clientOf = createClientReader(trustedProxies)
  return (raw) => {
    const { method = '', url = '', rawHeaders } = raw
    return clientOf({ method, target: url, headers: rawHeaders, raw })
  }
}
