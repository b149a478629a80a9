import type { Socket } from 'node:net'

/** How many requests of all connections may wait behind responses that do not come. */
const maxWaiting = 10_000

/**
 * The pipelines of a server that are full, so that their next request waits for a response rather than a turn, and how many
 * wait in each. Of one read of 64 KB, Node makes 2,400 requests, which take 4 MB, behind a stream for as long as that is
 * open. Node keeps them until the connection ends, so beyond the limit those end that have the most.
 */
export class StalledPipelines {
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
