/** A chunk of fewer bytes is small: it costs more to receive and keep than what it holds. */
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
  #bytes: Uint8Array = nothing
  readonly #expected: () => number

  /** `expected` tells how many bytes the body will have at most; it is only asked where a second chunk comes. */
  constructor(expected: () => number) {
    this.#expected = expected
  }

  /** How many bytes of memory it takes. */
  get held(): number {
    return this.#bytes.byteLength
  }

  add(chunk: Uint8Array): void {
    const at = this.size
    this.size += chunk.byteLength
    if (chunk.byteLength < smallChunkBytes) this.smallChunks += 1
    if (at === 0) {
      this.#bytes = chunk
      return
    }
    // Never for what the client only announces, and for each of its bytes twice at most.
    if (this.size > this.held) this.#grow(Math.max(leastBytes, 2 * this.held), at)
    this.#bytes.set(chunk, at)
  }

  /** Gives the body, and keeps nothing of it. */
  take(): Uint8Array {
    const bytes = this.#bytes
    this.#bytes = nothing
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
