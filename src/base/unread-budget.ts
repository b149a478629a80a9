/** What one client has not read, the one that has waited longest first. */
interface ClientUnread {
  readonly client: string
  bytes: number
  readonly all: Set<Unread>
}

/** Something that waits in memory for its client to read it. */
export interface Unread {
  readonly of: ClientUnread
  bytes: number
  /** Ends it. */
  readonly cut: () => void
}

/**
 * How many bytes wait in memory for clients to read. Each response and each socket has a limit, but a hundred that are not
 * read would hold a gigabyte until their time is over. Beyond the budget, the client that holds the most loses what has
 * waited longest, so that nobody loses anything to another's greed.
 */
export class UnreadBudget {
  readonly #most: number
  readonly #spared: number
  readonly #byClient = new Map<string, ClientUnread>()
  #bytes = 0
  #count = 0

  /** So many that wait, the last ones, may be of any size. */
  constructor(mostBytes: number, spared: 0 | 1) {
    this.#most = mostBytes
    this.#spared = spared
  }

  /** Counts something until it is released. It may be cut at once. */
  add(client: string, bytes: number, cut: () => void): Unread {
    const of = this.#byClient.get(client) ?? { client, bytes: 0, all: new Set() }
    const unread: Unread = { of, bytes: 0, cut }
    this.#byClient.set(client, of)
    of.all.add(unread)
    this.#count += 1
    this.resize(unread, bytes)
    return unread
  }

  /** Now it is so much; nothing happens if it does not count any more. */
  resize(unread: Unread, bytes: number): void {
    const { of } = unread
    if (!of.all.has(unread)) return
    const more = bytes - unread.bytes
    unread.bytes = bytes
    of.bytes += more
    this.#bytes += more
    while (more > 0 && this.#bytes > this.#most && this.#count > this.#spared) this.#cutOne()
  }

  release(unread: Unread): void {
    const { of, bytes } = unread
    if (!of.all.delete(unread)) return
    of.bytes -= bytes
    this.#bytes -= bytes
    this.#count -= 1
    if (of.all.size === 0) this.#byClient.delete(of.client)
  }

  #cutOne(): void {
    const greediest = [...this.#byClient.values()].reduce((a, b) => (b.bytes > a.bytes ? b : a))
    const [oldest] = greediest.all
    if (oldest === undefined) return
    this.release(oldest)
    oldest.cut()
  }
}
