import { setTimeout as sleep } from 'node:timers/promises'
import { TargetConnection } from './connection.js'
import type { Exchange, WireResponse } from './exchange.js'
import type { RawOperation } from '../suite/fixture.js'
import { ResponseReader } from './read-response.js'
import type { Target } from './target.js'
import { bytesOf, formatBytes } from './to-wire-request.js'

export interface RawStep {
  readonly operations: readonly RawOperation[]
  readonly responses: number
  readonly timeout: number
}

/** A larger body is sent in pieces, looking for a response in between; otherwise a reset hides an early 413. */
export const paceBytes: number = 64 * 1024

/** How long the connection is watched after the last response, to see whether it is closed. */
const closeGraceMs = 250

/** Runs the operations on a new connection and reads the responses. */
export function sendRaw(target: Target, step: RawStep): Promise<Exchange> {
  return new RawExchange(target, step).run()
}

class RawExchange {
  readonly #connection: TargetConnection
  readonly #step: RawStep
  readonly #reader: ResponseReader
  readonly #sent: Buffer[] = []
  readonly #responses: WireResponse[] = []
  #interims = 0
  #awaitedInterims = 0
  #awaitedResponses = 0
  /** Describes the response that did not come in time, after which nothing more is sent. */
  #missed: string | undefined

  constructor(target: Target, step: RawStep) {
    this.#step = step
    const isHead = step.operations[0]?.text?.startsWith('HEAD ') ?? false
    this.#reader = new ResponseReader(isHead, {
      onResponse: (response) => {
        if (response.status < 200) this.#interims++
        else this.#responses.push(response)
      },
    })
    this.#connection = new TargetConnection(target)
    this.#connection.onBytes = (bytes) => this.#reader.add(bytes)
    this.#connection.onEnd = () => this.#reader.end()
  }

  async run(): Promise<Exchange> {
    const { operations, responses, timeout } = this.#step
    try {
      const isOpen = await this.#until(timeout, () => this.#connection.isOpen)
      if (!isOpen && !this.#isBroken) this.#missed = `no connection within ${timeout} ms`
      for (const operation of operations) {
        await sleep(0)
        // The rest need not be sent if the only response is here already, or cannot come any more.
        const isAnswered = responses === 1 && this.#responses.length === 1
        if (isAnswered || this.#isBroken || this.#missed !== undefined) break
        await this.#perform(operation)
      }
      return await this.#finish()
    } finally {
      this.#connection.destroy()
    }
  }

  async #perform(operation: RawOperation): Promise<void> {
    const bytes = bytesOf(operation)
    if (bytes !== undefined) return this.#write(bytes)
    if (operation.sleep !== undefined) return sleep(operation.sleep)
    if (operation.halfClose) return this.#connection.halfClose()
    if (operation.reset) return this.#connection.reset()
    return this.#awaitResponse(operation)
  }

  /** Waits for the remaining responses and returns the whole exchange. */
  async #finish(): Promise<Exchange> {
    const { responses: count, timeout } = this.#step
    const isComplete = (): boolean => this.#responses.length >= count
    if (this.#missed === undefined) await this.#until(timeout, isComplete)
    // Only waiting shows whether it closes after the last response.
    if (isComplete()) await this.#until(closeGraceMs, () => false)
    const { changes, failure: cause } = this.#connection
    const reason = this.#reader.problem ?? (changes.isOver ? cause : 'timed out')
    const failure = this.#missed ?? this.#leftOver() ?? (isComplete() ? undefined : reason)
    return {
      sent: formatBytes(Buffer.concat(this.#sent)),
      responses: this.#responses,
      connection: changes.isOver ? 'closed' : 'open',
      ...(failure !== undefined && { failure }),
    }
  }

  get #isBroken(): boolean {
    return this.#connection.changes.isOver || this.#reader.problem !== undefined
  }

  /** Describes bytes that belong to no response: the body of a response to HEAD, or one longer than declared. */
  #leftOver(): string | undefined {
    const { rest } = this.#reader
    if (this.#responses.length === 0 || rest.length === 0) return undefined
    return `unexpected bytes after the response: ${formatBytes(rest, 60)}`
  }

  /** The first wait is for the first response, and so on; an early one counts. */
  async #awaitResponse({ awaitInterim, awaitResponse = 0 }: RawOperation): Promise<void> {
    const isInterim = awaitInterim !== undefined
    const limit = awaitInterim ?? awaitResponse
    const interims = isInterim ? ++this.#awaitedInterims : Infinity
    const responses = isInterim ? this.#awaitedResponses + 1 : ++this.#awaitedResponses
    const hasCome = (): boolean => this.#interims >= interims || this.#responses.length >= responses
    if ((await this.#until(limit, hasCome)) || this.#isBroken) return
    this.#missed = `no ${isInterim ? 'interim or final ' : ''}response within ${limit} ms`
  }

  async #write(bytes: Buffer): Promise<void> {
    this.#sent.push(bytes)
    const hasResponse = (): boolean => bytes.length > paceBytes && this.#responses.length > 0
    for (let at = 0; at < bytes.length && !this.#isBroken; at += paceBytes) {
      if (at > 0) await sleep(1)
      if (hasResponse()) return
      this.#connection.write(bytes.subarray(at, at + paceBytes))
      await this.#until(this.#step.timeout, () => hasResponse() || !this.#connection.isFull)
    }
  }

  /** Waits until something is so, nothing can come any more, or the time is up. */
  async #until(limit: number, isSo: () => boolean): Promise<boolean> {
    await this.#connection.changes.until(limit, () => isSo() || this.#reader.problem !== undefined)
    return isSo()
  }
}
