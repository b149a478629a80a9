import type { Socket } from 'node:net'

/** What a socket has received, and nobody has taken yet. */
export class Received {
  isOver = false
  /** How many bytes make the next step: joining the chunks for each would take long. */
  needed = 0
  #chunks: Buffer[] = []
  #size = 0
  #changed: (() => void) | undefined

  constructor(socket: Socket) {
    const over = (): void => {
      this.isOver = true
      this.#changed?.()
    }
    socket.on('data', (chunk) => {
      this.#chunks.push(chunk)
      this.#size += chunk.length
      if (this.#size >= this.needed) this.#changed?.()
    })
    socket.on('error', () => undefined)
    socket.on('end', over).on('close', over)
  }

  get bytes(): Buffer {
    const joined = Buffer.concat(this.#chunks)
    this.#chunks = [joined]
    return joined
  }

  change(): Promise<void> {
    return new Promise((resolve) => (this.#changed = resolve))
  }

  /** What the bytes begin with, as soon as it is whole; undefined when the connection ends before. */
  async next<Item>(
    parse: (bytes: Buffer) => { readonly item: Item; readonly size: number } | undefined,
  ): Promise<Item | undefined> {
    for (;;) {
      const { bytes } = this
      const parsed = parse(bytes)
      if (parsed !== undefined) {
        this.#chunks = [bytes.subarray(parsed.size)]
        this.#size = bytes.length - parsed.size
        this.needed = 0
        return parsed.item
      }
      if (this.isOver) return undefined
      await this.change()
    }
  }

  /** Resolves when the other side has closed the connection, with what came before. */
  async ended(): Promise<string> {
    while (!this.isOver) await this.change()
    return this.bytes.toString('latin1')
  }
}
