import { UnreadBudget } from '../../../base/unread-budget.js'
import { createClientOf, type ClientOf } from './client-of.js'
import type { Incoming } from './incoming.js'

/** The responses that wait in memory for their clients to read, of a listener. One that waits alone may be of any size. */
export class UnreadResponses {
  readonly #budget: UnreadBudget
  readonly #clientOf: ClientOf

  constructor(mostBytes: number, trustedProxies: number) {
    this.#budget = new UnreadBudget(mostBytes, 1)
    this.#clientOf = createClientOf(trustedProxies)
  }

  /** Counts a response until the returned function is called. `cut` ends it. */
  add(incoming: Incoming, measure: () => number, cut: () => void): () => void {
    // Who cannot be told apart is one client.
    const unread = this.#budget.add(this.#clientOf(incoming) ?? '', measure, cut)
    return () => this.#budget.release(unread)
  }
}
