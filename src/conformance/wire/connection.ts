import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import type { Target } from './target.js'

/** Waits for conditions, which are checked again whenever something changes. */
export class Changes {
  isOver = false
  #wake: () => void = () => {}

  tell(): void {
    this.#wake()
  }

  end(): void {
    this.isOver = true
    this.#wake()
  }

  /** Waits for a condition, the end, or the time limit; returns whether the condition holds. */
  async until(limit: number, isSo: () => boolean): Promise<boolean> {
    const deadline = performance.now() + limit
    while (!isSo() && !this.isOver) {
      const left = deadline - performance.now()
      if (left <= 0) {
        // On a busy machine a timer can fire before bytes that have already arrived.
        await turn()
        return isSo()
      }
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

/**
 * A raw connection to the target, over TCP or TLS: cases send what no library would, and need every byte of a response. Its
 * user sets where the bytes go.
 */
export class TargetConnection {
  onBytes: (bytes: Buffer) => void = () => {}
  /** Called once, when nothing more comes. */
  onEnd: () => void = () => {}
  /** They are over when the target has closed it, or it has failed. */
  readonly changes: Changes = new Changes()
  readonly #tcp: Socket
  readonly #socket: Socket
  isOpen = false
  #failure: string | undefined

  constructor(target: Target) {
    const isPlain = target.protocol === 'http:'
    this.#tcp = connectTcp({ host: target.hostname, port: target.port, noDelay: true })
    this.#socket = isPlain ? this.#tcp : secure(this.#tcp, target)
    this.#socket.once(isPlain ? 'connect' : 'secureConnect', () => {
      this.isOpen = true
      this.changes.tell()
    })
    this.#socket.on('data', (bytes: Buffer) => {
      this.onBytes(bytes)
      this.changes.tell()
    })
    this.#socket.on('drain', () => this.changes.tell())
    this.#socket.on('end', () => this.#end())
    for (const one of new Set([this.#tcp, this.#socket])) {
      one.on('error', (error) => this.#end(describeFailure(error)))
      one.on('close', () => this.#end())
    }
  }

  get isBroken(): boolean {
    return this.#failure !== undefined
  }

  get failure(): string {
    return this.#failure ?? 'the connection was closed'
  }

  get isFull(): boolean {
    return this.#socket.writableNeedDrain
  }

  /** Sends bytes, once the connection is open. */
  write(bytes: Uint8Array): void {
    if (!this.#socket.destroyed) this.#socket.write(bytes)
  }

  halfClose(): void {
    this.#socket.end()
  }

  /** Only TCP has resets. */
  reset(): void {
    this.#tcp.resetAndDestroy()
  }

  destroy(): void {
    this.#socket.destroy()
    this.#tcp.destroy()
  }

  #end(failure?: string): void {
    this.#failure ??= failure
    if (this.changes.isOver) return
    this.onEnd()
    this.changes.end()
  }
}

/** TLS over a connection. Node sends the host name only if asked to. */
function secure(socket: Socket, { hostname, insecure }: Target): Socket {
  const servername = isIP(hostname) === 0 ? { servername: hostname } : { host: hostname }
  const options = { rejectUnauthorized: !insecure, ALPNProtocols: ['http/1.1'] }
  return connectTls({ socket, ...servername, ...options })
}

export function describeFailure(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string }
  // Errors of sockets name their code in the message too.
  const parts = [message?.includes(code ?? '') ? undefined : code, message]
  return parts.filter(Boolean).join(': ') || String(error)
}

/** Thrown if no connection can be made to the target, so that there is nothing to report. */
export class UnreachableError extends Error {
  override readonly name = 'UnreachableError'
}

/** Makes one connection and closes it; throws an UnreachableError if that fails. */
export async function checkReachable(target: Target, timeout: number): Promise<void> {
  // Without TLS: a certificate that is not trusted has a diagnosis.
  const connection = new TargetConnection({ ...target, protocol: 'http:' })
  const isOpen = await connection.changes.until(timeout, () => connection.isOpen)
  connection.destroy()
  if (isOpen) return
  const reason = connection.isBroken ? connection.failure : `no connection within ${timeout} ms`
  throw new UnreachableError(`${target.url} cannot be reached: ${reason}.`)
}
