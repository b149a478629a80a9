import { createServer, type AddressInfo, type Socket } from 'node:net'
import { createResponder } from './responder.js'
import type { DefectName } from './defects.js'
import { withLargeRequests } from './large-requests.js'
import { serveConnection } from './serve-connection.js'

/** A running server. */
export interface RunningServer {
  readonly url: string
  readonly stop: () => Promise<void>
}

/** Starts the reference server on a free port, with one of its defects or with none. */
export function startServer(defect?: DefectName): Promise<RunningServer> {
  const has = (name: DefectName): boolean => name === defect
  const responder = withLargeRequests(createResponder(has), has)
  const sockets = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    void serveConnection(socket, responder, has)
  })
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve())
      for (const socket of sockets) socket.destroy()
    })
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      resolve({ url: `http://127.0.0.1:${port}/graphql`, stop })
    })
  })
}
