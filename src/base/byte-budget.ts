import { Shares } from './shares.js'

/** How many bytes of a limited number all clients hold, and each of them. */
export class ByteBudget {
  readonly #most: number
  readonly #shares: Shares
  #all = 0

  /** One client may hold this share, in percent, of `most`. */
  constructor(most: number, percent: number) {
    this.#most = most
    this.#shares = new Shares(most, percent)
  }

  /**
   * Counts bytes that a client holds from now on, or a negative number of those that it does not hold any more. Returns
   * false, and counts nothing, if there is no room. Of who cannot be told apart, only the sum of all counts. What is all that
   * its client holds, and of which `before` bytes count already, may be larger than the share.
   */
  add(client: string | undefined, bytes: number, before?: number): boolean {
    const all = this.#all + bytes
    const isAlone = client !== undefined && this.#shares.of(client) === before
    const hasRoom = all <= this.#most && (isAlone || this.#shares.hasRoomFor(client, bytes))
    if (bytes > 0 && !hasRoom) return false
    this.#all = all
    this.#shares.add(client, bytes)
    return true
  }
}
