import { Server, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'

/** Under load there may always be another. */
const maxLastTurns = 100

/**
 * Stops listening, and loses no connection that was made before. The system makes connections before
 * we take them, and resets those that wait in its queue when the listener closes: so the queue is
 * emptied first, with as little work as possible in between.
 */
export async function closeListener(server: Server): Promise<void> {
  const listeners = server.listeners('connection') as ((socket: Socket) => void)[]
  const last: Socket[] = []
  server.removeAllListeners('connection')
  server.on('connection', (socket) => last.push(socket))
  let before = -1
  // The turn that we are in may have asked the system before we came here.
  await turn()
  for (let turns = 0; turns < maxLastTurns && before < last.length; turns++) {
    before = last.length
    await turn()
  }
  // That of http would cut idle connections at once, which may hold a request already, and would no
  // longer look after the time that requests take.
  Server.prototype.close.call(server)
  server.removeAllListeners('connection')
  for (const listener of listeners) server.on('connection', listener)
  for (const socket of last) server.emit('connection', socket)
}
