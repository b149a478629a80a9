import type { Session } from '../../websocket/session.js'

/**
 * Takes the place of reading more slowly on runtimes that read sockets as fast as they can: messages wait while the
 * session does not read.
 */
export class HeldMessages {
  readonly #session: () => Session
  readonly #maxBytes: number
  readonly #overflow: () => void
  readonly #held: string[] = []
  #size = 0
  #isPaused = false
  #isOver = false

  /** `overflow` is called when more than `maxBytes` wait. */
  constructor(session: () => Session, maxBytes: number, overflow: () => void) {
    this.#session = session
    this.#maxBytes = maxBytes
    this.#overflow = overflow
  }

  receive(text: string): void {
    if (this.#isOver) return
    if (!this.#isPaused && this.#held.length === 0) return this.#session().receive(text)
    this.#held.push(text)
    this.#size += text.length
    if (this.#size <= this.#maxBytes) return
    this.#isOver = true
    this.#held.length = 0
    this.#overflow()
  }

  pause(): void {
    this.#isPaused = true
  }

  resume(): void {
    this.#isPaused = false
    // Not now: the session is in the middle of something.
    queueMicrotask(() => this.#release())
  }

  #release(): void {
    let at = 0
    for (; at < this.#held.length && !this.#isPaused; at += 1) {
      const text = this.#held[at] as string
      this.#size -= text.length
      this.#session().receive(text)
    }
    this.#held.splice(0, at)
  }
}
