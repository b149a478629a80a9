import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { Received } from '../../received.js'

export interface Frame {
  readonly opcode: number
  readonly payload: Buffer
  readonly fin?: boolean
  /** The three reserved bits: 0x40, 0x20, 0x10. */
  readonly rsv?: number
  readonly isMasked?: boolean
  /** The length that the head states, if it is another. */
  readonly stated?: bigint
}

export const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const

export function toBytes(frame: Frame): Buffer {
  const { opcode, payload, fin = true, rsv = 0, isMasked = true } = frame
  const { stated = BigInt(payload.length) } = frame
  const length = Number(stated)
  const size =
    length < 126 ? [length] : length < 65_536 ? [126, length >> 8, length & 255] : long(stated)
  const first = (fin ? 0x80 : 0) | rsv | opcode
  if (!isMasked) return Buffer.concat([Buffer.from([first, ...size]), payload])
  const mask = [1, 2, 3, 4]
  const [marker = 0, ...rest] = size
  const masked = payload.map((byte, at) => byte ^ (mask[at % 4] as number))
  return Buffer.concat([Buffer.from([first, marker | 0x80, ...rest, ...mask]), masked])
}

function long(length: bigint): number[] {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64BE(length)
  return [127, ...bytes]
}

/** The head of a handshake, some lines of which may be replaced or left out. */
export function handshake(lines: { readonly [name: string]: string | undefined } = {}): string {
  const { line = 'GET /graphql HTTP/1.1', ...others } = lines
  const all: { readonly [name: string]: string | undefined } = {
    Host: 'localhost',
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
    'Sec-WebSocket-Protocol': 'graphql-transport-ws',
    ...others,
  }
  const fields = Object.entries(all).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}: ${value}`],
  )
  return [line, ...fields, '', ''].join('\r\n')
}

/** A WebSocket that sends the bytes it is told to. */
export class RawWebSocket {
  readonly socket: Socket
  readonly #received: Received

  /** Connects to a port of the loopback, or to a Unix domain socket. */
  static async open(
    place: number | string,
    head: string = handshake(),
    localAddress = '127.0.0.1',
  ): Promise<RawWebSocket> {
    const socket =
      typeof place === 'number'
        ? connect({ port: place, host: '127.0.0.1', localAddress })
        : connect(place)
    await once(socket, 'connect')
    const raw = new RawWebSocket(socket)
    socket.write(head)
    return raw
  }

  constructor(socket: Socket) {
    this.socket = socket
    this.#received = new Received(socket)
  }

  send(...frames: readonly Frame[]): void {
    this.socket.write(Buffer.concat(frames.map(toBytes)))
  }

  tell(...messages: readonly object[]): void {
    this.send(...messages.map(text))
  }

  close(code: number): void {
    this.send({ opcode: opcodes.close, payload: Buffer.from([code >> 8, code & 255]) })
  }

  async head(): Promise<string> {
    const head = await this.#received.next((bytes) => {
      const end = bytes.indexOf('\r\n\r\n')
      return end < 0 ? undefined : { item: bytes.toString('latin1', 0, end), size: end + 4 }
    })
    return head ?? ''
  }

  /** The next frame; undefined when the connection ends before it. */
  next(): Promise<Frame | undefined> {
    return this.#received.next((bytes) => this.#parse(bytes))
  }

  /** The next message, as JSON; undefined at the end. Pings are left out. */
  async message(): Promise<{ readonly [name: string]: unknown } | undefined> {
    for (;;) {
      const frame = await this.next()
      if (frame?.opcode === opcodes.ping) continue
      if (frame?.opcode !== opcodes.text) return undefined
      return JSON.parse(frame.payload.toString()) as { readonly [name: string]: unknown }
    }
  }

  /** The code and the reason of the next close frame. */
  async closed(): Promise<readonly [code: number | undefined, reason: string]> {
    for (;;) {
      const frame = await this.next()
      if (frame === undefined) return [undefined, '']
      if (frame.opcode !== opcodes.close) continue
      return [frame.payload.readUInt16BE(0), frame.payload.subarray(2).toString()]
    }
  }

  /** Resolves when the server has closed the connection, with what came before. */
  ended(): Promise<string> {
    return this.#received.ended()
  }

  async init(): Promise<void> {
    await this.head()
    this.tell({ type: 'connection_init' })
    await this.message()
  }

  #parse(bytes: Buffer): { item: Frame; size: number } | undefined {
    if (bytes.length < 2) return undefined
    const [first = 0, marker = 0] = bytes
    const extra = marker === 126 ? 2 : marker === 127 ? 8 : 0
    if (bytes.length < 2 + extra) return undefined
    const length =
      extra === 2 ? bytes.readUInt16BE(2) : extra === 8 ? Number(bytes.readBigUInt64BE(2)) : marker
    const size = 2 + extra + length
    this.#received.needed = size
    if (bytes.length < size) return undefined
    const payload = bytes.subarray(2 + extra, size)
    return { item: { opcode: first & 15, fin: first > 127, payload }, size }
  }
}

export function text(message: object | string): Frame {
  const json = typeof message === 'string' ? message : JSON.stringify(message)
  return { opcode: opcodes.text, payload: Buffer.from(json) }
}

export const init = { type: 'connection_init' }

export function subscribe(id: string, query: string): object {
  return { id, type: 'subscribe', payload: { query } }
}
