/** What a body may hold without being counted: most are smaller, and many of them are no danger. */
const freeBytes = 64 * 1024

/**
 * How much of unfinished bodies a listener keeps in memory. Each is bounded by itself, but a thousand
 * clients that send nearly all of theirs and then nothing would hold a gigabyte.
 */
export class BodyBudget {
  #left: number

  constructor(maxBytes: number) {
    this.#left = maxBytes
  }

  /** How much there is to count of a chunk that brings a body to `size` bytes. */
  static countable(chunk: number, size: number): number {
    return size > freeBytes ? chunk : 0
  }

  /** Takes so much, if there is as much left. */
  take(bytes: number): boolean {
    if (bytes > this.#left) return false
    this.#left -= bytes
    return true
  }

  give(bytes: number): void {
    this.#left += bytes
  }
}
