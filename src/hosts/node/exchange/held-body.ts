import type { GoneListener } from '../../../http/message.js'
import { isHttp2, onceGone, type Incoming } from './incoming.js'
import type { NodeExchange } from './node-host-options.js'

/** Bytes of each body that are not counted: most bodies are smaller, and many of these are harmless. */
export const freeBytes: number = 64 * 1024

/** Over HTTP/2, where a connection can have a hundred bodies at once, those of more bytes are weighed. */
export const lightBytesOfHttp2: number = 2 * 1024

/** What a request of HTTP/2 takes besides its head and body. */
const bytesOfStream = 8 * 1024

/** Over HTTP/2 the head is counted, too: a client sends it compressed to a hundredth, for a hundred requests at once. */
function uncountedBytes(incoming: Incoming): number {
  if (!isHttp2(incoming)) return freeBytes
  return -incoming.rawHeaders.reduce((sum, text) => sum + 2 * text.length, bytesOfStream)
}

const heldBodies = new WeakMap<Incoming, HeldBody>()

/**
 * What is kept of a body until its request has a response, or its client has left and nothing that it started still runs: until
 * then, hooks and resolvers can read what was made of it, which takes more than the bytes.
 */
export class HeldBody {
  isOver = false
  readonly #exchange: NodeExchange
  readonly #uncounted: number
  #client: string | undefined
  #counted = 0
  #isLeft = false

  constructor(exchange: NodeExchange) {
    this.#exchange = exchange
    this.#uncounted = uncountedBytes(exchange.incoming)
  }

  /** Sets how many bytes are kept. Returns false if they do not fit. */
  keep(bytes: number): boolean {
    const { incoming, settings } = this.#exchange
    const more = bytes - this.#uncounted - this.#counted
    if (this.isOver || more <= 0) return true
    const isFirst = this.#counted === 0
    if (isFirst) this.#client = settings.clientOf(incoming)
    if (!settings.bodies.add(this.#client, more, this.#counted)) return false
    this.#counted += more
    if (isFirst) this.#watch()
    return true
  }

  release(): void {
    this.isOver = true
    if (this.#isLeft) return
    this.#exchange.settings.bodies.add(this.#client, -this.#counted)
    this.#counted = 0
  }

  /** The client has left. */
  keepFor(work: PromiseLike<unknown>): void {
    this.#isLeft = true
    const release = (): void => {
      this.#isLeft = false
      this.release()
    }
    work.then(release, release)
  }

  #watch(): void {
    const { incoming, outgoing } = this.#exchange
    heldBodies.set(incoming, this)
    // Not before all listeners were called, of which one may say that work goes on.
    onceGone(incoming, outgoing, () => queueMicrotask(() => this.release()))
  }
}

/** What is counted of the body of a request already, if anything is. */
export function heldBody(exchange: NodeExchange): HeldBody {
  return heldBodies.get(exchange.incoming) ?? new HeldBody(exchange)
}

/** Calls a listener once the client has gone. The body is kept while the work goes on that the listener returns. */
export function onceClientGone(
  { incoming, outgoing }: NodeExchange,
  listener: GoneListener,
): (() => void) | void {
  return onceGone(incoming, outgoing, () => {
    const work = listener()
    if (work !== undefined) heldBodies.get(incoming)?.keepFor(work)
  })
}

/** Gives back the bytes of a body whose response may stay open for long. */
export function releaseBody(incoming: Incoming): void {
  heldBodies.get(incoming)?.release()
}
