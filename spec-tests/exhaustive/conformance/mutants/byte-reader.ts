import type { Socket } from 'node:net'

/** A line without its CR LF, or why there is none. */
export type Line = { readonly text: string } | { readonly fault: 'too-long' | 'malformed' }

/** Hands out the bytes of a socket as they are asked for. */
export class ByteReader {
  #bytes: Buffer = Buffer.alloc(0)
  #ended = false
  #wake: () => void = () => {}

  constructor(socket: Socket) {
    socket.on('data', (chunk: Buffer) => {
      this.#bytes = this.#bytes.length === 0 ? chunk : Buffer.concat([this.#bytes, chunk])
      this.#wake()
    })
    const end = (): void => {
      this.#ended = true
      this.#wake()
    }
    socket.on('end', end)
    socket.on('close', end)
    socket.on('error', end)
  }

  /** Takes a line that is no longer than the limit. */
  async line(limit: number): Promise<Line> {
    for (;;) {
      const at = this.#bytes.indexOf('\n')
      if (at > limit + 1 || (at < 0 && this.#bytes.length > limit)) {
        return { fault: 'too-long' }
      }
      if (at >= 0) {
        if (this.#bytes[at - 1] !== 0x0d) return { fault: 'malformed' }
        return { text: this.#take(at - 1, 2).toString('latin1') }
      }
      if (!(await this.#more())) return { fault: 'malformed' }
    }
  }

  /** That many bytes; undefined where the end comes first. */
  async exactly(length: number): Promise<Buffer | undefined> {
    while (this.#bytes.length < length) if (!(await this.#more())) return undefined
    return this.#take(length, 0)
  }

  /** Whether any byte is there, now or later. */
  async hasMore(): Promise<boolean> {
    return this.#bytes.length > 0 || this.#more()
  }

  /** Reads on without keeping anything, until the client has closed too. */
  async discard(): Promise<void> {
    do this.#bytes = Buffer.alloc(0)
    while (await this.#more())
  }

  /** What is there without waiting. */
  peek(): Buffer {
    return this.#bytes
  }

  #take(length: number, skipped: number): Buffer {
    const taken = this.#bytes.subarray(0, length)
    this.#bytes = this.#bytes.subarray(length + skipped)
    return taken
  }

  async #more(): Promise<boolean> {
    const before = this.#bytes.length
    if (!this.#ended) await new Promise<void>((resolve) => (this.#wake = resolve))
    return this.#bytes.length > before || !this.#ended
  }
}
