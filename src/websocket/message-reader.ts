import { inThisContext } from '../base/async-context.js'
import type { ByteBudget } from '../base/byte-budget.js'
import { weightOf } from '../base/json.js'
import type { Outcome } from '../base/outcome.js'
import type { TurnLines } from '../base/turn-lines.js'
import type { Turns } from '../base/turns.js'
import { readMessage, type ClientMessage } from './messages.js'
import type { SocketOperations } from './operations.js'
import { MessageRate, type ClientOf, type SessionRules } from './socket.js'

export interface ReaderParts {
  /** The bytes of all sockets that are of incomplete messages, or of those that their clients have to wait for. */
  readonly pending: ByteBudget
  /** The bytes of messages that only wait for a turn. */
  readonly forTurn: ByteBudget
  readonly operations: SocketOperations
  readonly rules: SessionRules
  readonly turns: Turns
  /** A line for each client, so that one with hundreds of sockets does not keep another waiting. */
  readonly lines: TurnLines<string | object>
}

interface MessageTaker {
  handle(message: Outcome<ClientMessage, string>, bytes: number): void
  /** Runs what was not caused by a message that has just arrived. */
  guard(work: () => void): void
}

/** Reads the messages of a socket in their order: at once, or when the client, its rate and the turn allow it. */
export class MessageReader {
  readonly inbox: Inbox
  readonly rate: MessageRate
  readonly #parts: ReaderParts
  readonly #taker: MessageTaker
  /** In one asynchronous context, in which hooks may leave what they know of the socket. */
  readonly #handle: MessageTaker['handle']
  readonly #clientOf: ClientOf
  #isInLine = false
  /** Whether messages wait until the client has read. */
  isHeld = false

  constructor(clientOf: ClientOf, parts: ReaderParts, taker: MessageTaker, now: number) {
    const { rules } = parts
    this.#parts = parts
    this.#taker = taker
    this.#handle = inThisContext((...given) => taker.handle(...given))
    this.#clientOf = clientOf
    this.inbox = new Inbox(clientOf, rules.maxMessageBytes, parts)
    this.rate = new MessageRate(rules.messagesPerSecond, rules.messageBurst, now)
  }

  /** A message has arrived. Returns false if too much waits. */
  receive(text: string): boolean {
    const { turns } = this.#parts
    if (this.inbox.size === 0 && !this.#mustWait && !turns.isOver) {
      this.#read(text)
      return true
    }
    const isOnlyForTurn = !this.isHeld && this.rate.covers(this.inbox.size + 1)
    if (!this.inbox.add(text, !isOnlyForTurn)) return false
    this.#waitForTurn()
    return true
  }

  /** Counts a frame that cannot wait. Returns false if that is too much. */
  heard(): boolean {
    this.rate.take()
    return !this.rate.isExceeded
  }

  /** Goes on with the messages that had to wait. */
  readOn(): void {
    while (this.#mayRead && !this.#parts.turns.isOver) this.#read(this.inbox.take())
    this.#waitForTurn()
  }

  /** Reads the next message, since it is the turn of this socket. */
  #proceed(): void {
    this.#isInLine = false
    if (this.#mayRead) this.#hand(this.inbox.take())
    this.#waitForTurn()
  }

  get #mustWait(): boolean {
    return this.isHeld || !this.rate.covers(1)
  }

  get #mayRead(): boolean {
    return this.inbox.size > 0 && !this.#mustWait
  }

  #waitForTurn(): void {
    if (!this.#mayRead || this.#isInLine) return
    this.#isInLine = true
    this.#parts.lines.add(this.#clientOf() ?? this, {
      run: () => this.#taker.guard(() => this.#proceed()),
      isGone: () => this.#leaveIfEmpty(),
    })
  }

  /** Leaves the line if its messages have been read meanwhile, or dropped when the socket closed. Returns whether it did. */
  #leaveIfEmpty(): boolean {
    if (this.inbox.size === 0) this.#isInLine = false
    return !this.#isInLine
  }

  #read(text: string): void {
    this.#parts.turns.note(1)
    this.#hand(text)
  }

  #hand(text: string): void {
    this.rate.take()
    this.#handle(readMessage(text, this.#parts.operations.limits), weightOf(text))
  }
}

/** What a message takes beside its text. */
const bytesPerMessage = 64

/**
 * The unprocessed input of a socket: waiting messages, and the start of an incomplete one. The socket is read nevertheless,
 * so that its end is noticed at once.
 */
export class Inbox {
  readonly #maxBytes: number
  readonly #pending: HeldBytes
  readonly #forTurn: HeldBytes
  #texts: string[] = []
  #textBytes = 0
  /** The bytes of the newest messages, which `maxBytes` limits. */
  #limitedBytes = 0
  #partBytes = 0

  /** `maxBytes` of limited messages may wait, or one message of any size. All sockets share the budgets. */
  constructor(
    clientOf: ClientOf,
    maxBytes: number,
    { pending, forTurn }: Pick<ReaderParts, 'pending' | 'forTurn'>,
  ) {
    this.#maxBytes = maxBytes
    this.#pending = new HeldBytes(pending, clientOf)
    this.#forTurn = new HeldBytes(forTurn, clientOf)
  }

  get size(): number {
    return this.#texts.length
  }

  /** Keeps a message; those that only wait for a turn are not limited. Returns false if that is too much. */
  add(text: string, isLimited: boolean): boolean {
    const bytes = bytesOf(text)
    this.#texts.push(text)
    this.#textBytes += bytes
    if (isLimited) this.#limitedBytes += bytes
    const isFull = this.#limitedBytes > this.#maxBytes && this.#texts.length > 1
    return this.#count() && !isFull
  }

  /** Removes the oldest message; there must be one. */
  take(): string {
    const text = this.#texts.shift() as string
    this.#textBytes -= bytesOf(text)
    this.#limitedBytes = Math.min(this.#limitedBytes, this.#textBytes)
    this.#count()
    return text
  }

  /** So many bytes have arrived of a message that is not complete. Returns false if that is too much. */
  hold(partBytes: number): boolean {
    this.#partBytes = partBytes
    return this.#count()
  }

  clear(): void {
    this.#texts = []
    this.#textBytes = 0
    this.#limitedBytes = 0
    this.#count()
  }

  #count(): boolean {
    const hasRoom = this.#forTurn.set(this.#textBytes - this.#limitedBytes)
    return this.#pending.set(this.#limitedBytes + this.#partBytes) && hasRoom
  }
}

/** The bytes of a budget that a socket holds. */
export class HeldBytes {
  readonly #budget: ByteBudget
  readonly #clientOf: ClientOf
  #bytes = 0
  #client: string | undefined

  constructor(budget: ByteBudget, clientOf: ClientOf) {
    this.#budget = budget
    this.#clientOf = clientOf
  }

  add(bytes: number): boolean {
    return this.set(this.#bytes + bytes)
  }

  /** Changes the bytes, unless there is no room. Returns whether there is. */
  set(bytes: number): boolean {
    if (bytes === this.#bytes) return true
    // Looked up early: a closed socket has no address.
    if (this.#bytes === 0) this.#client = this.#clientOf()
    const hasRoom = this.#budget.add(this.#client, bytes - this.#bytes)
    if (hasRoom) this.#bytes = bytes
    return hasRoom
  }
}

/** V8 keeps a text in one byte for each character if all of them fit. */
function bytesOf(text: string): number {
  return bytesPerMessage + (/[^\0-\xff]/.test(text) ? 2 : 1) * text.length
}
