import type { HasStreamDefect } from './defects.js'

/** What a client has sent, or why the connection is to be failed. */
export type Received =
  | { readonly kind: 'text' | 'binary' | 'ping' | 'close'; readonly payload: Buffer }
  | { readonly kind: 'failure'; readonly code: number }

interface Frame {
  readonly fin: boolean
  readonly rsv: number
  readonly opcode: number
  readonly isMasked: boolean
  readonly payload: Buffer
}

/** The largest message. */
const maxBytes = 1024 * 1024

/** Reads the frames of a client. */
export class ClientFrames {
  readonly #has: HasStreamDefect
  #bytes: Buffer = Buffer.alloc(0)
  #fragments: { readonly opcode: number; readonly parts: Buffer[] } | undefined

  constructor(has: HasStreamDefect) {
    this.#has = has
  }

  /** What is complete with these bytes. */
  add(chunk: Buffer): readonly Received[] {
    this.#bytes = Buffer.concat([this.#bytes, chunk])
    const found: Received[] = []
    if (this.#bytes.length > maxBytes && !this.#has('ws-message-unlimited')) {
      return [{ kind: 'failure', code: 1009 }]
    }
    for (let frame = this.#next(); frame !== undefined; frame = this.#next()) {
      const one = this.#check(frame) ?? this.#take(frame)
      if (one !== undefined) found.push(one)
    }
    return found
  }

  #next(): Frame | undefined {
    const bytes = this.#bytes
    if (bytes.length < 2) return undefined
    const [first = 0, second = 0] = bytes
    const short = second & 0x7f
    const sizeBytes = short === 127 ? 8 : short === 126 ? 2 : 0
    const isMasked = (second & 0x80) !== 0
    const start = 2 + sizeBytes + (isMasked ? 4 : 0)
    if (bytes.length < start) return undefined
    const size =
      sizeBytes === 8
        ? Number(bytes.readBigUInt64BE(2))
        : sizeBytes === 2
          ? bytes.readUInt16BE(2)
          : short
    if (bytes.length < start + size) return undefined
    const payload = Buffer.from(bytes.subarray(start, start + size))
    const key = bytes.subarray(start - 4, start)
    if (isMasked) for (let at = 0; at < size; at++) payload[at]! ^= key[at % 4]!
    this.#bytes = bytes.subarray(start + size)
    const flags = { fin: (first & 0x80) !== 0, rsv: (first >> 4) & 7, opcode: first & 15 }
    return { ...flags, isMasked, payload }
  }

  #check({ fin, rsv, opcode, isMasked, payload }: Frame): Received | undefined {
    const has = this.#has
    const isControl = opcode >= 8
    const broken = [
      !isMasked && !has('ws-unmasked-accepted'),
      rsv !== 0 && !has('ws-rsv-accepted'),
      ![0, 1, 2, 8, 9, 10].includes(opcode) && !has('ws-opcode-accepted'),
      isControl && payload.length > 125 && !has('ws-control-long-accepted'),
      isControl && !fin && !has('ws-control-fragmented'),
      opcode === 0 && this.#fragments === undefined && !has('ws-continuation-accepted'),
      !fin && !isControl && has('ws-fragments-refused'),
    ]
    return broken.includes(true) ? { kind: 'failure', code: 1002 } : undefined
  }

  #take({ fin, opcode, payload }: Frame): Received | undefined {
    if (opcode === 8) return { kind: 'close', payload }
    if (opcode === 9) {
      if (this.#has('ws-ping-frame-resets')) this.#fragments = undefined
      return { kind: 'ping', payload }
    }
    if (opcode > 2) return undefined
    if (opcode > 0) this.#fragments = { opcode, parts: [payload] }
    else this.#fragments?.parts.push(payload)
    if (!fin || this.#fragments === undefined) return undefined
    const { opcode: kind, parts } = this.#fragments
    this.#fragments = undefined
    const message = Buffer.concat(this.#has('ws-fragments-lost') ? parts.slice(0, 1) : parts)
    if (kind === 2) return { kind: 'binary', payload: message }
    return isUtf8(message) || this.#has('ws-utf8-unchecked')
      ? { kind: 'text', payload: message }
      : { kind: 'failure', code: 1007 }
  }
}

function isUtf8(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

/** A frame of the server. */
export function encodeServerFrame(opcode: number, payload: Buffer, has: HasStreamDefect): Buffer {
  const isMasked = has('ws-frames-masked')
  const mask = isMasked ? 0x80 : 0
  const { length } = payload
  let size: Buffer
  if (length < 126 && !has('ws-long-length')) size = Buffer.of(length | mask)
  else if (length < 0x1_0000 && !has('ws-long-length')) {
    size = Buffer.of(126 | mask, length >> 8, length & 255)
  } else {
    size = Buffer.alloc(9, 127 | mask)
    size.writeBigUInt64BE(BigInt(length), 1)
  }
  // A mask of zeros changes nothing.
  return Buffer.concat([Buffer.of(0x80 | opcode), size, Buffer.alloc(isMasked ? 4 : 0), payload])
}
