import { randomBytes } from 'node:crypto'
import type { FrameFixture } from '../../suite/fixture.js'
import type { EventLog } from '../streaming/event-log.js'
import type { StreamReader } from '../streaming/stream-readers.js'

export const opcodes = {
  continuation: 0,
  text: 1,
  binary: 2,
  close: 8,
  ping: 9,
  pong: 10,
} as const

/** A frame to send. Nothing is checked: cases send malformed ones. */
export interface FrameToSend extends Pick<FrameFixture, 'opcode' | 'fin' | 'rsv' | 'masked'> {
  readonly payload: Uint8Array
}

/** A frame as bytes (RFC 6455 section 5.2). */
export function encodeFrame(frame: FrameToSend): Buffer {
  const { opcode, fin = true, rsv = 0, masked = true, payload } = frame
  const first = (fin ? 0x80 : 0) | (rsv << 4) | opcode
  const length = encodeLength(payload.length)
  length[0] = (length[0] ?? 0) | (masked ? 0x80 : 0)
  if (!masked) return Buffer.concat([Buffer.of(first), length, payload])
  const key = randomBytes(4)
  const content = payload.map((byte, at) => byte ^ (key[at % 4] ?? 0))
  return Buffer.concat([Buffer.of(first), length, key, content])
}

function encodeLength(length: number): Buffer {
  if (length < 126) return Buffer.of(length)
  if (length < 0x1_0000) return Buffer.of(126, length >> 8, length & 0xff)
  const bytes = Buffer.alloc(9, 127)
  bytes.writeBigUInt64BE(BigInt(length), 1)
  return bytes
}

interface WireFrame {
  readonly fin: boolean
  readonly opcode: number
  readonly payload: Buffer
}

/** Reads the frames of a server (RFC 6455 section 5) and puts its messages into a log. */
export class FrameReader implements StreamReader {
  readonly #log: EventLog
  readonly #onFrame: (opcode: number, payload: Buffer) => void
  #bytes: Buffer = Buffer.alloc(0)
  /** The message whose last fragment has not come. */
  #fragments: { readonly opcode: number; readonly parts: Buffer[] } | undefined

  /** `onFrame` is called for each ping and close. */
  constructor(log: EventLog, onFrame: (opcode: number, payload: Buffer) => void) {
    this.#log = log
    this.#onFrame = onFrame
  }

  add(chunk: Buffer): void {
    this.#bytes = Buffer.concat([this.#bytes, chunk])
    for (let frame = this.#next(); frame !== undefined; frame = this.#next()) this.#take(frame)
  }

  #next(): WireFrame | undefined {
    const bytes = this.#bytes
    if (bytes.length < 2) return undefined
    const [first = 0, second = 0] = bytes
    const isMasked = (second & 0x80) !== 0
    const short = second & 0x7f
    const lengthBytes = short === 127 ? 8 : short === 126 ? 2 : 0
    const start = 2 + lengthBytes + (isMasked ? 4 : 0)
    if (bytes.length < start) return undefined
    // Beyond safe integers, it is longer than any limit.
    const long = lengthBytes === 8 ? bytes.readBigUInt64BE(2) : short
    const length = lengthBytes === 2 ? bytes.readUInt16BE(2) : Number(long)
    if (bytes.length < start + length) return undefined
    const least = lengthBytes === 8 ? 0x1_0000 : lengthBytes === 2 ? 126 : 0
    if (length < least) this.#log.blame('the length of a frame is not minimal')
    if (isMasked) this.#log.blame('a frame of the server is masked')
    if ((first & 0x70) !== 0) this.#log.blame('a frame has reserved bits')
    this.#bytes = bytes.subarray(start + length)
    const payload = bytes.subarray(start, start + length)
    return { fin: (first & 0x80) !== 0, opcode: first & 0x0f, payload }
  }

  #take({ fin, opcode, payload }: WireFrame): void {
    if (opcode >= opcodes.close) {
      if (!fin || payload.length > 125) {
        this.#log.blame('a control frame is fragmented or longer than 125 bytes')
      }
      return this.#takeControl(opcode, payload)
    }
    if (opcode === opcodes.continuation) {
      if (this.#fragments === undefined) return this.#log.blame('a continuation without a start')
      this.#fragments.parts.push(payload)
    } else {
      if (this.#fragments !== undefined) this.#log.blame('a new message inside another one')
      this.#fragments = { opcode, parts: [payload] }
    }
    if (!fin) return
    const { opcode: kind, parts } = this.#fragments
    this.#fragments = undefined
    this.#takeMessage(kind, Buffer.concat(parts))
  }

  #takeMessage(opcode: number, payload: Buffer): void {
    const log = this.#log
    if (opcode === opcodes.text) return log.add({ kind: 'message', data: log.decode(payload) })
    if (opcode !== opcodes.binary) log.blame(`the opcode ${opcode} is reserved`)
    log.add({ kind: 'binary', data: payload.toString('hex') })
  }

  #takeControl(opcode: number, payload: Buffer): void {
    const data = payload.toString('latin1')
    if (opcode === opcodes.ping) this.#log.add({ kind: 'ping', data })
    else if (opcode === opcodes.pong) this.#log.add({ kind: 'pong', data })
    else if (opcode === opcodes.close) this.#takeClose(payload)
    else this.#log.blame(`the opcode ${opcode} is reserved`)
    this.#onFrame(opcode, payload)
  }

  /** Without a payload there is no code: RFC 6455 section 7.1.5 calls that 1005. */
  #takeClose(payload: Buffer): void {
    if (payload.length === 1) this.#log.blame('a close frame has half a code')
    const code = payload.length < 2 ? 1005 : payload.readUInt16BE(0)
    this.#log.add({ kind: 'close', data: this.#log.decode(payload.subarray(2)), code })
  }
}
