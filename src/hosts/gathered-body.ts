/** A chunk of fewer bytes is small: its overhead is larger than its content. */
const smallChunkBytes = 64

/** How many small chunks a body may have where the host takes no option for it. */
export const defaultMaxSmallChunks = 10_000

/**
 * A body that arrives in chunks. The first is kept as it came, since most bodies have no other. The rest are
 * copied together: Node needs 200 bytes for each chunk that is kept, so that a megabyte in chunks of one
 * byte would take 200.
 */
export class GatheredBody {
  size = 0
  smallChunks = 0
  /** How many bytes of memory it takes. */
  held = 0
  #bytes: Uint8Array = nothing
  readonly #expected: () => number

  /** `expected` returns the most bytes that the body can have; called only if a second chunk comes. */
  constructor(expected: () => number) {
    this.#expected = expected
  }

  add(chunk: Uint8Array): void {
    const at = this.size
    this.size += chunk.byteLength
    if (chunk.byteLength < smallChunkBytes) this.smallChunks += 1
    if (at === 0) {
      this.#bytes = chunk
    } else {
      // Allocates only for bytes that have arrived, at most twice their number.
      if (this.size > this.held) this.#grow(Math.max(leastBytes, 2 * this.held), at)
      this.#bytes.set(chunk, at)
    }
    this.held = this.#bytes.byteLength
  }

  /** Returns the body, and keeps nothing of it. */
  take(): Uint8Array {
    const bytes = this.#bytes
    this.#bytes = nothing
    this.held = 0
    return this.size < bytes.byteLength ? bytes.subarray(0, this.size) : bytes
  }

  #grow(bytes: number, used: number): void {
    const grown = new Uint8Array(Math.max(this.size, Math.min(bytes, this.#expected())))
    grown.set(this.#bytes.subarray(0, used))
    this.#bytes = grown
  }
}

const leastBytes = 1024
const nothing = new Uint8Array(0)

/** How much of a body is read and dropped, in bytes, and for how long, in ms; the Node hosts have the same defaults. */
const maxBytes = 16 * 1024 * 1024
const maxTime = 3_000

/** What a chunk counts at least, in bytes, since small ones cost more to receive than they contain. */
const leastCost = 1024

/** Workers, where nothing of a request runs once it is answered, and Bun. */
const closing = /^(?:Cloudflare-Workers$|Bun\/)/

/**
 * Whether the runtime closes the connection once the response is out, while the client is still sending. The client
 * would lose the response.
 */
export function closesOnUnread(): boolean {
  const { navigator } = globalThis as { readonly navigator?: { readonly userAgent?: string } }
  return closing.test(navigator?.userAgent ?? '')
}

/** Reads and drops what the client is still sending, up to the limits; never rejects. */
export async function readOn(
  reader: Pick<ReadableStreamDefaultReader<unknown>, 'read' | 'cancel'>,
): Promise<void> {
  const cancel = (): void => void reader.cancel().catch(() => undefined)
  const timer = setTimeout(cancel, maxTime)
  try {
    for (let left = maxBytes; left > 0;) {
      const { done, value } = await reader.read()
      if (done) return
      left -= Math.max((value as Partial<Uint8Array>).byteLength ?? 0, leastCost)
    }
    cancel()
  } catch {
    // The client left.
  } finally {
    clearTimeout(timer)
  }
}
