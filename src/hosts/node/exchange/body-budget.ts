/** Bytes of each body that are not counted: most bodies are smaller, and many of these are harmless. */
const freeBytes = 64 * 1024

/**
 * How many bytes of unfinished bodies a listener keeps in memory. Each body has a limit, but a thousand
 * clients that send nearly all of theirs and then stop would hold a gigabyte.
 */
export class BodyBudget {
  #left: number

  constructor(maxBytes: number) {
    this.#left = maxBytes
  }

  /** How many bytes to count of a chunk that brings a body to `size` bytes. */
  static countable(chunk: number, size: number): number {
    return size > freeBytes ? chunk : 0
  }

  /** Reserves bytes; false if there are not enough left. */
  take(bytes: number): boolean {
    if (bytes > this.#left) return false
    this.#left -= bytes
    return true
  }

  give(bytes: number): void {
    this.#left += bytes
  }
}
