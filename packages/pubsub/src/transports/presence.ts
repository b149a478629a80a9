import { PubSubError } from '../channel/pub-sub-error.js'
import type { Receiver } from './transport.js'

type Reports = Partial<Pick<Receiver, 'lost' | 'regained'>>

/** How long a service may take to answer. A host that vanishes does not close its connections. */
export const maxAnswerMs = 5000

/** Whether a service can be reached, as its client reports it. */
export class Presence {
  readonly #service: string
  readonly #on: Reports
  /** While it connects for the first time, the client may keep commands. */
  #state: 'connecting' | 'here' | 'away' = 'connecting'
  #cause: unknown
  readonly #pending = new Set<() => void>()
  /** How many commands were answered. */
  #answers = 0
  #isSilent = false
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(service: string, on: Reports = {}) {
    this.#service = service
    this.#on = on
  }

  /** The first report of an outage counts. */
  lost(cause: unknown): void {
    if (this.#state === 'away') return
    this.#state = 'away'
    this.#cause = cause
    for (const reject of this.#pending) reject()
    this.#on.lost?.(cause)
  }

  regained(): void {
    if (this.#state === 'here') return
    this.#state = 'here'
    this.#on.regained?.()
  }

  /** Reports a gap while the service can be reached. */
  interrupted(cause: unknown): void {
    if (this.#state !== 'here') return
    this.#on.lost?.(cause)
    this.#on.regained?.()
  }

  /**
   * Runs a command. Rejects while the service is away or does not answer, and when the connection is lost before the
   * response: clients would keep the command until they have reconnected.
   */
  send(command: () => Promise<unknown>): Promise<void> {
    if (this.#state === 'away' || this.#isSilent) return Promise.reject(this.#away())
    return new Promise((resolve, reject) => {
      const lost = (): void => reject(this.#away())
      this.#pending.add(lost)
      if (this.#timer === undefined) this.#watch()
      command()
        .finally(() => {
          this.#answers += 1
          this.#isSilent = false
          this.#pending.delete(lost)
        })
        .then(() => resolve(), reject)
    })
  }

  /** While commands wait: many may take longer together, if some are answered. */
  #watch(): void {
    const before = this.#answers
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      if (this.#pending.size === 0) return
      if (this.#answers > before) return this.#watch()
      this.#isSilent = true
      this.#cause = new Error(`There was no answer within ${maxAnswerMs} ms.`)
      for (const reject of this.#pending) reject()
    }, maxAnswerMs)
    this.#timer.unref?.()
  }

  #away(): PubSubError {
    const message = `${this.#service} cannot be reached. Publish again later.`
    return new PubSubError('TRANSPORT_AWAY', message, { cause: this.#cause })
  }
}
