import { createClientOf, type ClientOf } from './client-of.js'
import type { Incoming } from './incoming.js'

/** What one client has not read: how to cut each response, the one that has waited longest first. */
interface Unread {
  bytes: number
  readonly cuts: Set<() => void>
}

/**
 * How many bytes of responses wait in memory for their clients to read. Each response has a limit, but a hundred clients
 * that read none of it would hold a gigabyte until `sendTimeout`. Beyond the budget, the client that holds the most
 * loses the response that has waited longest, so that nobody loses a response to another's greed.
 */
export class UnreadResponses {
  readonly #most: number
  readonly #clientOf: ClientOf
  readonly #byClient = new Map<string, Unread>()
  #bytes = 0
  #responses = 0

  constructor(mostBytes: number, trustedProxies: number) {
    this.#most = mostBytes
    this.#clientOf = createClientOf(trustedProxies)
  }

  /** Counts a response until the returned function is called. `cut` ends it. */
  add(incoming: Incoming, bytes: number, cut: () => void): () => void {
    // Who cannot be told apart is one client.
    const client = this.#clientOf(incoming) ?? ''
    const unread = this.#byClient.get(client) ?? { bytes: 0, cuts: new Set() }
    const cutThis = (): void => {
      release()
      cut()
    }
    const release = (): void => {
      if (!unread.cuts.delete(cutThis)) return
      this.#count(unread, -bytes, -1)
      if (unread.cuts.size === 0) this.#byClient.delete(client)
    }
    this.#byClient.set(client, unread)
    unread.cuts.add(cutThis)
    this.#count(unread, bytes, 1)
    this.#cutBeyond()
    return release
  }

  #count(unread: Unread, bytes: number, responses: number): void {
    unread.bytes += bytes
    this.#bytes += bytes
    this.#responses += responses
  }

  /** A response that waits alone may be of any size. */
  #cutBeyond(): void {
    while (this.#bytes > this.#most && this.#responses > 1) {
      const [cut] = this.#greediest().cuts
      cut?.()
    }
  }

  #greediest(): Unread {
    return [...this.#byClient.values()].reduce((most, one) => (one.bytes > most.bytes ? one : most))
  }
}
