import { ByteBudget } from '../base/byte-budget.js'
import { Shares } from '../base/shares.js'
import { TurnLines } from '../base/turn-lines.js'
import { Turns } from '../base/turns.js'
import { UnreadBudget } from '../base/unread-budget.js'
import type { RequestHead } from '../http/message.js'
import type { SocketOperations, WebSocketCloseOptions } from './operations.js'
import type { SessionRules, SocketPort } from './socket.js'
import { Session, type SessionParts } from './session.js'

/** Counts of sockets. */
export interface SocketStats {
  /** How many sockets are open. */
  readonly open: number
  /** How many open sockets have not been acknowledged. */
  readonly waiting: number
}

/** The result of `close`. */
export interface SocketCloseReport {
  /** How many sockets were closed in order. */
  readonly closed: number
  /** How many were cut at the deadline. */
  readonly cut: number
}

/** How often the clock looks at all sockets. A timer for each would cost more than an idle socket. */
const lookMs = 1000

/** How often some of the sockets are closed, so that not all clients connect again at once. */
const waveMs = 200

/**
 * The sockets of all hosts of a process read so many messages in a turn, as many as requests of a pipeline start in one: each may be
 * a query at the limit of its cost. Pure: bundles without sockets leave it out.
 */
const turns = /* @__PURE__ */ new Turns(16, 16, 10)

const lines = /* @__PURE__ */ new TurnLines<string | object>(turns)

export class Sessions {
  readonly rules: SessionRules
  readonly #parts: SessionParts
  readonly #open = new Map<Session, { readonly port: SocketPort; readonly giveBack: () => void }>()
  /** Those that have not been acknowledged, and how to give back their share of these. */
  readonly #waiting = new Map<Session, () => void>()
  readonly #openShares: Shares
  readonly #waitingShares: Shares
  #clock: ReturnType<typeof setInterval> | undefined
  #closing: Promise<SocketCloseReport> | undefined
  #onEmpty: (() => void) | undefined

  constructor(operations: SocketOperations, rules: SessionRules) {
    this.rules = rules
    const { clientShare } = operations.limits
    const pending = new ByteBudget(rules.maxPendingBytes, clientShare)
    // A separate budget, so that incomplete messages and floods do not close sockets that keep to their limits.
    const forTurn = new ByteBudget(rules.maxPendingBytes, clientShare)
    const forRun = new ByteBudget(rules.maxPendingBytes, clientShare)
    const unread = new UnreadBudget(rules.maxUnreadBytes, 0)
    const closing = new ByteBudget(rules.maxUnreadBytes, clientShare)
    const settled = (session: Session): void => {
      this.#waiting.get(session)?.()
      this.#waiting.delete(session)
    }
    const budgets = { pending, forTurn, forRun, unread, closing }
    this.#parts = { operations, rules, ...budgets, turns, lines, settled }
    this.#openShares = new Shares(rules.maxSockets, clientShare)
    this.#waitingShares = new Shares(rules.maxWaitingSockets, clientShare)
  }

  hasRoomFor(head: RequestHead): boolean {
    const { maxSockets, maxWaitingSockets } = this.rules
    const client = this.#parts.operations.clientOf(head)
    return (
      this.#openShares.hasRoomFor(client) &&
      this.#waitingShares.hasRoomFor(client) &&
      this.#parts.closing.hasRoomFor(client) &&
      this.#closing === undefined &&
      this.#open.size < maxSockets &&
      this.#waiting.size < maxWaitingSockets
    )
  }

  get stats(): SocketStats {
    return { open: this.#open.size, waiting: this.#waiting.size }
  }

  open(head: RequestHead, port: SocketPort): Session {
    this.#parts.operations.opened(head)
    const session = new Session(head, port, this.#parts, performance.now())
    const client = this.#parts.operations.clientOf(head)
    this.#open.set(session, { port, giveBack: this.#openShares.take(client) })
    this.#waiting.set(session, this.#waitingShares.take(client))
    this.#startClock()
    return session
  }

  /** The socket of a session has closed. Until then it counts. */
  release(session: Session): void {
    session.release()
    this.#open.get(session)?.giveBack()
    if (!this.#open.delete(session)) return
    this.#parts.operations.closed()
    if (this.#open.size > 0) return
    clearInterval(this.#clock)
    this.#clock = undefined
    this.#onEmpty?.()
  }

  /** Closes all sockets so that their clients connect again: one after the other, and at the deadline all that are left. */
  close(times: WebSocketCloseOptions): Promise<SocketCloseReport> {
    return (this.#closing ??= this.#close(times))
  }

  #close({ spread = 5000, deadline = 10_000 }: WebSocketCloseOptions): Promise<SocketCloseReport> {
    return new Promise((resolve) => {
      const all = [...this.#open.keys()]
      const perWave = Math.ceil(all.length / Math.max(1, Math.floor(spread / waveMs)))
      let cut = 0
      const closeSome = (): void => {
        for (const session of all.splice(0, perWave)) session.shutDown()
      }
      const waves = setInterval(closeSome, waveMs)
      const last = setTimeout(() => {
        cut = this.#open.size
        for (const { port } of this.#open.values()) port.terminate()
      }, deadline)
      const { size } = this.#open
      this.#onEmpty = () => {
        clearInterval(waves)
        clearTimeout(last)
        resolve({ closed: size - cut, cut })
      }
      closeSome()
      if (this.#open.size === 0) this.#onEmpty()
    })
  }

  #startClock(): void {
    if (this.#clock !== undefined) return
    this.#clock = setInterval(() => {
      const now = performance.now()
      for (const session of this.#open.keys()) session.look(now)
    }, lookMs)
    ;(this.#clock as { unref?: () => void }).unref?.()
  }
}
