import type { Socket } from 'node:net'

/** How many requests of all connections may wait for their turn. */
const maxWaiting = 10_000

/**
 * The pipelines of a server, and how many requests wait in each, for a turn of the event loop or for a response. Of one read
 * of 64 KB, Node makes 2,400 requests, which take 4 MB. Node keeps them until the connection ends, so beyond the limit those
 * end that have the most.
 */
export class WaitingPipelines {
  readonly #waiting = new Map<Socket, number>()
  #sum = 0

  /** Notes how many wait on a connection. */
  set(socket: Socket, waiting: number): void {
    this.#sum += waiting - (this.#waiting.get(socket) ?? 0)
    if (waiting > 0) this.#waiting.set(socket, waiting)
    else this.#waiting.delete(socket)
    if (this.#sum > maxWaiting) this.#endLongest()
  }

  #endLongest(): void {
    const [socket] = [...this.#waiting].reduce((most, one) => (one[1] > most[1] ? one : most))
    socket.destroy()
    this.set(socket, 0)
  }
}
