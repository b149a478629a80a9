import { createServer, type RequestListener, type Server } from 'node:http'
import type { Socket } from 'node:net'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import type { Test } from 'tap'
import { createHostServer, toNodeListener, toNodeResponder } from '../../../src/hosts/node/index.js'
import type {
  ConnectionOptions,
  HostServer,
  NodeHostOptions,
} from '../../../src/hosts/node/index.js'
import type { Handler } from '../../../src/index.js'
import type { Client } from '../../hosts/exchange.js'
import { http1Client } from '../../hosts/http1-client.js'
import { rawClient, type RawClient } from './raw-client.js'
import { createTestedHandler, type TestedHandler } from '../../hosts/tested-handler.js'
import { close, listen } from '../../hosts/start-node.js'

/** A server that listens on a free port of the loopback, until the test ends. */
interface Place {
  readonly server: Server
  readonly port: number
  /** A client of HTTP/1.1 for a path. */
  readonly at: (path: string) => Client
  readonly connect: () => Promise<RawClient>
  /** Also its socket at the server, and when that is closed. */
  readonly connectBoth: () => Promise<{
    client: RawClient
    socket: Socket
    closed: Promise<unknown>
  }>
}

export interface Hosted extends TestedHandler, HostServer, Place {
  readonly server: Server
}

/** Starts a hardened server around a listener, or around one of the tested handler. */
export async function host(
  t: Test,
  options: Omit<ConnectionOptions, 'tls'> = {},
  listener?: RequestListener,
): Promise<Hosted> {
  const tested = createTestedHandler()
  const { lingerBytes, lingerTimeout, sendTimeout } = options
  const hosted = createHostServer(
    listener ?? toNodeListener(tested.handler, { lingerBytes, lingerTimeout, sendTimeout }),
    { onBug: (bug) => void tested.bugs.push(bug), ...options },
  )
  const server = hosted.server as Server // nothing is encrypted
  return { ...tested, ...hosted, ...(await startOn(t, server, hosted.close)) }
}

/** Starts a server of Node alone around a listener, or around one of the tested handler. */
export async function plain(t: Test, listener?: RequestListener): Promise<Place & TestedHandler> {
  const tested = createTestedHandler()
  const server = createServer(listener ?? toNodeListener(tested.handler))
  return { ...tested, ...(await startOn(t, server, () => close(server))) }
}

async function startOn(t: Test, server: Server, end: () => Promise<unknown>): Promise<Place> {
  const port = await listen(server)
  const clients: Socket[] = []
  t.teardown(async () => {
    for (const socket of clients) socket.destroy()
    await end()
  })
  const connect = async (): Promise<RawClient> => {
    const client = await rawClient(port)
    clients.push(client.socket)
    return client
  }
  const connectBoth = async () => {
    const accepted = once(server, 'connection')
    const client = await connect()
    const [socket] = (await accepted) as [Socket]
    return { client, socket, closed: new Promise((resolve) => socket.once('close', resolve)) }
  }
  const at = (path: string): Client => http1Client(`http://127.0.0.1:${port}${path}`)
  return { server, port, at, connect, connectBoth }
}

/** The listener of a framework that sends the response itself. */
export function inFramework(handler: Handler, options: NodeHostOptions = {}): RequestListener {
  const respond = toNodeResponder(handler, options)
  return async (incoming, outgoing) => {
    const { status, headers, body } = await respond(incoming, outgoing)
    if (body instanceof Readable) body.pipe(outgoing.writeHead(status, [...headers]))
    else {
      const length = String(Buffer.byteLength(body))
      outgoing.writeHead(status, [...headers, 'Content-Length', length]).end(body)
    }
  }
}

/** The two ways in which an answer gets out. */
export const ways: readonly [name: string, toListener: typeof inFramework][] = [
  ['toNodeListener', toNodeListener],
  ['toNodeResponder in a framework', inFramework],
]
