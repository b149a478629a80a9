import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { connectTo } from './connect.js'
import type { Exchange, WireResponse } from './exchange.js'
import type { RawOperation } from '../suite/fixture.js'
import { ReceivedBytes, readResponse } from './read-response.js'
import type { Target } from './target.js'
import { formatBytes } from './to-wire-request.js'

/** What a raw step sends, and how long each wait for a response may take. */
export interface RawStep {
  readonly operations: readonly RawOperation[]
  readonly responses: number
  readonly timeout: number
  readonly insecure: boolean
}

/** Large bodies are sent in pieces of this size, looking for a response in between. */
const paceBytes = 64 * 1024

/** How long the connection is watched after the last response, to see whether it is closed. */
const closeGraceMs = 250

/** Runs the operations on a new connection and reads the responses. */
export async function sendRaw(target: Target, step: RawStep): Promise<Exchange> {
  const connection = new RawConnection(target, step)
  try {
    await connection.opened()
    for (const operation of step.operations) {
      if (await connection.isOver(step.responses)) break
      await connection.perform(operation)
    }
    return await connection.finish(step.responses)
  } finally {
    connection.destroy()
  }
}

type RawWait = Extract<RawOperation, { awaitInterim: number } | { awaitResponse: number }>

class RawConnection {
  readonly #tcp: Socket
  /** The TCP connection itself, or TLS over it. */
  readonly #socket: Socket
  readonly #timeout: number
  readonly #isHead: boolean
  readonly #sent: Buffer[] = []
  readonly #responses: WireResponse[] = []
  #interims = 0
  #awaitedInterims = 0
  #awaitedResponses = 0
  readonly #received = new ReceivedBytes()
  #isOpen = false
  #ended = false
  /** A response that did not come in time: nothing more is sent. */
  #missed: string | undefined
  #failure: string | undefined
  #wake: () => void = () => {}

