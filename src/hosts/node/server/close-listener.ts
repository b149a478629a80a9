import { Server, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** After this time without a new connection, clients that just got a response have reconnected. */
const quietMs = 20

/** An upper bound, since new connections might never stop. */
const maxPauses = 25

/**
 * Stops listening without losing a connection. The system completes connections before the server takes
 * them, and resets those that wait in its queue when the listener closes. So new connections are held for a
 * moment, without a response, until clients that reconnect at once have done so and the queue is empty.
 */
export async function closeListener(server: Server): Promise<void> {
  const listeners = server.listeners('connection') as ((socket: Socket) => void)[]
  const last: Socket[] = []
  server.removeAllListeners('connection')
  // One that its client resets meanwhile has no other listener: its error would end the process.
  server.on('connection', (socket) => last.push(socket.on('error', () => {})))
  let before = -1
  for (let pauses = 0; pauses < maxPauses && before < last.length; pauses++) {
    before = last.length
    await pause(quietMs)
  }
  // `close` of http would also destroy idle connections, which may have received a request already, and
  // stop enforcing time limits.
  Server.prototype.close.call(server)
  server.removeAllListeners('connection')
  for (const listener of listeners) server.on('connection', listener)
  for (const socket of last) if (!socket.destroyed) server.emit('connection', socket)
}
