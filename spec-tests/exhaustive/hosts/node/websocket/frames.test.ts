import t from 'tap'
import { opcodes } from '../../../../../src/conformance/wire/web-socket/frames.js'
import { init, RawWebSocket, subscribe, text, type Frame } from './raw-web-socket.js'
import { acknowledged, serveSockets, until } from './serve-sockets.js'

const { port, sources } = await serveSockets(t, { websocket: { maxMessageBytes: 2048 } })

const empty = Buffer.alloc(0)
const ping = text({ type: 'ping' })
const { close, continuation } = opcodes

/** What no case of the suite `websocket` sends, and a close frame. */
// oxfmt-ignore
const rows: readonly [name: string, frames: readonly Frame[], code: number][] = [
  ['5.4: a message within a message',     [{ ...ping, fin: false }, ping], 1002],
  ['8.1: a reason that is not UTF-8',     [{ opcode: close, payload: Buffer.from([3, 0xe8, 0xff]) }], 1007],
  ['fragments that are too long together', [{ ...text('"'), fin: false }, { opcode: continuation, payload: Buffer.alloc(2048) }], 1009],
  ['too many fragments',                  [{ ...text('"'), fin: false }, ...Array.from({ length: 70 }, () => ({ opcode: continuation, payload: empty, fin: false }))], 1008],
]

for (const [name, frames, code] of rows) {
  void t.test(`${name}: ${code}`, async (t) => {
    const raw = await acknowledged(port)
    raw.tell(subscribe('stream', 'subscription { silent }'))
    await until(() => sources.open > 0)
    raw.send(...frames)
    t.equal((await raw.closed())[0], code)
    // At once: nothing waits for the client to close as well.
    t.equal(sources.open, 0, 'sources are returned')
  })
}

void t.test('the first messages may come with the handshake', async (t) => {
  const raw = await RawWebSocket.open(port)
  raw.tell(init, subscribe('1', '{ echo(text: "early") }'))
  await raw.head()
  t.match(await raw.message(), { type: 'connection_ack' })
  t.match(await raw.message(), { payload: { data: { echo: 'early' } } })
})

void t.test('many pings in a packet, as a network sends them that was away', async (t) => {
  const raw = await acknowledged(port)
  const pings = Array.from({ length: 20 }, (_, at) => Buffer.from(`ping ${at}`))
  raw.send(...pings.map((payload) => ({ opcode: opcodes.ping, payload })))
  t.match(await raw.next(), { opcode: opcodes.pong, payload: pings.at(-1) }, 'the newest')
})
