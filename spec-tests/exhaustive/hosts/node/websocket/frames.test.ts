import t from 'tap'
import {
  handshake,
  init,
  opcodes,
  RawWebSocket,
  subscribe,
  text,
  toBytes,
  type Frame,
} from './raw-web-socket.js'
import { serveSockets, until } from './serve-sockets.js'

const { port, sources } = await serveSockets(t, { websocket: { maxMessageBytes: 2048 } })

async function acknowledged(): Promise<RawWebSocket> {
  const raw = await RawWebSocket.open(port)
  await raw.init()
  return raw
}

const empty = Buffer.alloc(0)
const ping = text({ type: 'ping' })
const { close, continuation, binary } = opcodes

function closing(code: number, reason = ''): Frame {
  return {
    opcode: close,
    payload: Buffer.concat([Buffer.from([code >> 8, code & 255]), Buffer.from(reason)]),
  }
}

type Row = [name: string, frames: readonly Frame[], code: number, reason?: string]

// oxfmt-ignore
const rows: readonly Row[] = [
  // RFC 6455.
  ['5.1: an unmasked frame',              [{ ...ping, isMasked: false }], 1002],
  ['5.2: a reserved bit',                 [{ ...ping, rsv: 0x40 }], 1002],
  ['5.2: an unknown opcode',              [{ opcode: 3, payload: empty }], 1002],
  ['5.4: a continuation of nothing',      [{ opcode: continuation, payload: empty }], 1002],
  ['5.4: a message within a message',     [{ ...ping, fin: false }, ping], 1002],
  ['5.5: a ping of 126 bytes',            [{ opcode: opcodes.ping, payload: Buffer.alloc(126) }], 1002],
  ['5.5: a ping in fragments',            [{ opcode: opcodes.ping, payload: empty, fin: false }], 1002],
  ['5.5.1: a close frame is echoed',      [closing(1000)], 1000],
  ['5.5.1: one without a code',           [{ opcode: close, payload: empty }], 1005],
  ['5.5.1: one of a single byte',         [{ opcode: close, payload: Buffer.from([3]) }], 1002],
  ['7.4.1: a code that is never sent',    [closing(1005)], 1002],
  ['8.1: a message that is not UTF-8',    [{ opcode: opcodes.text, payload: Buffer.from([0x22, 0xff, 0x22]) }], 1007],
  ['8.1: a reason that is not UTF-8',     [{ opcode: close, payload: Buffer.from([3, 0xe8, 0xff]) }], 1007],
  ['a message that is too long',          [text(`"${'x'.repeat(2048)}"`)], 1009],
  ['fragments that are too long together', [{ ...text('"'), fin: false }, { opcode: continuation, payload: Buffer.alloc(2048) }], 1009],
  ['too many fragments',                  [{ ...text('"'), fin: false }, ...Array.from({ length: 70 }, () => ({ opcode: continuation, payload: empty, fin: false }))], 1008],
  // The protocol of messages.
  ['a binary message',                    [{ ...ping, opcode: binary }], 4400, 'A message must be text'],
  ['a message that is not JSON',          [text('{')], 4400, 'A message must be JSON'],
  ['a list of messages',                  [text([{ type: 'ping' }])], 4400, 'A message must be a JSON object'],
  ['an unknown type',                     [text({ type: 'start', id: '1' })], 4400],
  ['an id that is a number',              [text({ type: 'complete', id: 1 })], 4400],
  ['a second init',                       [text(init)], 4429, 'Too many initialisation requests'],
  ['an id that is running',               [text(subscribe('a', 'subscription { silent }')), text(subscribe('a', '{ wait }'))], 4409, 'Subscriber for a already exists'],
  ['a long id of such, cut to 123 bytes', [text(subscribe('é'.repeat(128), 'subscription { silent }')), text(subscribe('é'.repeat(128), '{ wait }'))], 4409, `Subscriber for ${'é'.repeat(54)}`],
]

for (const [name, frames, code, reason] of rows) {
  void t.test(`${name}: ${code}`, async (t) => {
    const raw = await acknowledged()
    raw.tell(subscribe('stream', 'subscription { silent }'))
    await until(() => sources.open > 0)
    raw.send(...frames)
    const [got, why] = code === 1005 ? [await emptyClose(raw), ''] : await raw.closed()
    t.equal(got, code)
    if (reason !== undefined) t.equal(why, reason)
    // At once: nothing waits for the client to close as well.
    t.equal(sources.open, 0, 'sources are returned')
    raw.socket.destroy()
  })
}

/** 1005 stands for a close frame without a code, and is never sent. */
async function emptyClose(raw: RawWebSocket): Promise<number> {
  const frame = await raw.next()
  return frame?.opcode === close && frame.payload.length === 0 ? 1005 : 0
}

void t.test('before the ack', async (t) => {
  const rowsBefore: [name: string, messages: readonly object[], code: number][] = [
    ['subscribe', [subscribe('1', '{ wait }')], 4401],
    [
      'subscribe behind init, whose credentials are being checked',
      [init, subscribe('1', '{ wait }')],
      4401,
    ],
    ['init twice in a packet', [init, init], 4429],
  ]
  const slow = await serveSockets(t, {
    authenticate: async () => {
      await new Promise(setImmediate)
      return { ok: true, value: 'me' }
    },
  })
  for (const [name, messages, code] of rowsBefore) {
    const raw = await RawWebSocket.open(slow.port)
    await raw.head()
    raw.tell(...messages)
    t.equal((await raw.closed())[0], code, name)
    raw.socket.destroy()
  }
})

void t.test('a message in fragments, with a ping in between', async (t) => {
  const raw = await acknowledged()
  const whole = Buffer.from(JSON.stringify(subscribe('1', '{ echo(text: "é") }')))
  const at = whole.indexOf('é') + 1
  raw.send(
    { opcode: opcodes.text, payload: whole.subarray(0, at), fin: false },
    { opcode: opcodes.ping, payload: Buffer.from('now') },
    { opcode: continuation, payload: whole.subarray(at) },
  )
  t.match(await raw.message(), { id: '1', payload: { data: { echo: 'é' } } })
  t.match(await raw.message(), { id: '1', type: 'complete' })
  t.match(await raw.next(), { opcode: opcodes.pong, payload: Buffer.from('now') })
  raw.socket.destroy()
})

void t.test('messages behind the end of the session are ignored', async (t) => {
  const raw = await acknowledged()
  const before = sources.added
  const late = text(subscribe('1', 'mutation { add }'))
  raw.socket.write(Buffer.concat([text('{'), late, late].map(toBytes)))
  t.equal((await raw.closed())[0], 4400)
  raw.send(closing(4400))
  t.equal(await raw.ended(), '')
  t.equal(sources.added, before)
})

void t.test('the first messages may come with the handshake', async (t) => {
  const raw = await RawWebSocket.open(port, handshake())
  raw.tell(init)
  raw.tell(subscribe('1', '{ echo(text: "early") }'))
  await raw.head()
  t.match(await raw.message(), { type: 'connection_ack' })
  t.match(await raw.message(), { payload: { data: { echo: 'early' } } })
  raw.socket.destroy()
})

void t.test('many pings in a packet, as a network sends them that was away', async (t) => {
  const raw = await acknowledged()
  const pings = Array.from({ length: 20 }, (_, at) => Buffer.from(`ping ${at}`))
  raw.send(...pings.map((payload) => ({ opcode: opcodes.ping, payload })))
  t.match(await raw.next(), { opcode: opcodes.pong, payload: pings.at(-1) }, 'the newest')
  raw.socket.destroy()
})
