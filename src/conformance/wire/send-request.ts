import { TargetConnection } from './connection.js'
import type { Exchange, WireResponse } from './exchange.js'
import { isInterim, ResponseReader } from './read-response.js'
import type { Target } from './target.js'
import { formatRequest, toBytes, type WireRequest } from './to-wire-request.js'

/** Sends requests to the target. A connection is kept for the next request, if the target lets it. */
export class Client {
  readonly #target: Target
  readonly #open = new Set<TargetConnection>()
  readonly #idle: TargetConnection[] = []
  #isDestroyed = false

  constructor(target: Target) {
    this.#target = target
  }

  /**
   * Sends a request and reads the whole response. Failures are part of the exchange, with one exception: a connection that
   * the target closed while it was idle, as it may at any time (RFC 9112 section 9.5). Then the request is sent once more.
   */
  async send(request: WireRequest, timeout: number): Promise<Exchange> {
    const idle = this.#idle.pop()
    if (idle === undefined) return this.sendAnew(request, timeout)
    const { exchange, isCut } = await this.#sendOn(idle, request, timeout)
    return isCut ? this.sendAnew(request, timeout) : exchange
  }

  /** Sends a request on a new connection, without a second attempt. */
  async sendAnew(request: WireRequest, timeout: number): Promise<Exchange> {
    return (await this.#sendOn(this.open(), request, timeout)).exchange
  }

  /** A new connection for longer than one request. */
  open(): TargetConnection {
    const connection = new TargetConnection(this.#target)
    this.#open.add(connection)
    if (this.#isDestroyed) connection.destroy()
    return connection
  }

  /** Closes every connection; nothing is sent any more. */
  destroy(): void {
    this.#isDestroyed = true
    for (const connection of this.#open) connection.destroy()
  }

  /** `isCut`: the connection was closed before a byte of the response came. */
  async #sendOn(
    connection: TargetConnection,
    request: WireRequest,
    timeout: number,
  ): Promise<{ readonly exchange: Exchange; readonly isCut: boolean }> {
    let response: WireResponse | undefined
    let begun: number | undefined
    let isCut = true
    const reader = new ResponseReader(request.method === 'HEAD', {
      onHead: ({ status }) => (begun = isInterim(status) ? undefined : status),
      onResponse: (one) => (response ??= isInterim(one.status) ? undefined : one),
    })
    connection.onBytes = (bytes) => {
      isCut = false
      reader.add(bytes)
    }
    connection.onEnd = () => reader.end()
    connection.write(toBytes(request, this.#target.host))
    const isOver = (): boolean => response !== undefined || reader.problem !== undefined
    await connection.changes.until(timeout, isOver)
    const isEnded = connection.changes.isOver
    if (reader.isKept && response !== undefined && !isEnded) this.#keep(connection)
    else this.#close(connection)
    const sent = formatRequest(request, this.#target.host)
    if (response !== undefined) return { exchange: { sent, responses: [response] }, isCut: false }
    const late = `no complete response within ${timeout} ms`
    const failure = reader.problem ?? (isEnded ? connection.failure : late)
    const exchange = { sent, responses: [], failure, ...(begun !== undefined && { begun }) }
    return { exchange, isCut: isCut && isEnded }
  }

  /** Keeps a connection, unless the target sends bytes without a request. */
  #keep(connection: TargetConnection): void {
    this.#idle.push(connection)
    connection.onEnd = () => this.#close(connection)
    connection.onBytes = () => this.#close(connection)
  }

  #close(connection: TargetConnection): void {
    const at = this.#idle.indexOf(connection)
    if (at >= 0) this.#idle.splice(at, 1)
    this.#open.delete(connection)
    connection.destroy()
  }
}
