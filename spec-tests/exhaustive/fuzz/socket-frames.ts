import { opcodes, type Frame } from '../hosts/node/websocket/raw-web-socket.js'
import type { Random } from '../../fuzz/random.js'
import { echo, silent } from './references/expect-socket.js'

/** How a client goes: by a close frame, FIN or a reset. */
export type Leave = (typeof leaves)[number]
const leaves = ['close', 'fin', 'reset'] as const

/** What a client sends, in pieces of so many bytes, before it goes. */
export interface SocketInput {
  readonly frames: readonly Frame[]
  readonly pieceBytes: number
  readonly leave: Leave
}

const { continuation, text, binary, close, ping, pong } = opcodes

export function makeSocketInput(random: Random): SocketInput {
  const frames: Frame[] = []
  // Most begin as they should, or little else would be reached.
  if (random.chance(0.85)) frames.push(toFrame({ type: 'connection_init' }))
  while (frames.length < 40 && random.chance(0.88)) frames.push(...makeFrames(random))
  return {
    frames,
    pieceBytes: random.pick([1_000_000, 1_000_000, 200, 7]),
    leave: random.pick(leaves),
  }
}

function makeFrames(random: Random): Frame[] {
  const frames = random.chance(0.8) ? makeMessage(random) : [makeControl(random)]
  if (random.chance(0.04)) return frames.map((frame) => breakFrame(random, frame))
  return frames
}

/** A message, in one frame or in fragments, with control frames between them. */
function makeMessage(random: Random): Frame[] {
  const opcode = random.chance(0.02) ? binary : text
  const payload = makePayload(random)
  if (!random.chance(0.2)) return [{ opcode, payload }]
  const count = random.chance(0.05) ? 70 : 1 + random.below(8)
  const size = Math.ceil(payload.length / count)
  return Array.from({ length: count }, (_, at) => {
    const frame = {
      opcode: at === 0 ? opcode : continuation,
      payload: payload.subarray(at * size, (at + 1) * size),
      fin: at === count - 1,
    }
    return random.chance(0.1) ? [makeControl(random), frame] : [frame]
  }).flat()
}

function makePayload(random: Random): Buffer {
  const payload = Buffer.from(makeText(random))
  if (payload.length > 0 && random.chance(0.03)) {
    payload[random.below(payload.length)] = random.pick([0, 0x80, 0xc0, 0xff])
  }
  return payload
}

const ids = ['1', '2', 'é', '__proto__', '"', 'x'.repeat(128)]

function makeText(random: Random): string {
  const id = random.pick(ids)
  const query = random.pick([echo, echo, silent, silent, '{ nope }', '{', ''])
  const payload = random.pick([undefined, null, {}, { a: [1, 'é'] }])
  // oxfmt-ignore
  const messages: readonly (() => unknown)[] = [
    () => ({ id, type: 'subscribe', payload: { query } }),
    () => ({ id, type: 'complete' }),
    () => ({ type: 'ping', payload }),
    () => ({ type: 'pong', payload }),
  ]
  if (!random.chance(0.06)) return JSON.stringify(random.pick(messages)())
  // oxfmt-ignore
  return random.pick([
    '', '{', 'null', '[]', '1', '"a"', '{}', '[{"type":"ping"}]', '{"type":"ping"}}', '\u{feff}{"type":"ping"}',
    '{"type":"connection_init"}', '{"type":"connection_init","payload":[]}', '{"type":"ping","payload":1}',
    '{"type":"start","id":"1"}', '{"type":"complete"}', '{"type":"complete","id":1}', '{"type":"complete","id":""}',
    `{"type":"complete","id":"${'x'.repeat(129)}"}`, '{"type":"subscribe","id":"1"}',
    '{"type":"subscribe","id":"1","payload":{"query":1}}', '{"type":"subscribe","id":"1","payload":[]}',
    '{"type":"__proto__"}', '{"__proto__":{"type":"ping"}}', '{"type":"ping","type":"pong"}',
    `{"type":"pong","payload":{"a":"${'x'.repeat(random.pick([900, 2000]))}"}}`,
  ])
}

function makeControl(random: Random): Frame {
  const payload = Buffer.from('x'.repeat(random.pick([0, 1, 125])))
  if (!random.chance(0.1)) return { opcode: random.pick([ping, pong]), payload }
  const code = random.pick([
    1000, 1001, 1003, 1014, 3000, 4999, 0, 999, 1004, 1005, 1006, 1015, 2999, 5000, 65_535,
  ])
  const reason = random.pick([Buffer.alloc(0), Buffer.from('é'), Buffer.from([0xff])])
  const both = Buffer.concat([Buffer.from([code >> 8, code & 255]), reason])
  return {
    opcode: close,
    payload: random.pick([both, both, both, Buffer.alloc(0), Buffer.from([3])]),
  }
}

function breakFrame(random: Random, frame: Frame): Frame {
  const { payload } = frame
  // oxfmt-ignore
  const ways: readonly (() => Frame)[] = [
    () => ({ ...frame, rsv: random.pick([0x40, 0x20, 0x10]) }),
    () => ({ ...frame, opcode: random.below(16) }),
    () => ({ ...frame, fin: !(frame.fin ?? true) }),
    () => ({ ...frame, isMasked: false }),
    () => ({ ...frame, stated: BigInt(payload.length + random.pick([1, 100])) }),
    () => ({ ...frame, stated: random.pick([2n ** 16n, 2n ** 32n, 2n ** 53n, 2n ** 63n, 2n ** 64n - 1n]) }),
  ]
  return random.pick(ways)()
}

function toFrame(message: object): Frame {
  return { opcode: text, payload: Buffer.from(JSON.stringify(message)) }
}
