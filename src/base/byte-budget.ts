import { Shares } from './shares.js'

/** Counts the bytes that clients hold, in all and each, within a limit. */
export class ByteBudget {
  readonly #most: number
  readonly #shares: Shares
  #all = 0

  /** One client may hold this share, in percent, of `most`. */
  constructor(most: number, percent: number) {
    this.#most = most
    this.#shares = new Shares(most, percent)
  }

  /** Whether so little is held that nothing needs to be weighed exactly. */
  get isNearlyUnused(): boolean {
    return this.#all < this.#most / 32
  }

  /** Whether a client may hold anything more. */
  hasRoomFor(client: string | undefined): boolean {
    return this.#all < this.#most && this.#shares.hasRoomFor(client)
  }

  /** Adds bytes that are in memory already, whether there is room or not. */
  force(client: string | undefined, bytes: number): void {
    this.#all += bytes
    this.#shares.add(client, bytes)
  }

  /**
   * Adds bytes that a client holds, or subtracts them if negative. Returns false, and counts nothing, if there is no room.
   * Only the total limits clients without a known address, and the single item of a client that holds nothing else, of which
   * `before` bytes are counted already.
   */
  add(client: string | undefined, bytes: number, before?: number): boolean {
    const all = this.#all + bytes
    const isAlone = client !== undefined && this.#shares.of(client) === before
    const hasRoom = all <= this.#most && (isAlone || this.#shares.hasRoomFor(client, bytes))
    if (bytes > 0 && !hasRoom) return false
    this.force(client, bytes)
    return true
  }
}
