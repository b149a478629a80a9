/** How many of a limited number of things each client holds, and whether it may hold another. */
export class Shares {
  readonly most: number
  readonly #held = new Map<string, number>()

  /** One client may hold this share, in percent, of `total`, but always one. */
  constructor(total: number, percent: number) {
    this.most = Math.max(1, Math.floor((total * percent) / 100))
  }

  /** Who cannot be told apart has no share: only the total counts. */
  hasRoomFor(client: string | undefined): boolean {
    return client === undefined || (this.#held.get(client) ?? 0) < this.most
  }

  /** Counts one more, until the returned function is called. */
  take(client: string | undefined): () => void {
    this.add(client)
    return () => this.remove(client)
  }

  add(client: string | undefined): void {
    if (client !== undefined) this.#held.set(client, (this.#held.get(client) ?? 0) + 1)
  }

  remove(client: string | undefined): void {
    if (client === undefined) return
    const left = (this.#held.get(client) ?? 0) - 1
    if (left > 0) this.#held.set(client, left)
    else this.#held.delete(client)
  }
}
