/** What one client has not read. */
interface ClientUnread {
  readonly client: string
  bytes: number
  readonly all: Set<Unread>
}

/** Something that waits in memory for its client to read it. */
export interface Unread {
  readonly of: ClientUnread
  bytes: number
  readonly measure: () => number
  /** Ends it. */
  readonly cut: () => void
}

/**
 * How many bytes wait in memory for clients to read. Each response and each socket has a limit, but a hundred that are not
 * read would hold a gigabyte until their time is over. Beyond the budget, the client that holds the most loses the largest,
 * so that a greedy client does not harm the others.
 */
export class UnreadBudget {
  readonly #most: number
  readonly #spared: number
  readonly #byClient = new Map<string, ClientUnread>()
  #bytes = 0
  #count = 0

  /** With `spared` 1, the only one that waits is never cut. */
  constructor(mostBytes: number, spared: 0 | 1) {
    this.#most = mostBytes
    this.#spared = spared
  }

  /** Counts something until it is released. It may be cut at once. */
  add(client: string, measure: () => number, cut: () => void): Unread {
    const of = this.#byClient.get(client) ?? { client, bytes: 0, all: new Set() }
    const unread: Unread = { of, bytes: 0, measure, cut }
    this.#byClient.set(client, of)
    of.all.add(unread)
    this.#count += 1
    this.update(unread)
    return unread
  }

  /** Measures it again; ignored once it is released. */
  update(unread: Unread): void {
    const more = this.#measure(unread)
    while (more > 0 && this.#bytes > this.#most && this.#count > this.#spared) this.#cutLargest()
  }

  release(unread: Unread): void {
    const { of, bytes } = unread
    if (!of.all.delete(unread)) return
    of.bytes -= bytes
    this.#bytes -= bytes
    this.#count -= 1
    if (of.all.size === 0) this.#byClient.delete(of.client)
  }

  #measure(unread: Unread): number {
    const { of } = unread
    if (!of.all.has(unread)) return 0
    const more = unread.measure() - unread.bytes
    unread.bytes += more
    of.bytes += more
    this.#bytes += more
    return more
  }

  /** If its client has read some of it meanwhile, it counts for less instead of being cut. */
  #cutLargest(): void {
    const { all } = largestOf(this.#byClient.values())
    const largest = largestOf(all)
    if (this.#measure(largest) < 0) return
    this.release(largest)
    largest.cut()
  }
}

/** The first of several that are equal, which has waited longest. */
function largestOf<Item extends { readonly bytes: number }>(items: Iterable<Item>): Item {
  return [...items].reduce((most, one) => (one.bytes > most.bytes ? one : most))
}
