import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** A frame as it is on the wire. */
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
  #chunks: Buffer[] = []
  #size = 0
  /** How many bytes make the next step: joining the chunks for each would take long. */
  #needed = 0
  #isOver = false
  #changed: (() => void) | undefined

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
    const over = (): void => {
      this.#isOver = true
      this.#changed?.()
    }
    socket.on('data', (chunk) => {
      this.#chunks.push(chunk)
      this.#size += chunk.length
      if (this.#size >= this.#needed) this.#changed?.()
    })
    socket.on('error', () => undefined)
    socket.on('end', over).on('close', over)
  }

  get #received(): Buffer {
    const joined = Buffer.concat(this.#chunks)
    this.#chunks = [joined]
    return joined
  }

  set #received(rest: Buffer) {
    this.#chunks = [rest]
    this.#size = rest.length
    this.#needed = 0
  }

  send(...frames: readonly Frame[]): void {
    this.socket.write(Buffer.concat(frames.map(toBytes)))
  }

  /** Sends messages, all in one packet. */
  tell(...messages: readonly object[]): void {
    this.send(...messages.map(text))
  }

  /** Sends a close frame. */
  close(code: number): void {
    this.send({ opcode: opcodes.close, payload: Buffer.from([code >> 8, code & 255]) })
  }

  /** The head of the response to the handshake. */
  async head(): Promise<string> {
    for (;;) {
      const end = this.#received.indexOf('\r\n\r\n')
      if (end >= 0) {
        const head = this.#received.subarray(0, end).toString('latin1')
        this.#received = this.#received.subarray(end + 4)
        return head
      }
      if (this.#isOver) return ''
      await this.#change()
    }
  }

  /** The next frame; undefined when the connection ends before it. */
  async next(): Promise<Frame | undefined> {
    for (;;) {
      const frame = this.#parse()
      if (frame !== undefined || this.#isOver) return frame
      await this.#change()
    }
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
  async ended(): Promise<string> {
    while (!this.#isOver) await this.#change()
    return this.#received.toString('latin1')
  }

  /** Opens the connection of the protocol. */
  async init(): Promise<void> {
    await this.head()
    this.tell({ type: 'connection_init' })
    await this.message()
  }

  #change(): Promise<void> {
    return new Promise((resolve) => (this.#changed = resolve))
  }

  #parse(): Frame | undefined {
    const bytes = this.#received
    if (bytes.length < 2) return undefined
    const [first = 0, marker = 0] = bytes
    const extra = marker === 126 ? 2 : marker === 127 ? 8 : 0
    if (bytes.length < 2 + extra) return undefined
    const length =
      extra === 2 ? bytes.readUInt16BE(2) : extra === 8 ? Number(bytes.readBigUInt64BE(2)) : marker
    const end = 2 + extra + length
    if (bytes.length < end) {
      this.#needed = end
      return undefined
    }
    this.#received = bytes.subarray(end)
    return { opcode: first & 15, fin: first > 127, payload: bytes.subarray(2 + extra, end) }
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
