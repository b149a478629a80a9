import { Server, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

/** So long without a new connection, and the clients that were just answered have come back. */
const quietMs = 20

/** There may always be another. */
const maxPauses = 25

/**
 * Stops listening, and loses no connection that was made before. The system makes connections before
 * we take them, and resets those that wait in its queue when the listener closes: so nobody new is
 * answered for a moment, until all who come back at once have come and the queue is empty.
 */
export async function closeListener(server: Server): Promise<void> {
  const listeners = server.listeners('connection') as ((socket: Socket) => void)[]
  const last: Socket[] = []
  server.removeAllListeners('connection')
  server.on('connection', (socket) => last.push(socket))
  let before = -1
  for (let pauses = 0; pauses < maxPauses && before < last.length; pauses++) {
    before = last.length
    await pause(quietMs)
  }
  // That of http would cut idle connections at once, which may hold a request already, and would no
  // longer look after the time that requests take.
  Server.prototype.close.call(server)
  server.removeAllListeners('connection')
  for (const listener of listeners) server.on('connection', listener)
  for (const socket of last) server.emit('connection', socket)
}
