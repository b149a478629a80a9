import type { ByteBudget } from '../base/byte-budget.js'
import type { Unread, UnreadBudget } from '../base/unread-budget.js'
import type { Resolved } from '../shapes/number-row.js'
import type { SocketLimits } from './operations.js'
import type { WebSocketOptions } from './socket-options.js'

/** How a session uses its socket. */
export interface SocketPort {
  /** Sends a text message. Nothing happens on a socket that is closing. */
  send(text: string): void
  /** Sends a ping that the client must answer; `Session.heard` follows. */
  ping(): void
  /** Sends a close frame; the socket closes when the client has answered, or soon. */
  close(code: number, reason: string): void
  terminate(): void
  /** How many bytes stay in memory until the client reads them or leaves, where `terminate` can only close. */
  readonly uncuttable?: number
  /** How many bytes wait for the client to read. `Session.drained` follows when there are few again. */
  readonly bufferedAmount: number
}

export type SessionRules = Resolved<WebSocketOptions>

/** Looks up the client of a socket; undefined if unknown. */
export type ClientOf = () => string | undefined

interface OutboxParts {
  readonly rules: { readonly maxUnsent: number }
  readonly unread: UnreadBudget
  /** The bytes that cannot be cut, of sockets that are closing. */
  readonly closing: ByteBudget
}

interface Owner {
  /** The client has to lose what it has not read. */
  overrun(): void
}

/**
 * The output of a socket, which waits for the client to read. All sockets share a budget: `maxUnsent` alone is not a bound,
 * since each operation may add a result of any size.
 */
export class Outbox {
  readonly #clientOf: ClientOf
  readonly #port: SocketPort
  readonly #parts: OutboxParts
  readonly #owner: Owner
  /** While the client has not read everything. */
  #unread: Unread | undefined
  /** How much could not be cut when the session ended. */
  #closing = 0
  /** The newest pong, which waits for the client to read: floods of pings must not fill the memory. */
  #pong: string | undefined

  constructor(clientOf: ClientOf, port: SocketPort, parts: OutboxParts, owner: Owner) {
    this.#clientOf = clientOf
    this.#port = port
    this.#parts = parts
    this.#owner = owner
  }

  /** Whether the client has to read before more is sent. */
  get isFull(): boolean {
    return this.#port.bufferedAmount >= this.#parts.rules.maxUnsent
  }

  /** Whether closing sockets leave room for the results of another operation. */
  get hasRoom(): boolean {
    return this.#parts.closing.hasRoomFor(this.#clientOf())
  }

  send(text: string): void {
    this.#port.send(text)
    this.count()
  }

  sendPong(pong: string | undefined = this.#pong): void {
    this.#pong = this.isFull ? pong : undefined
    if (pong !== undefined && !this.isFull) this.send(pong)
  }

  /** Counts what the client has not read by now. */
  count(): void {
    if (this.#port.bufferedAmount === 0) this.release()
    else if (this.#unread !== undefined) this.#parts.unread.update(this.#unread)
    else this.#add()
  }

  /** The session has ended. What cannot be cut counts until the socket has closed. */
  end(): void {
    if (this.#port.uncuttable === undefined) return
    this.release()
    this.#countClosing(this.#port.uncuttable)
  }

  /** The socket has closed. */
  closed(): void {
    this.release()
    this.#countClosing(0)
  }

  #countClosing(bytes: number): void {
    this.#parts.closing.force(this.#clientOf(), bytes - this.#closing)
    this.#closing = bytes
  }

  release(): void {
    if (this.#unread === undefined) return
    this.#parts.unread.release(this.#unread)
    this.#unread = undefined
  }

  #add(): void {
    this.#unread = this.#parts.unread.add(
      this.#clientOf() ?? '',
      () => this.#port.bufferedAmount,
      () => this.#owner.overrun(),
    )
  }
}

/** After how many pings without a pong the client is gone. */
const maxMissed = 2

/** Watches a socket, each time the clock looks at it. There is no timer for each. */
export class VitalSigns {
  readonly #limits: SocketLimits
  readonly #initTimeout: number
  readonly #openedAt: number
  #beatAt: number
  #isHeard = true
  #missed = 0
  /** Since when there has always been something that the client had not read. */
  #unreadSince: number | undefined

  constructor(limits: SocketLimits, initTimeout: number, now: number) {
    this.#limits = limits
    this.#initTimeout = initTimeout
    this.#openedAt = now
    this.#beatAt = now
  }

  heard(): void {
    this.#isHeard = true
    this.#missed = 0
  }

  /** The client has read everything, or nearly. */
  drained(): void {
    this.#unreadSince = undefined
  }

  /** Finds that the time for `connection_init` is over, or that the client does not read, or is gone. Also sends pings. */
  look(now: number, port: SocketPort): 'waited' | 'stalled' | 'silent' | undefined {
    const { streamSendTimeout, heartbeat } = this.#limits
    this.#unreadSince = port.bufferedAmount > 0 ? (this.#unreadSince ?? now) : undefined
    if (this.#unreadSince !== undefined && now - this.#unreadSince >= streamSendTimeout) {
      return 'stalled'
    }
    if (now - this.#beatAt >= heartbeat) {
      this.#beatAt = now
      if (!this.#isHeard) this.#missed += 1
      if (this.#missed >= maxMissed) return 'silent'
      this.#isHeard = false
      port.ping()
    }
    return now - this.#openedAt < this.#initTimeout ? undefined : 'waited'
  }
}

/**
 * How many messages a client may send: a bucket of tokens, one for each message, that is refilled each time the
 * clock looks. Without a token, messages wait for the next refill that leaves one. Pings and pongs cannot wait, so they
 * take tokens that are not there, up to as many again.
 */
export class MessageRate {
  readonly #perSecond: number
  readonly #most: number
  #tokens: number
  #refilledAt: number

  constructor(perSecond: number, burst: number, now: number) {
    this.#perSecond = perSecond
    // A second at the rate must fit: the clock looks no more often.
    this.#most = Math.max(burst, perSecond)
    this.#tokens = burst
    this.#refilledAt = now
  }

  /** Whether this number of messages need not wait. */
  covers(messages: number): boolean {
    return this.#tokens >= messages
  }

  /** Whether the client has sent so much that nothing more is taken of it. */
  get isExceeded(): boolean {
    return this.#tokens < -this.#most
  }

  take(): void {
    this.#tokens -= 1
  }

  refill(now: number): void {
    const earned = ((now - this.#refilledAt) * this.#perSecond) / 1000
    this.#tokens = Math.min(this.#most, this.#tokens + earned)
    this.#refilledAt = now
  }
}
