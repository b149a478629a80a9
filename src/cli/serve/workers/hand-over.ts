import type { Socket } from 'node:net'
import { networkOf } from '../../../index.js'

/** Serves connections that another process has accepted. */
export interface HandOverReceiver {
  /** Sends it a connection with a number; `failed` is called if that is not possible. */
  send(id: number, socket: Socket, failed: () => void): void
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
  readonly client: string | undefined
  attempts: number
  /** The one that it was sent to last. */
  receiver?: HandOverReceiver
}

/** Passes connections to the receivers in turn, by turns of their clients, and keeps each until it has arrived. */
export class HandOver {
  readonly #maxHeld: number
  /** Those that wait, by client, the next one first. */
  readonly #lines = new Map<string | undefined, Held[]>()
  #waiting = 0
  /** Those on their way, in the order of their numbers. */
  readonly #sent = new Map<number, Held>()
  #receivers: readonly HandOverReceiver[] = []
  #newest = 0
  #turn = 0
  #lost = 0
  #whenEmpty: (() => void) | undefined

  /** `maxHeld` is how many connections may wait or be on their way; further ones are closed. */
  constructor(maxHeld: number) {
    this.#maxHeld = maxHeld
  }

  add(receiver: HandOverReceiver): void {
    this.#receivers = [...this.#receivers, receiver]
    this.#deal()
  }

  /** Stops sending to the receiver. */
  remove(receiver: HandOverReceiver): void {
    this.#receivers = this.#receivers.filter((other) => other !== receiver)
  }

  /** The receiver has ended: connections on their way to it go to another. */
  ended(receiver: HandOverReceiver): void {
    this.remove(receiver)
    this.#takeBack((held) => held.receiver === receiver)
  }

  /** The receiver has confirmed the connection with this number. */
  arrived(receiver: HandOverReceiver, id: number): void {
    const held = this.#sent.get(id)
    if (held?.receiver !== receiver) return
    this.#sent.delete(id)
    held.socket.destroy() // the copy of this process; the connection lives on in the receiver
    // The channel keeps the order: the receiver had no file descriptor left for earlier ones.
    this.#takeBack((other, otherId) => other.receiver === receiver && otherId < id)
  }

  /** Finds a receiver for a connection, now or later. */
  hand(socket: Socket): void {
    // The socket is not read here, but an error may still occur.
    socket.on('error', () => {})
    const { remoteAddress: address } = socket
    const client = address === undefined ? undefined : networkOf(address)
    if (this.#waiting + this.#sent.size >= this.#maxHeld && !this.#makeRoom(client)) {
      return void socket.destroy()
    }
    this.#wait([{ socket, client, attempts: 0 }], 'push')
    this.#deal()
  }

  /** Resolves when all connections are on their way. */
  async emptied(): Promise<void> {
    if (this.#waiting > 0) await new Promise<void>((done) => (this.#whenEmpty = done))
  }

  /** Closes the connections that wait, and returns the number of those that did not arrive. */
  close(): number {
    for (let held = this.#take(); held !== undefined; held = this.#take()) this.#drop(held)
    return this.#lost
  }

  #deal(): void {
    for (let receiver = this.#next(); receiver !== undefined; receiver = this.#next()) {
      const held = this.#take()
      if (held === undefined) break
      const id = ++this.#newest
      held.receiver = receiver
      this.#sent.set(id, held)
      receiver.send(id, held.socket, () => this.#takeBack((_, otherId) => otherId === id))
    }
    if (this.#waiting === 0) this.#whenEmpty?.()
  }

  #wait(all: readonly Held[], where: 'push' | 'unshift'): void {
    for (const held of all) {
      const line = this.#lines.get(held.client) ?? []
      this.#lines.set(held.client, line)
      line[where](held)
    }
    this.#waiting += all.length
  }

  /** Takes the oldest of the next client, which then comes last. */
  #take(): Held | undefined {
    const [next] = this.#lines
    if (next === undefined) return undefined
    const [client, line] = next
    const held = line.shift()
    this.#waiting -= 1
    this.#lines.delete(client)
    if (line.length > 0) this.#lines.set(client, line)
    return held
  }

  /** Closes the newest of the client with the most, unless this client would then have as many. */
  #makeRoom(client: string | undefined): boolean {
    const own = this.#lines.get(client) ?? []
    const heaviest = [...this.#lines.values()].reduce(
      (most, line) => (line.length > most.length ? line : most),
      own,
    )
    if (heaviest.length <= own.length + 1) return false
    heaviest.pop()?.socket.destroy()
    this.#waiting -= 1
    return true
  }

  /** Connections that did not arrive go to another receiver, before the younger ones. */
  #takeBack(hasFailed: (held: Held, id: number) => boolean): void {
    const again: Held[] = []
    for (const [id, held] of this.#sent) {
      if (!hasFailed(held, id)) continue
      this.#sent.delete(id)
      if (++held.attempts < maxAttempts) again.push(held)
      else this.#drop(held)
    }
    this.#wait(again.toReversed(), 'unshift')
    this.#deal()
  }

  #drop({ socket }: Held): void {
    this.#lost++
    socket.destroy()
  }

  #next(): HandOverReceiver | undefined {
    if (this.#waiting === 0) return undefined
    const sent = [...this.#sent.values()]
    for (const _ of this.#receivers) {
      this.#turn = (this.#turn + 1) % this.#receivers.length
      const receiver = this.#receivers[this.#turn]
      const underway = sent.filter((held) => held.receiver === receiver)
      if (receiver !== undefined && underway.length < window) return receiver
    }
    return undefined
  }
}
