import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import type { HasStreamDefect } from './defects.js'
import { ClientFrames, encodeServerFrame, type Received } from './frame-reader.js'

const suffix = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11'
const own = 'graphql-transport-ws'

/** What a socket tells those who use it. */
export interface SocketEvents {
  onText(text: string): void
  onBinary(bytes: Buffer): void
  /** The socket is closed. `isCut`: without a close frame. */
  onClose(isCut: boolean): void
}

/** A WebSocket of the server. */
export class ServerSocket {
  readonly #duplex: Duplex
  readonly #has: HasStreamDefect
  readonly #events: SocketEvents
  #isClosed = false

  constructor(duplex: Duplex, has: HasStreamDefect, open: (socket: ServerSocket) => SocketEvents) {
    this.#duplex = duplex
    this.#has = has
    this.#events = open(this)
    const frames = new ClientFrames(has)
    duplex.on('data', (chunk: Buffer) => {
      for (const one of frames.add(chunk)) if (!this.#isClosed) this.#take(one)
    })
    duplex.on('error', () => {})
    duplex.on('close', () => this.#finish(true))
    duplex.on('end', () => duplex.destroy())
  }

  /** Sends a message. */
  send(message: object): void {
    const opcode = this.#has('ws-messages-binary') ? 2 : 1
    this.#write(opcode, Buffer.from(JSON.stringify(message)))
  }

  /** Sends a close frame and closes the connection. */
  close(code: number): void {
    if (this.#isClosed) return
    this.#write(8, Buffer.of(code >> 8, code & 255))
    this.#finish(false)
    this.#duplex.end()
  }

  #write(opcode: number, payload: Buffer): void {
    if (!this.#isClosed) this.#duplex.write(encodeServerFrame(opcode, payload, this.#has))
  }

  #finish(isCut: boolean): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#events.onClose(isCut)
  }

  #take(one: Received): void {
    const has = this.#has
    switch (one.kind) {
      case 'text':
        return this.#events.onText(one.payload.toString())
      case 'binary':
        return this.#events.onBinary(one.payload)
      case 'ping':
        if (has('ws-ping-frame-ignored')) return
        return this.#write(10, has('ws-pong-frame-empty') ? Buffer.alloc(0) : one.payload)
      case 'failure':
        return this.close(one.code)
      case 'close':
        return this.#takeClose(one.payload)
    }
  }

  #takeClose(payload: Buffer): void {
    const has = this.#has
    if (has('ws-close-ignored')) return
    if (payload.length === 0) return has('ws-close-empty-ignored') ? undefined : this.#echo(1000)
    if (payload.length === 1) return has('ws-close-half-accepted') ? undefined : this.close(1002)
    const code = payload.readUInt16BE(0)
    if (code < 1000) return has('ws-close-code-unchecked') ? undefined : this.close(1002)
    this.#echo(code)
  }

  #echo(code: number): void {
    if (!this.#has('ws-close-unanswered')) return this.close(code)
    this.#finish(false)
    this.#duplex.destroy()
  }
}

/** The lines of the response to a handshake, and whether it is accepted. */
export function answerHandshake(
  { method, headers }: IncomingMessage,
  has: HasStreamDefect,
): { readonly isAccepted: boolean; readonly lines: readonly string[] } {
  const refuse = (status: string, ...lines: readonly string[]) => ({
    isAccepted: false,
    lines: [`HTTP/1.1 ${status}`, 'Content-Length: 0', 'Connection: close', ...lines],
  })
  if (method !== 'GET' && !has('ws-method-ignored')) return refuse('405 Method Not Allowed')
  const key = headers['sec-websocket-key']
  const isRight = key !== undefined && Buffer.from(key, 'base64').length === 16
  const isIgnored = key === undefined ? has('ws-key-ignored') : has('ws-key-unchecked')
  if (!isRight && !isIgnored) return refuse('400 Bad Request')
  if (headers['sec-websocket-version'] !== '13' && !has('ws-version-ignored')) {
    const known = has('ws-version-unnamed') ? [] : ['Sec-WebSocket-Version: 13']
    return refuse('426 Upgrade Required', ...known)
  }
  if (headers.origin !== undefined && !has('ws-origin-ignored')) return refuse('403 Forbidden')
  const protocols = (headers['sec-websocket-protocol'] ?? '').split(',').map((one) => one.trim())
  const isOffered = protocols.includes(own) || has('ws-subprotocol-forced')
  if (!isOffered) return refuse('400 Bad Request')
  const chosen = has('ws-subprotocol-first') ? protocols[0] : own
  const hashed = has('ws-accept-wrong') ? 'wrong' : `${key ?? ''}${suffix}`
  return {
    isAccepted: true,
    lines: [
      'HTTP/1.1 101 Switching Protocols',
      'Upgrade: websocket',
      'Connection: Upgrade',
      `Sec-WebSocket-Accept: ${createHash('sha1').update(hashed).digest('base64')}`,
      ...(has('ws-subprotocol-missing') ? [] : [`Sec-WebSocket-Protocol: ${chosen}`]),
    ],
  }
}
