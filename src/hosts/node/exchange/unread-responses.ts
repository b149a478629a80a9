import { UnreadBudget } from '../../../base/unread-budget.js'
import { createClientReader, type AddressReader } from '../../../http/client-address.js'
import type { Incoming } from './incoming.js'

/** The responses that wait in memory for their clients to read, of a listener. One that waits alone may be of any size. */
export class UnreadResponses {
  readonly #budget: UnreadBudget
  readonly #clientOf: AddressReader

  constructor(mostBytes: number, trustedProxies: number) {
    this.#budget = new UnreadBudget(mostBytes, 1)
    this.#clientOf = createClientReader(trustedProxies)
  }

  /** Counts a response until the returned function is called. `cut` ends it. */
  add(incoming: Incoming, bytes: number, cut: () => void): () => void {
    const unread = this.#budget.add(this.#nameOf(incoming), bytes, cut)
    return () => this.#budget.release(unread)
  }

  /** Who cannot be told apart is one client. */
  #nameOf(raw: Incoming): string {
    const { method = '', url = '', rawHeaders } = raw
    return this.#clientOf({ method, target: url, headers: rawHeaders, raw }) ?? ''
  }
}
