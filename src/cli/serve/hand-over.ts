import type { Socket } from 'node:net'

/** Whoever serves connections that somebody else has accepted. */
export interface Taker {
  /** How many connections are on their way to it. */
  pending(): number
  /** Resolves to whether it has got the connection. */
  take(socket: Socket): Promise<boolean>
}

/** One that has so many more on their way to it than another is passed over: it does not keep up. */
const maxBehind = 64

/** A connection that failed to arrive so often ends. */
const maxAttempts = 4

/** Gives connections to the takers in turn, and keeps each until a taker has it. */
export class HandOver {
  readonly #maxHeld: number
  readonly #waiting: Socket[] = []
  #takers: readonly Taker[] = []
  #held = 0
  #turn = 0
  #lost = 0

  /** `maxHeld` is how many connections may wait or be under way; further ones are closed. */
  constructor(maxHeld: number) {
    this.#maxHeld = maxHeld
  }

  /** Gives connections to this one too, first those that wait. */
  add(taker: Taker): void {
    this.#takers = [...this.#takers, taker]
    for (const socket of this.#waiting.splice(0)) this.#pass(socket)
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
    this.#pass(socket)
  }

  /** Ends the connections that wait, and gives the number of all that nobody got. */
  close(): number {
    for (const socket of this.#waiting.splice(0)) this.#drop(socket)
    return this.#lost
  }

  #pass(socket: Socket, attempts = 0): void {
    const taker = this.#next()
    if (taker === undefined) {
      this.#waiting.push(socket)
      return
    }
    void taker.take(socket).then((taken) => {
      if (taken) this.#release(socket)
      else if (attempts < maxAttempts) this.#pass(socket, attempts + 1)
      else this.#drop(socket)
    })
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
    const least = Math.min(...this.#takers.map((taker) => taker.pending()))
    for (const _ of this.#takers) {
      this.#turn = (this.#turn + 1) % this.#takers.length
      const taker = this.#takers[this.#turn]
      if (taker !== undefined && taker.pending() - least < maxBehind) return taker
    }
    return undefined
  }
}

function ignore(): void {}