  constructor(target: Target, { timeout, insecure, operations }: RawStep) {
    const { tcp, socket, readyEvent } = connectTo(target, insecure)
    this.#tcp = tcp
    this.#socket = socket
    this.#timeout = timeout
    const [first] = operations
    this.#isHead = first !== undefined && 'text' in first && first.text.startsWith('HEAD ')
    this.#socket.once(readyEvent, () => {
      this.#isOpen = true
      this.#wake()
    })
    this.#socket.on('data', (chunk: Buffer) => this.#take(chunk))
    this.#socket.on('drain', () => this.#wake())
    this.#socket.on('end', () => this.#end(undefined))
    for (const one of new Set([this.#tcp, this.#socket])) {
      one.on('error', (error) => this.#end(error.message))
      one.on('close', () => this.#end(undefined))
    }
  }

  /** Resolves when the connection is made, or has failed. */
  async opened(): Promise<void> {
    if (await this.#until(this.#timeout, () => this.#isOpen)) return
    if (!this.#ended) this.#missed = `no connection within ${this.#timeout} ms`
  }

  /** Whether the rest need not be sent: the only response is here already, or cannot come any more. */
  async isOver(count: number): Promise<boolean> {
    await sleep(0)
    if (this.#ended || this.#missed !== undefined) return true
    return count === 1 && this.#responses.length === 1
  }

  async perform(operation: RawOperation): Promise<void> {
    if ('text' in operation) return this.#write(Buffer.from(operation.text))
    if ('hex' in operation) return this.#write(fromHex(operation.hex))
    if ('repeat' in operation) {
      const { text, times } = operation.repeat
      return this.#write(Buffer.from(text.repeat(times)))
    }
    if ('chunk' in operation) return this.#write(toChunk(operation.chunk))
    if ('sleep' in operation) return sleep(operation.sleep)
    if ('halfClose' in operation) return void this.#socket.end()
    // Only TCP has resets.
    if ('reset' in operation) return void this.#tcp.resetAndDestroy()
    return this.#awaitResponse(operation)
  }

  /** Waits for the remaining responses and returns the whole exchange. */
  async finish(count: number): Promise<Exchange> {
    const isComplete = (): boolean => this.#responses.length >= count
    if (this.#missed === undefined) await this.#until(this.#timeout, isComplete)
    // Only waiting shows whether it closes after the last response.
    if (isComplete()) await this.#until(closeGraceMs, () => false)
    const failure = this.#missed ?? this.#leftOver() ?? (isComplete() ? undefined : this.#reason())
    return {
      sent: formatBytes(Buffer.concat(this.#sent)),
      responses: this.#responses,
      connection: this.#ended ? 'closed' : 'open',
      ...(failure !== undefined && { failure }),
    }
  }

  destroy(): void {
    this.#socket.destroy()
    this.#tcp.destroy()
  }

  #reason(): string {
    return this.#failure ?? (this.#ended ? 'the connection was closed' : 'timed out')
  }

  /** Bytes that belong to no response: the body of a response to HEAD, or one longer than declared. */
  #leftOver(): string | undefined {
    const { bytes } = this.#received
    if (this.#responses.length === 0 || bytes.length === 0) return undefined
    return `unexpected bytes after the response: ${formatBytes(bytes, 60)}`
  }

  /** The first wait is for the first response, and so on; an early one counts. */
  async #awaitResponse(operation: RawWait): Promise<void> {
    const isInterim = 'awaitInterim' in operation
    const limit = isInterim ? operation.awaitInterim : operation.awaitResponse
    const interims = isInterim ? ++this.#awaitedInterims : Infinity
    const responses = isInterim ? this.#awaitedResponses + 1 : ++this.#awaitedResponses
    const hasCome = (): boolean => this.#interims >= interims || this.#responses.length >= responses
    if ((await this.#until(limit, hasCome)) || this.#ended) return
    this.#missed = `no ${isInterim ? 'interim or final ' : ''}response within ${limit} ms`
  }

  async #write(bytes: Buffer): Promise<void> {
    this.#sent.push(bytes)
    const hasResponse = (): boolean => bytes.length > paceBytes && this.#responses.length > 0
    for (let at = 0; at < bytes.length && !this.#ended; at += paceBytes) {
      if (at > 0) await sleep(1)
      if (hasResponse()) return
      if (this.#socket.write(bytes.subarray(at, at + paceBytes))) continue
      await this.#until(this.#timeout, () => hasResponse() || !this.#socket.writableNeedDrain)
    }
  }

  #take(chunk: Buffer): void {
    this.#received.add(chunk)
    const { problem } = this.#received
    if (problem !== undefined) {
      this.#missed ??= problem
      this.#end(problem)
      return this.destroy()
    }
    this.#parse()
    this.#wake()
  }

  #end(failure: string | undefined): void {
    this.#failure ??= failure
    if (!this.#ended) {
      this.#ended = true
      this.#parse()
    }
    this.#wake()
  }

  #parse(): void {
    while (this.#received.bytes.length > 0) {
      const isHead = this.#isHead && this.#responses.length === 0
      const read = readResponse(this.#received.bytes, isHead, this.#ended)
      if (read.kind === 'invalid') this.#failure ??= `broken HTTP: ${read.reason}`
      if (read.kind !== 'response') return
      if (read.response.status < 200) this.#interims++
      else this.#responses.push(read.response)
      this.#received.take(read.length)
    }
  }

  /** Waits for a condition, the end of the connection, or the time limit; returns whether the condition holds. */
  async #until(limit: number, isSo: () => boolean): Promise<boolean> {
    const deadline = Date.now() + limit
    while (!isSo() && !this.#ended) {
      const left = deadline - Date.now()
      if (left <= 0) return false
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left)
        this.#wake = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    }
    return isSo()
  }
}

function fromHex(hex: string): Buffer {
  return Buffer.from(hex.replaceAll(/\s/g, ''), 'hex')
}

function toChunk(chunk: 'end' | { readonly text: string } | { readonly hex: string }): Buffer {
  if (chunk === 'end') return Buffer.from('0\r\n\r\n')
  const bytes = 'text' in chunk ? Buffer.from(chunk.text) : fromHex(chunk.hex)
  return Buffer.concat([
    Buffer.from(`${bytes.length.toString(16)}\r\n`),
    bytes,
    Buffer.from('\r\n'),
  ])
}
