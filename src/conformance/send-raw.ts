import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import type { Exchange, WireResponse } from './exchange.js'
import type { RawOperation } from './fixture.js'
import { readResponse } from './read-response.js'
import type { Target } from './target.js'
import { formatBytes } from './to-wire-request.js'

/** What a raw step sends and how long each wait for an answer may be. */
export interface RawStep {
  readonly operations: readonly RawOperation[]
  readonly responses: number
  readonly timeout: number
  readonly insecure: boolean
}

/** Big bodies are written in such pieces, with a look for an answer between them. */
const paceBytes = 64 * 1024

/** How long the connection is watched after the last response, to see whether it is closed. */
const closeGraceMs = 250

/** Does the operations on a fresh connection and reads the responses. */
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

type Waiting = Extract<RawOperation, { awaitInterim: number } | { awaitResponse: number }>

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
  #received = Buffer.alloc(0)
  #isOpen = false
  #ended = false
  /** An answer that an operation waited for in vain: nothing more is sent. */
  #missed: string | undefined
  #failure: string | undefined
  #wake: () => void = () => {}

  constructor(target: Target, { timeout, insecure, operations }: RawStep) {
    this.#tcp = connectTcp({ host: target.hostname, port: target.port, noDelay: true })
    const isSecure = target.protocol === 'https:'
    this.#socket = isSecure ? secure(this.#tcp, target.hostname, insecure) : this.#tcp
    this.#timeout = timeout
    const [first] = operations
    this.#isHead = first !== undefined && 'text' in first && first.text.startsWith('HEAD ')
    this.#socket.once(isSecure ? 'secureConnect' : 'connect', () => {
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

  /** Resolves when the connection stands, or has failed. */
  async opened(): Promise<void> {
    if (await this.#until(this.#timeout, () => this.#isOpen)) return
    if (!this.#ended) this.#missed = `no connection within ${this.#timeout} ms`
  }

  /** Whether the rest need not be sent: the one answer is there already, or it cannot come any more. */
  async isOver(wanted: number): Promise<boolean> {
    await sleep(0)
    if (this.#ended || this.#missed !== undefined) return true
    return wanted === 1 && this.#responses.length === 1
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
    // Only TCP has resets, whatever runs over it.
    if ('reset' in operation) return void this.#tcp.resetAndDestroy()
    return this.#awaitAnswer(operation)
  }

  /** Waits for what is still to come and tells the whole exchange. */
  async finish(wanted: number): Promise<Exchange> {
    const isComplete = (): boolean => this.#responses.length >= wanted
    if (this.#missed === undefined) await this.#until(this.#timeout, isComplete)
    // Whether it closes after the last response is seen only by waiting; an open one costs the grace.
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
    return this.#failure ?? (this.#ended ? 'the connection was closed' : 'time is up')
  }

  /** Bytes that belong to no response: the body of an answer to HEAD, or one longer than declared. */
  #leftOver(): string | undefined {
    if (this.#responses.length === 0 || this.#received.length === 0) return undefined
    return `what follows the response is no other one: ${formatBytes(this.#received, 60)}`
  }

  /** The first wait is for the first answer, and so on: what has come early has come. */
  async #awaitAnswer(operation: Waiting): Promise<void> {
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
    const isAnswered = (): boolean => bytes.length > paceBytes && this.#responses.length > 0
    for (let at = 0; at < bytes.length && !this.#ended; at += paceBytes) {
      if (at > 0) await sleep(1)
      if (isAnswered()) return
      if (this.#socket.write(bytes.subarray(at, at + paceBytes))) continue
      await this.#until(this.#timeout, () => isAnswered() || !this.#socket.writableNeedDrain)
    }
  }

  #take(chunk: Buffer): void {
    this.#received = Buffer.concat([this.#received, chunk])
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
    while (this.#received.length > 0) {
      const isHead = this.#isHead && this.#responses.length === 0
      const read = readResponse(this.#received, isHead, this.#ended)
      if (read.kind === 'invalid') this.#failure ??= `broken HTTP: ${read.reason}`
      if (read.kind !== 'response') return
      if (read.response.status < 200) this.#interims++
      else this.#responses.push(read.response)
      this.#received = this.#received.subarray(read.length)
    }
  }

  /** Waits until something is so, the connection ends, or time is up; says whether it is so. */
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

/** TLS over a connection. Node sends the name of the host only where it is told to. */
function secure(socket: Socket, hostname: string, insecure: boolean): Socket {
  const servername = isIP(hostname) === 0 ? { servername: hostname } : { host: hostname }
  const options = { rejectUnauthorized: !insecure, ALPNProtocols: ['http/1.1'] }
  return connectTls({ socket, ...servername, ...options })
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
