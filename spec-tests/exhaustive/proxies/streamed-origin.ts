import type { Test } from 'tap'
import { createHostServer, toNodeListener } from '../../../src/hosts/node/index.js'
import { createWebSocketHost } from '../../../src/hosts/node/websocket/index.js'
import { listen } from '../../hosts/start-node.js'
import {
  createStreamedEndpoint,
  type StreamedEndpoint,
} from '../../hosts/streams/streamed-endpoint.js'

/** A server of streams behind a proxy, over SSE and WebSockets. */
export interface StreamedOrigin extends StreamedEndpoint {
  readonly port: number
  /** How many sockets are open. */
  readonly sockets: () => number
  readonly close: () => Promise<unknown>
}

export async function startStreamedOrigin(t: Test): Promise<StreamedOrigin> {
  const endpoint = createStreamedEndpoint({ heartbeat: 1000 })
  const sockets = createWebSocketHost(endpoint)
  const { server, close } = createHostServer(toNodeListener(endpoint.handler), { sockets })
  const port = await listen(server)
  const end = (): Promise<unknown> => close({ grace: 0, spread: 0, deadline: 1000 })
  t.teardown(end)
  return { ...endpoint, port, sockets: () => sockets.stats().open, close: end }
}
