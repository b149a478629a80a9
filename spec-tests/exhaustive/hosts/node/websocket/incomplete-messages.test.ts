import t from 'tap'
import { encodeFrame, opcodes } from '../../../../../src/conformance/wire/web-socket/frames.js'
import { handshake, init, RawWebSocket, text } from './raw-web-socket.js'
import { serveSockets } from './serve-sockets.js'

/** A client may hold half. */
const websocket = { maxPendingBytes: 300_000 }
const part = { ...text('x'.repeat(100_000)), fin: false }
const end = { opcode: opcodes.continuation, payload: Buffer.alloc(0) }
const ping = { opcode: opcodes.ping, payload: Buffer.from('here') }

/** A socket that has sent something, which has been read. */
async function holding(port: number, bytes: Buffer, address: string): Promise<RawWebSocket> {
  const raw = await RawWebSocket.open(port, handshake(), address)
  await raw.head()
  raw.tell(init)
  await raw.message()
  raw.socket.write(bytes)
  return raw
}

// oxfmt-ignore
const parts: readonly [name: string, bytes: Buffer][] = [
  ['a fragment',   encodeFrame(part)],
  ['fragments',    Buffer.concat([{ ...part, payload: part.payload.subarray(1) }, { ...end, fin: false, payload: Buffer.from('x') }].map(encodeFrame))],
  ['half a frame', encodeFrame({ ...part, payload: Buffer.alloc(200_000, 'x') }).subarray(0, 100_000)],
]

for (const [name, bytes] of parts) {
  void t.test(`incomplete messages have a budget: ${name}`, async (t) => {
    const { port } = await serveSockets(t, { websocket })
    const first = await holding(port, bytes, '127.0.0.1')
    const second = await holding(port, bytes, '127.0.0.1')
    const refused = await Promise.race([first.closed(), second.closed()])
    t.same(refused, [1008, 'Too many messages'])
    const other = await holding(port, Buffer.concat([bytes, encodeFrame(ping)]), '127.0.0.2')
    if (name !== 'half a frame') t.equal((await other.next())?.opcode, opcodes.pong)
  })
}

void t.test('there is room again for what is complete, or whose socket has closed', async (t) => {
  const { port } = await serveSockets(t, { websocket })
  const whole = text({ type: 'ping', payload: { text: 'x'.repeat(100_000) } })
  const halves = [
    { ...whole, fin: false, payload: whole.payload.subarray(0, 90_000) },
    { ...end, payload: whole.payload.subarray(90_000) },
  ]
  for (let round = 0; round < 5; round += 1) {
    const raw = await holding(port, Buffer.concat(halves.map(encodeFrame)), '127.0.0.1')
    t.match(await raw.message(), { type: 'pong' })
    raw.send(...halves)
    t.match(await raw.message(), { type: 'pong' })
    raw.send(part, ping)
    t.equal((await raw.next())?.opcode, opcodes.pong)
    raw.socket.resetAndDestroy()
  }
})
