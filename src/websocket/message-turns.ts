import { inNextTurn, sharesTurns } from '../base/next-turn.js'

/** How many messages are read in a turn of the event loop; as many requests of a pipeline start in one. */
const messagesPerTurn = 16

/** A socket whose messages wait. */
interface WaitingSocket {
  /** Reads one of them. */
  proceed(): void
}

/**
 * How many messages all sockets of a process read in a turn of the event loop. Each may be a query at the limit of its cost, and
 * everybody else would have to wait for all that a socket may send at once. Those that wait are read one of each socket, in turn.
 */
export class MessageTurns {
  readonly #most: number
  readonly #waiting = new Set<WaitingSocket>()
  #read = 0
  #isScheduled = false

  constructor(most: number = messagesPerTurn) {
    this.#most = most
  }

  /** Whether messages have to wait for another turn. */
  get isOver(): boolean {
    return this.#read >= this.#most
  }

  /** Counts a message. */
  note(): void {
    if (!sharesTurns) return
    this.#read += 1
    this.#schedule()
  }

  /** Lets a socket proceed in another turn, behind those that wait already. */
  wait(socket: WaitingSocket): void {
    this.#waiting.add(socket)
    this.#schedule()
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    inNextTurn(this.#begin)
  }

  readonly #begin = (): void => {
    this.#isScheduled = false
    this.#read = 0
    // Those that wait again are visited again.
    for (const socket of this.#waiting) {
      if (this.isOver) break
      this.#waiting.delete(socket)
      socket.proceed()
    }
    if (this.#waiting.size > 0) this.#schedule()
  }
}
