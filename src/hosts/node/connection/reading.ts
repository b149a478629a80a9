import type { Socket } from 'node:net'

/** Stops reading a socket of an HTTP server, although Node resumes it whenever it has read a request. */
export function stopReading(socket: Socket): void {
  if (Object.hasOwn(socket, 'resume')) return
  socket.pause()
  socket.resume = () => socket
  socket.on('resume', pauseAgain)
}

export function readAgain(socket: Socket): void {
  delete (socket as { resume?: unknown }).resume
  socket.off('resume', pauseAgain)
  socket.resume()
}

/** A `resume` from before takes effect a tick later; at this event Node's server stops reading. */
function pauseAgain(this: Socket): void {
  this.emit('pause')
}

/**
 * Drops what still arrives before it is parsed. Closing a socket with unread bytes resets it, and the client could lose
 * the last response.
 */
export function dropInput(socket: Socket): void {
  if (socket.listeners('data').includes(drop)) return
  socket.removeAllListeners('data')
  socket.on('data', drop) // with a listener, Node does not pass the bytes to the parser itself
}

function drop(): void {
  // The last request of the connection has arrived.
}
