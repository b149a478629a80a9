import type { ByteBudget } from '../base/byte-budget.js'
import type { RequestHead } from '../http/message.js'
import type { SocketOperations } from './operations.js'

/** What a message takes beside its text. */
const bytesPerMessage = 64

/**
 * What has arrived on a socket and is not read yet: messages that wait until their client may go on, and the start of one.
 * The socket is read all the same, so that its end is noticed at once.
 */
export class Inbox {
  readonly #head: RequestHead
  readonly #operations: SocketOperations
  readonly #maxBytes: number
  readonly #budget: ByteBudget
  #texts: string[] = []
  #start = 0
  #textBytes = 0
  #partBytes = 0
  /** What counts in the budget, and for whom. */
  #counted = 0
  #client: string | undefined

  /** So many bytes of messages may wait, one message always. All sockets share the budget. */
  constructor(
    head: RequestHead,
    operations: SocketOperations,
    maxBytes: number,
    budget: ByteBudget,
  ) {
    this.#head = head
    this.#operations = operations
    this.#maxBytes = maxBytes
    this.#budget = budget
  }

  get isEmpty(): boolean {
    return this.#start === this.#texts.length
  }

  /** Keeps a message. Returns false if that is too much. */
  add(text: string): boolean {
    this.#texts.push(text)
    this.#textBytes += bytesOf(text)
    const isFull = this.#textBytes > this.#maxBytes && this.#texts.length - this.#start > 1
    return this.#count() && !isFull
  }

  /** Removes the oldest message; there must be one. */
  take(): string {
    const text = this.#texts[this.#start] as string
    this.#start += 1
    this.#textBytes -= bytesOf(text)
    if (this.isEmpty) this.clear()
    else this.#count()
    return text
  }

  /** So many bytes have arrived of a message that is not complete. Returns false if that is too much. */
  hold(partBytes: number): boolean {
    this.#partBytes = partBytes
    return this.#count()
  }

  /** Drops the messages. */
  clear(): void {
    this.#texts = []
    this.#start = 0
    this.#textBytes = 0
    this.#count()
  }

  #count(): boolean {
    const bytes = this.#textBytes + this.#partBytes
    if (bytes === this.#counted) return true
    // Once a socket has closed, its address cannot be told.
    if (this.#counted === 0) this.#client = this.#operations.clientOf(this.#head)
    const hasRoom = this.#budget.add(this.#client, bytes - this.#counted)
    if (hasRoom) this.#counted = bytes
    return hasRoom
  }
}

/** V8 keeps a text in one byte for each character if all of them fit. */
function bytesOf(text: string): number {
  return bytesPerMessage + (/[^\0-\xff]/.test(text) ? 2 : 1) * text.length
}
