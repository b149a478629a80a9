import { ByteBudget } from '../../../base/byte-budget.js'
import { UnreadBudget } from '../../../base/unread-budget.js'
import { createClientReader } from '../../../http/client-address.js'
import { onceGone, type Incoming, type Outgoing } from './incoming.js'

/** Finds who has sent a request of Node; undefined where there is no address. */
type ClientOf = (incoming: Incoming) => string | undefined

function createClientOf(trustedProxies: number): ClientOf {
  const clientOf = createClientReader(trustedProxies)
  return (raw) => {
    const { method = '', url = '', rawHeaders } = raw
    return clientOf({ method, target: url, headers: rawHeaders, raw })
  }
}

/** Bytes of each body that are not counted: most bodies are smaller, and many of these are harmless. */
export const freeBytes: number = 64 * 1024

/** Bytes of each body that are not counted over HTTP/2, where a connection can have a hundred bodies at once. */
export const freeBytesOfHttp2: number = 2 * 1024

const releases = new WeakMap<Incoming, () => void>()

/** Calls what gives back the bytes of a body, maybe several times, once it has a response or its client has left. */
export function releaseWhenDone(incoming: Incoming, outgoing: Outgoing, release: () => void): void {
  releases.set(incoming, release)
  onceGone(incoming, outgoing, release)
  // One behind another response of a pipeline is only watched by its socket.
  outgoing.once('close', release)
}

/** Gives back the bytes of a body whose response is a stream, which has a budget of its own. */
export function releaseBody(incoming: Incoming): void {
  releases.get(incoming)?.()
}

/** The limits of all bodies of a listener. */
interface BudgetRules {
  readonly maxBufferedBytes: number
  readonly maxSmallChunks: number
  readonly clientShare: number
  readonly trustedProxies: number
}

/**
 * How many bytes of bodies a listener takes until their requests have a response, and of one client. Each body has a limit, but
 * a thousand that are nearly complete would hold a gigabyte, and JSON takes up to 23 times its bytes once it is parsed.
 */
export interface BodyBudget {
  /** How many chunks of less than 64 bytes each body may have. */
  readonly maxSmallChunks: number
  readonly bytes: ByteBudget
  readonly clientOf: ClientOf
}

export function createBodyBudget(rules: BudgetRules): BodyBudget {
  return {
    maxSmallChunks: rules.maxSmallChunks,
    bytes: new ByteBudget(rules.maxBufferedBytes, rules.clientShare),
    clientOf: createClientOf(rules.trustedProxies),
  }
}

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
