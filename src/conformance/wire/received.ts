import { maxAnswerBytes } from './exchange.js'

/** The largest head of a response that is kept. */
export const maxHeadBytes: number = 64 * 1024

/** The bytes of a connection that are not read yet. If they exceed a limit, all are dropped. */
export class Received {
  #buffer = Buffer.alloc(0)
  #start = 0
  #end = 0
  /** What the connection has sent in all: many small responses take as much memory as a large one. */
  #total = 0
  #problem: string | undefined

  /** The bytes not yet taken. */
  get bytes(): Buffer {
    return this.#buffer.subarray(this.#start, this.#end)
  }

  /** Why the bytes were dropped. */
  get problem(): string | undefined {
    return this.#problem
  }

  /** How much memory the bytes take. */
  get retained(): number {
    return this.#buffer.length
  }

  add(chunk: Buffer): void {
    if (this.#problem !== undefined) return
    this.#total += chunk.length
    if (this.#total > maxAnswerBytes) {
      return this.#drop(`the response is larger than ${maxAnswerBytes} bytes`)
    }
    this.#makeRoom(chunk.length)
    this.#end += chunk.copy(this.#buffer, this.#end)
    const { bytes } = this
    if (bytes.length > maxHeadBytes && !bytes.subarray(0, maxHeadBytes).includes('\r\n\r\n')) {
      this.#drop(`the head of the response is larger than ${maxHeadBytes} bytes`)
    }
  }

  /** Skips bytes that have been read; the reader may keep them. */
  take(length: number): void {
    this.#start += length
  }

  /** A buffer that doubles copies each byte only a few times. Bytes that were taken keep the old one. */
  #makeRoom(more: number): void {
    if (this.#end + more <= this.#buffer.length) return
    const { bytes } = this
    const size = Math.max(bytes.length + more, Math.min(bytes.length * 2, maxAnswerBytes))
    const grown = Buffer.allocUnsafe(size)
    bytes.copy(grown)
    this.#buffer = grown
    this.#start = 0
    this.#end = bytes.length
  }

  #drop(problem: string): void {
    this.#problem = problem
    this.#buffer = Buffer.alloc(0)
    this.#start = 0
    this.#end = 0
  }
}
