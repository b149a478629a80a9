/** How much of a limited amount each client holds, and whether it may hold more. */
export class Shares {
  readonly most: number
  readonly #held = new Map<string, number>()

  /** One client may hold this share, in percent, of `total`, and at least one. */
  constructor(total: number, percent: number) {
    this.most = Math.max(1, Math.floor((total * percent) / 100))
  }

  /** A client without a known address has no share: only the total limits it. */
  hasRoomFor(client: string | undefined, more: number = 1): boolean {
    return client === undefined || this.of(client) + more <= this.most
  }

  of(client: string): number {
    return this.#held.get(client) ?? 0
  }

  /** Counts one more, until the returned function is called. */
  take(client: string | undefined): () => void {
    this.add(client)
    return () => this.remove(client)
  }

  add(client: string | undefined, more: number = 1): void {
    if (client === undefined) return
    const held = this.of(client) + more
    if (held > 0) this.#held.set(client, held)
    else this.#held.delete(client)
  }

  remove(client: string | undefined): void {
    this.add(client, -1)
  }
}
