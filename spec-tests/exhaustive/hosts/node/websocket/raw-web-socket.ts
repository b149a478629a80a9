import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { encodeFrame, opcodes } from '../../../../../src/conformance/wire/web-socket/frames.js'
import type { FrameToSend } from '../../../../../src/conformance/wire/web-socket/frames.js'
import { Received } from '../../received.js'

export type Frame = FrameToSend & { readonly payload: Buffer }

export type Lines = { readonly [name: string]: string | undefined }

/** The head of a handshake, some lines of which may be replaced or left out. */
export function handshake(lines: Lines = {}): string {
  const { line = 'GET /graphql HTTP/1.1', ...others } = lines
  const all: Lines = {
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

  send(...frames: readonly FrameToSend[]): void {
    this.socket.write(Buffer.concat(frames.map(encodeFrame)))
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
    const [start, size] = payloadIn(bytes) ?? [0, 0]
    this.#received.needed = size
    if (size === 0 || bytes.length < size) return undefined
    const [first = 0] = bytes
    const payload = bytes.subarray(start, size)
    return { item: { opcode: first & 15, fin: first > 127, payload }, size }
  }
}

/** Where the payload of the first frame begins and ends; undefined while its head is not whole. */
export function payloadIn(bytes: Buffer): readonly [start: number, end: number] | undefined {
  const [, second = 0] = bytes
  const short = second & 127
  const extra = short === 127 ? 8 : short === 126 ? 2 : 0
  const start = 2 + extra + (second > 127 ? 4 : 0)
  if (bytes.length < start) return undefined
  if (extra === 0) return [start, start + short]
  return [start, start + bytes.readUIntBE(extra === 2 ? 2 : 4, extra === 2 ? 2 : 6)]
}

export function text(message: object | string): Frame {
  const json = typeof message === 'string' ? message : JSON.stringify(message)
  return { opcode: opcodes.text, payload: Buffer.from(json) }
}

export const init = { type: 'connection_init' }

export function subscribe(id: string, query: string): object {
  return { id, type: 'subscribe', payload: { query } }
}
