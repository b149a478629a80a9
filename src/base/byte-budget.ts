/** How many bytes of a limited number all clients hold, and each of them. */
export class ByteBudget {
  readonly #most: number
  readonly #share: number
  readonly #held = new Map<string, number>()
  #all = 0

  /** One client may hold this share, in percent, of `most`. */
  constructor(most: number, percent: number) {
    this.#most = most
    this.#share = (most / 100) * percent
  }

  /**
   * Counts bytes that a client holds from now on, or a negative number of those that it does not hold any more. Returns
   * false, and counts nothing, if there is no room. Of who cannot be told apart, only the sum of all counts. What is all that
   * its client holds, and of which `before` bytes count already, may be larger than the share.
   */
  add(client: string | undefined, bytes: number, before?: number): boolean {
    const all = this.#all + bytes
    const held = client === undefined ? 0 : (this.#held.get(client) ?? 0)
    const own = held + bytes
    const isBeyond = client !== undefined && own > this.#share && held !== before
    if (bytes > 0 && (all > this.#most || isBeyond)) return false
    this.#all = all
    if (client === undefined) return true
    if (own > 0) this.#held.set(client, own)
    else this.#held.delete(client)
    return true
  }
}
