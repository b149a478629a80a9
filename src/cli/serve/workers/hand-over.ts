import type { Socket } from 'node:net'

/** Serves connections that another process has accepted. */
export interface Receiver {
  /** How many connections are on their way to it. */
  pending(): number
  /** Resolves to whether the connection has arrived. */
  take(socket: Socket): Promise<boolean>
}

/**
 * How many connections may be on their way to one receiver: Node sends one after another and goes through
 * all that wait each time, and a receiver that does not keep up must not hold what others can serve.
 */
const window = 16

/** A connection that failed to arrive this often is closed. */
const maxAttempts = 5

interface Held {
  readonly socket: Socket
  attempts: number
}

/** Passes connections to the receivers in turn, and keeps each until it has arrived. */
export class HandOver {
  readonly #maxHeld: number
  readonly #waiting: Held[] = []
  #receivers: readonly Receiver[] = []
  #held = 0
  #turn = 0
  #lost = 0
  #whenEmpty: (() => void) | undefined

  /** `maxHeld` is how many connections may wait or be on their way; further ones are closed. */
  constructor(maxHeld: number) {
    this.#maxHeld = maxHeld
  }

  add(receiver: Receiver): void {
    this.#receivers = [...this.#receivers, receiver]
    this.#deal()
  }

  remove(receiver: Receiver): void {
    this.#receivers = this.#receivers.filter((other) => other !== receiver)
  }

  /** Finds a receiver for a connection, now or later. */
  hand(socket: Socket): void {
    // It is not read here, but an error may still occur.
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

  /** Closes the connections that wait, and returns the number of those that did not arrive. */
  close(): number {
    for (const { socket } of this.#waiting.splice(0)) this.#drop(socket)
    return this.#lost
  }

  #deal(): void {
    for (let receiver = this.#next(); receiver !== undefined; receiver = this.#next()) {
      const held = this.#waiting.shift()
      if (held === undefined) break
      void this.#pass(held, receiver)
    }
    if (this.#waiting.length === 0) this.#whenEmpty?.()
  }

  async #pass(held: Held, receiver: Receiver): Promise<void> {
    const hasArrived = await receiver.take(held.socket)
    if (hasArrived) this.#release(held.socket)
    else if (++held.attempts < maxAttempts) this.#waiting.unshift(held)
    else this.#drop(held.socket)
    this.#deal()
  }

  #drop(socket: Socket): void {
    this.#lost++
    this.#release(socket)
  }

  /** Closes the copy of this process; the connection lives on in the receiver. */
  #release(socket: Socket): void {
    this.#held--
    socket.destroy()
  }

  #next(): Receiver | undefined {
    if (this.#waiting.length === 0) return undefined
    for (const _ of this.#receivers) {
      this.#turn = (this.#turn + 1) % this.#receivers.length
      const receiver = this.#receivers[this.#turn]
      if (receiver !== undefined && receiver.pending() < window) return receiver
    }
    return undefined
  }
}

function ignore(): void {}

/** Items on their way to a process that confirms each one. */
export interface Transfers<Item> {
  /** Resolves to whether it has arrived. */
  send(item: Item): Promise<boolean>
  arrived(id: number): void
  /** Nothing more will arrive. */
  close(): void
  /** How many are on their way. */
  size(): number
}

/** Numbers what is sent over a channel that keeps the order. */
export function createTransfers<Item>(
  dispatch: (id: number, item: Item, failed: () => void) => void,
): Transfers<Item> {
  const pending = new Map<number, (hasArrived: boolean) => void>()
  let last = 0
  let isClosed = false
  const settle = (id: number, hasArrived: boolean): void => {
    pending.get(id)?.(hasArrived)
    pending.delete(id)
  }
  return {
    send(item) {
      const id = ++last
      return new Promise((resolve) => {
        if (isClosed) return resolve(false)
        pending.set(id, resolve)
        dispatch(id, item, () => settle(id, false))
      })
    },
    arrived(id) {
      for (const earlier of pending.keys()) {
        if (earlier >= id) break
        // A later one has arrived: the receiver had no file descriptor left for this one.
        settle(earlier, false)
      }
      settle(id, true)
    },
    close() {
      isClosed = true
      for (const id of pending.keys()) settle(id, false)
    },
    size: () => pending.size,
  }
}
