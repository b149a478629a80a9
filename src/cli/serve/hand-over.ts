import type { Socket } from 'node:net'

/** Whoever serves connections that somebody else has accepted. */
export interface Taker {
  /** How many connections are on their way to it. */
  pending(): number
  /** Resolves to whether it has got the connection. */
  take(socket: Socket): Promise<boolean>
}

/**
 * So many connections are on their way to one taker at a time: Node sends one after another and goes
 * through all that wait each time, and one that does not keep up shall not hold what others can serve.
 */
const window = 16

/** A connection that failed to arrive so often ends. */
const maxAttempts = 5

interface Held {
  readonly socket: Socket
  attempts: number
}

/** Gives connections to the takers in turn, and keeps each until a taker has it. */
export class HandOver {
  readonly #maxHeld: number
  readonly #waiting: Held[] = []
  #takers: readonly Taker[] = []
  #held = 0
  #turn = 0
  #lost = 0
  #whenEmpty: (() => void) | undefined

  /** `maxHeld` is how many connections may wait or be under way; further ones are closed. */
  constructor(maxHeld: number) {
    this.#maxHeld = maxHeld
  }

  /** Gives connections to this one too. */
  add(taker: Taker): void {
    this.#takers = [...this.#takers, taker]
    this.#deal()
  }

  /** Gives no more connections to this one. */
  remove(taker: Taker): void {
    this.#takers = this.#takers.filter((other) => other !== taker)
  }

  /** Finds a taker for a connection, now or later. */
  hand(socket: Socket): void {
    // It is not read here, but an error may still reach it.
    socket.on('error', ignore)
    if (this.#held >= this.#maxHeld) {
      socket.destroy()
      return
    }
    this.#held++
    this.#waiting.push({ socket, attempts: 0 })
    this.#deal()
  }

  /** Resolves when all connections are on their way. */
  async emptied(): Promise<void> {
    if (this.#waiting.length > 0) await new Promise<void>((done) => (this.#whenEmpty = done))
  }

  /** Ends the connections that wait, and gives the number of all that nobody got. */
  close(): number {
    for (const { socket } of this.#waiting.splice(0)) this.#drop(socket)
    return this.#lost
  }

  #deal(): void {
    for (let taker = this.#next(); taker !== undefined; taker = this.#next()) {
      const held = this.#waiting.shift()
      if (held === undefined) break
      void this.#pass(held, taker)
    }
    if (this.#waiting.length === 0) this.#whenEmpty?.()
  }

  async #pass(held: Held, taker: Taker): Promise<void> {
    const taken = await taker.take(held.socket)
    if (taken) this.#release(held.socket)
    else if (++held.attempts < maxAttempts) this.#waiting.unshift(held)
    else this.#drop(held.socket)
    this.#deal()
  }

  #drop(socket: Socket): void {
    this.#lost++
    this.#release(socket)
  }

  /** Closes our own copy; the connection lives on where somebody has taken it. */
  #release(socket: Socket): void {
    this.#held--
    socket.destroy()
  }

  #next(): Taker | undefined {
    if (this.#waiting.length === 0) return undefined
    for (const _ of this.#takers) {
      this.#turn = (this.#turn + 1) % this.#takers.length
      const taker = this.#takers[this.#turn]
      if (taker !== undefined && taker.pending() < window) return taker
    }
    return undefined
  }
}

function ignore(): void {}
