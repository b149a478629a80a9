/** Bytes of each body that are not counted: most bodies are smaller, and many of these are harmless. */
export const freeBytes: number = 64 * 1024

/**
 * How many bytes of unfinished bodies a listener keeps in memory. Each body has a limit, but a thousand
 * clients that send nearly all of theirs and then stop would hold a gigabyte.
 */
export class BodyBudget {
  /** How many chunks of less than 64 bytes each body may have. */
  readonly maxSmallChunks: number
  #left: number

  constructor(maxBytes: number, maxSmallChunks: number) {
    this.#left = maxBytes
    this.maxSmallChunks = maxSmallChunks
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
