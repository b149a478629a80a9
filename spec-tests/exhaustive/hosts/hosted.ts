import { once } from 'node:events'
import type { RequestListener, Server } from 'node:http'
import type { AddressInfo, Server as NetServer, Socket } from 'node:net'
import type { Test } from 'tap'
import {
  createHostServer,
  toNodeListener,
  type ConnectionOptions,
  type HostServer,
} from '../../../src/hosts/node/index.js'
import { rawClient, type RawClient } from './raw-client.js'
import { createTestedHandler, type TestedHandler } from '../../hosts/tested-handler.js'

/** A hardened server that listens on a free port of the loopback. */
export interface Hosted extends TestedHandler, HostServer {
  readonly server: Server
  readonly port: number
  readonly connect: () => Promise<RawClient>
}

/** Starts a server around a listener, or around one of the tested handler. */
export async function host(
  t: Test,
  options: Omit<ConnectionOptions, 'tls'> = {},
  listener?: RequestListener,
): Promise<Hosted> {
  const tested = createTestedHandler()
  const { onBug, createId, ...rest } = options
  const { lingerBytes, lingerTimeout, sendTimeout, maxBufferedBytes, maxSmallChunks } = rest
  const hosted = createHostServer(
    listener ??
      toNodeListener(tested.handler, {
        ...(onBug && { onBug }),
        ...(createId && { createId }),
        lingerBytes,
        lingerTimeout,
        sendTimeout,
        maxBufferedBytes,
        maxSmallChunks,
      }),
    options,
  )
  const server = hosted.server as Server // nothing is encrypted
  hosted.server.listen(0, '127.0.0.1')
  await once(hosted.server, 'listening')
  const { port } = hosted.server.address() as AddressInfo
  const clients: Socket[] = []
  t.teardown(async () => {
    for (const socket of clients) socket.destroy()
    await hosted.close()
  })
  const connect = async (): Promise<RawClient> => {
    const client = await rawClient(port)
    clients.push(client.socket)
    return client
  }
  return { ...tested, ...hosted, server, port, connect }
}

/** The server's end of a new connection. */
export async function connectBoth(
  { server }: { readonly server: NetServer },
  connect: () => Promise<RawClient>,
): Promise<{ readonly client: RawClient; readonly socket: Socket }> {
  const accepted = once(server, 'connection')
  const client = await connect()
  const [socket] = (await accepted) as [Socket]
  return { client, socket }
}
