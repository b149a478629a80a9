import { encodeFrame } from '../../../../src/conformance/wire/web-socket/frames.js'
import { payloadIn } from '../../hosts/node/websocket/raw-web-socket.js'
import { isMap, readJson } from './around.js'
import type { Layers, Link } from './defect.js'

/** A frame of a WebSocket, its payload as Latin-1. `first` has FIN, the reserved bits and the opcode. */
export interface Frame {
  readonly first: number
  readonly isMasked: boolean
  readonly payload: string
}

export type Message = Readonly<Record<string, unknown>>

/** A connection with a WebSocket, from the middle. */
export interface Middle {
  toClient(frame: Frame): void
  toServer(frame: Frame): void
  /** Sends bytes to the client. */
  raw(bytes: string): void
  /** Closes it in the name of the server. */
  close(code: number): void
  /** Cuts it off without a close frame. */
  cut(): void
  /** What the rows of this connection remember. */
  readonly seen: Map<unknown, unknown>
}

/** The same for messages. */
export type Rule = (message: Message, middle: Middle) => Message | undefined

/** What passes a frame on, another one, or nothing. */
type Pass = (frame: Frame, middle: Middle) => Frame | undefined

export const opcodeOf = ({ first }: Frame): number => first & 15
export const text = (payload: string): Frame => ({ first: 0x81, isMasked: false, payload })
const toMessage = (message: Message): Frame =>
  text(Buffer.from(JSON.stringify(message)).toString('latin1'))

interface Passes {
  readonly client?: Pass
  readonly server?: Pass
}

/** Stands between the frames of both sides, once the handshake is over. */
export function frames(passes: Passes, opened?: (middle: Middle) => void): Layers {
  return {
    wire: (link) => {
      const middle = toMiddle(link)
      const held = { client: '', server: '' }
      let isOpen = false
      /** Passes on what is complete. */
      const drain = (side: 'client' | 'server', bytes: string): string => {
        let passed = ''
        held[side] += bytes
        for (;;) {
          const [frame, size] = decode(held[side])
          if (frame === undefined) return passed
          const own = held[side].slice(0, size)
          held[side] = held[side].slice(size)
          const pass = passes[side]
          const next = pass ? pass(frame, middle) : frame
          if (next !== undefined) passed += next === frame ? own : encode(next)
        }
      }
      return {
        client: (bytes) => (isOpen ? drain('client', bytes) : bytes),
        server: (bytes) => {
          if (isOpen || !bytes.startsWith('HTTP/1.1 101 ')) {
            return isOpen ? drain('server', bytes) : bytes
          }
          isOpen = true
          const [head = '', rest = ''] = bytes.split(/(?<=\r\n\r\n)(.*)/s)
          link.send(head)
          opened?.(middle)
          return drain('server', rest)
        },
      }
    },
  }
}

function toMiddle(link: Link): Middle {
  return {
    toClient: (frame) => link.send(encode(frame)),
    raw: (bytes) => link.send(bytes),
    toServer: (frame) => link.pass(encode({ ...frame, isMasked: true })),
    close: (code) => {
      const payload = String.fromCharCode(code >> 8, code & 255)
      link.send(encode({ first: 0x88, isMasked: false, payload }))
      link.end()
    },
    cut: () => link.end(),
    seen: new Map(),
  }
}

/** Changes the frames of the client. */
export const fromClient = (client: Pass): Layers => frames({ client })
/** Changes the frames of the server. */
export const fromServer = (server: Pass): Layers => frames({ server })

/** Changes, drops or repeats the messages of one side. */
const messages =
  (change: Rule): Pass =>
  (frame, middle) => {
    const message = messageOf(frame)
    if (message === undefined) return frame
    const next = change(message, middle)
    if (next === message) return frame
    return next && { ...toMessage(next), isMasked: frame.isMasked }
  }

export const hears = (change: Rule): Layers => fromClient(messages(change))
export const says = (change: Rule): Layers => fromServer(messages(change))
export const hearsAndSays = (heard: Rule, said: Rule): Layers =>
  frames({ client: messages(heard), server: messages(said) })

/** Sends a message in the name of the server. */
export const say = ({ toClient }: Middle, message: Message): void => toClient(toMessage(message))

export const jsonOf = ({ payload }: Frame): unknown =>
  readJson(Buffer.from(payload, 'latin1').toString())

function messageOf(frame: Frame): Message | undefined {
  const read = frame.first === 0x81 ? jsonOf(frame) : undefined
  return isMap(read) ? read : undefined
}

/** The first frame of some bytes, and its size; undefined while it is not complete. */
function decode(bytes: string): readonly [frame: Frame | undefined, size: number] {
  const buffer = Buffer.from(bytes, 'latin1')
  const [start, end] = payloadIn(buffer) ?? [0, Infinity]
  if (buffer.length < end) return [undefined, 0]
  const [first = 0, second = 0] = buffer
  const isMasked = second > 127
  const payload = buffer.subarray(start, end)
  const key = buffer.subarray(start - 4, start)
  if (isMasked) for (let at = 0; at < payload.length; at++) payload[at]! ^= key[at % 4]!
  return [{ first, isMasked, payload: payload.toString('latin1') }, end]
}

function encode({ first, isMasked: masked, payload }: Frame): string {
  const [fin, rsv, opcode] = [first > 127, (first >> 4) & 7, first & 15]
  const bytes = Buffer.from(payload, 'latin1')
  return encodeFrame({ fin, rsv, opcode, masked, payload: bytes }).toString('latin1')
}
