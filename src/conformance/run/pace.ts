import { setTimeout as sleep } from 'node:timers/promises'
import { fieldOf, type Exchange, type WireResponse } from '../wire/exchange.js'

/** The longest wait a target can ask for at once, and in the whole run. */
const maxWaitMs = 10_000
const maxTotalMs = 30_000

/** How long to wait after a 429 without Retry-After. */
const unnamedWaitMs = 1000

/** Why a case was not run, or not completely. */
export const stoppedReason: string = 'the run was stopped: see the diagnosis'

const maxTries = 5

/** After so many requests in a row without a response, a plain query shows whether the target still responds. */
const maxSilent = 6

/** The first response of an exchange that limits rates: any 429, and a 503 with Retry-After. */
export function findRateLimit({ responses }: Exchange): WireResponse | undefined {
  return responses.find(
    (one) =>
      one.status === 429 || (one.status === 503 && fieldOf(one, 'retry-after') !== undefined),
  )
}

/** Retry-After in milliseconds (RFC 9110 section 10.2.3); undefined if it is missing or malformed. */
export function toMilliseconds(retryAfter: string | undefined, now: number): number | undefined {
  if (retryAfter === undefined) return undefined
  if (/^\d+$/.test(retryAfter)) return Number(retryAfter) * 1000
  const date = Date.parse(retryAfter)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

/** Keeps a run within the target's rate limit, as long as the waits are short, and ends it where nothing responds. */
export class Pace {
  readonly #control: () => Promise<Exchange>
  #sent = 0
  #resumeAt = 0
  #waitedMs = 0
  #silent = 0
  /** Why nothing more is sent; undefined while the target accepts requests. */
  stopped: string | undefined

  /** `control` sends a request that any target can answer. */
  constructor(control: () => Promise<Exchange>) {
    this.#control = control
  }

  /** Stops sending for good. The first reason stays. */
  stop(reason: string): void {
    this.stopped ??= reason
  }

  /** Sends a request, and again after each wait that the target asks for. Marks the exchange if it is still limited then. */
  async send(attempt: () => Promise<Exchange>): Promise<Exchange> {
    for (let tries = 1; ; tries++) {
      await this.#turn()
      this.#sent++
      const exchange = await attempt()
      const limit = findRateLimit(exchange)
      if (limit === undefined) {
        await this.#watch(exchange)
        return exchange
      }
      const isWaiting = tries <= maxTries && this.stopped === undefined && this.#wait(limit)
      if (isWaiting) continue
      // If another request is accepted, the refusal is about this one alone.
      if (this.stopped === undefined && findRateLimit(await this.#control()) !== undefined) {
        this.stop(describe(limit, this.#sent))
      }
      return { ...exchange, isRateLimited: true }
    }
  }

  /** Hundreds of time-outs would take an hour, and show nothing more. */
  async #watch({ responses, failure }: Exchange): Promise<void> {
    this.#silent = responses.length === 0 && failure !== undefined ? this.#silent + 1 : 0
    if (this.#silent !== maxSilent) return
    const control = await this.#control()
    if (control.failure === undefined) this.#silent = 0
    else this.stop(describeSilence(control.failure, control.begun))
  }

  async #turn(): Promise<void> {
    while (this.stopped === undefined && this.#resumeAt > Date.now()) {
      await sleep(this.#resumeAt - Date.now())
    }
  }

  /** Delays all requests, unless for too long. Waits at the same time count once. */
  #wait(limit: WireResponse): boolean {
    const now = Date.now()
    const waitMs = toMilliseconds(fieldOf(limit, 'retry-after'), now) ?? unnamedWaitMs
    if (waitMs > maxWaitMs) return false
    // Even if the target says 0, do not send again immediately.
    const until = now + Math.max(waitMs, 50)
    const more = Math.max(0, until - Math.max(now, this.#resumeAt))
    if (this.#waitedMs + more > maxTotalMs) return false
    this.#waitedMs += more
    this.#resumeAt = Math.max(this.#resumeAt, until)
    return true
  }
}

function describe(limit: WireResponse, sent: number): string {
  const retryAfter = fieldOf(limit, 'retry-after')
  const after = retryAfter === undefined ? '' : ` with Retry-After: ${retryAfter}`
  return (
    `The target limits the rate of requests: it answered ${limit.status}${after} to request ${sent} of this run. ` +
    'Raise its limit for the run, or choose fewer cases with --suite or --case.'
  )
}

function describeSilence(failure: string, begun: number | undefined): string {
  const advice =
    begun === undefined
      ? 'Is it stuck, or has it ended?'
      : `It began to respond with ${begun}: is its Content-Length right, or does its response never end?`
  return `The target sent no complete response to ${maxSilent} requests in a row, nor to a plain query after them (${failure}). ${advice}`
}
