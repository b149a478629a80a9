import { tracingChannel } from 'node:diagnostics_channel'
import t, { type Test } from 'tap'
import type { RequestTrace } from '../../../../../src/index.js'
import { postBytes } from '../../raw-client.js'
import { handshake, RawWebSocket, type Lines } from './raw-web-socket.js'
import { serveSockets } from './serve-sockets.js'

/** The calls of `onHandshake`, and what was traced. */
const reported: string[] = []
const traced: string[] = []

const named = await serveSockets(t, {
  cors: { origins: ['https://named.example'] },
  onHandshake: ({ method, target }, { status }) => reported.push(`${method} ${target} ${status}`),
})
tracingChannel('graphwire:request').end.subscribe((message) => {
  const { head, target, result } = message as RequestTrace
  traced.push(`${head.method} ${target} ${result?.status}`)
})

const open = await serveSockets(t, { cors: { origins: '*' } })

const longKey = Buffer.alloc(17).toString('base64')

// oxfmt-ignore
const rows: readonly [name: string, lines: Lines, status: number, headers?: RegExp][] = [
  ['a handshake',                    {}, 101, /sec-websocket-protocol: graphql-transport-ws/i],
  ['RFC 6455 1.3: its example key',  {}, 101, /sec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK\+xOo=/i],
  ['capitals in Upgrade',            { Upgrade: 'WebSocket', Connection: 'keep-alive, upgrade' }, 101],
  ['compression, which is declined', { 'Sec-WebSocket-Extensions': 'permessage-deflate' }, 101, /^(?!.*extensions)/is],
  ['another path',                   { line: 'GET /other HTTP/1.1' }, 404],
  ['another path with a bad key',    { line: 'GET /other HTTP/1.1', 'Sec-WebSocket-Key': 'x' }, 404],
  ['a query behind the path',        { line: 'GET /graphql?token=1 HTTP/1.1' }, 101],
  ['POST',                           { line: 'POST /graphql HTTP/1.1' }, 405, /allow: GET/i],
  ['HTTP/1.0',                       { line: 'GET /graphql HTTP/1.0' }, 400],
  ['version 8',                      { 'Sec-WebSocket-Version': '8' }, 426, /sec-websocket-version: 13/i],
  ['no version',                     { 'Sec-WebSocket-Version': undefined }, 426, /upgrade: websocket/i],
  ['a key of 17 bytes',              { 'Sec-WebSocket-Key': longKey }, 400],
  ['a key that is not base64',       { 'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZ===' }, 400],
  ['Proxy-Connection instead',       { Connection: undefined, 'Proxy-Connection': 'Upgrade' }, 400],
  ['Proxy-Connection besides',       { Connection: 'keep-alive', 'Proxy-Connection': 'Upgrade' }, 400],
  ['no Host',                        { Host: undefined }, 400],
  ['no subprotocol',                 { 'Sec-WebSocket-Protocol': undefined }, 400],
  ['the legacy subprotocol alone',   { 'Sec-WebSocket-Protocol': 'graphql-ws' }, 400],
  ['a subprotocol twice',            { 'Sec-WebSocket-Protocol': 'graphql-transport-ws,graphql-transport-ws' }, 400],
  ['an empty name of a subprotocol', { 'Sec-WebSocket-Protocol': 'graphql-transport-ws,,a' }, 400],
  ['its own origin',                 { Host: 'a.example', Origin: 'https://a.example' }, 101],
  ['an origin that is named',        { Origin: 'https://named.example' }, 101],
  ['an opaque origin',               { Origin: 'null' }, 403],
]

for (const [name, lines, status, headers] of rows) {
  void t.test(`${name}: ${status}`, async (t) => {
    reported.length = 0
    traced.length = 0
    const raw = await RawWebSocket.open(named.port, handshake(lines))
    const head = await raw.head()
    // Malformed requests do not reach the endpoint.
    const [method, target] = (lines['line'] ?? 'GET /graphql').split(' ')
    const expected =
      'Host' in lines && lines['Host'] === undefined ? [] : [`${method} ${target} ${status}`]
    t.same(reported, expected)
    t.same(traced, expected)
    t.match(head, new RegExp(`^HTTP/1\\.1 ${status} `))
    if (headers !== undefined) t.match(head, headers)
    if (status === 101) return
    t.match(head, /^connection: close$/im)
    const body = JSON.parse(await raw.ended()) as { errors: [{ message: string }] }
    t.type(body.errors[0].message, 'string')
  })
}

void t.test('"*" admits no other origin', async (t) => {
  for (const [origin, status] of Object.entries({
    'https://evil.example': 403,
    'http://localhost': 101,
  })) {
    const raw = await RawWebSocket.open(open.port, handshake({ Origin: origin }))
    t.match(await raw.head(), new RegExp(`^HTTP/1\\.1 ${status} `), origin)
  }
})

const [one, two] = ['127.0.0.1', '127.0.0.2'] as const

for (const option of ['maxSockets', 'maxWaitingSockets']) {
  const statusFrom = async (t: Test, limit: number, addresses: readonly string[]) => {
    const { port } = await serveSockets(t, { websocket: { [option]: limit } })
    const sockets: RawWebSocket[] = []
    const heads: string[] = []
    for (const address of addresses) {
      const raw = await RawWebSocket.open(port, handshake(), address)
      sockets.push(raw)
      heads.push((await raw.head()).slice(9))
      if (sockets.length !== addresses.length - 1) continue
      sockets[0]?.tell({ type: 'connection_init' })
      await sockets[0]?.message()
    }
    return heads
  }
  // Those that are acknowledged do not wait.
  const last = option === 'maxSockets' ? '503' : '101'

  void t.test(`beyond ${option}: 503`, async (t) => {
    const [first, second, third] = await statusFrom(t, 1, [one, two, one])
    t.match(first, /^101 /)
    t.match(second, /^503 .*retry-after: 1/is)
    t.match(third, last)
  })

  void t.test(`one client has a share of ${option}`, async (t) => {
    const heads = await statusFrom(t, 4, [one, one, one, two, one])
    const statuses = heads.map((head) => head.slice(0, 3))
    t.strictSame(statuses, ['101', '101', '503', '101', last])
  })
}

void t.test('a handshake behind a request that waits is refused after its response', async (t) => {
  const { port, sources } = await serveSockets(t)
  const raw = await RawWebSocket.open(port, postBytes('{"query":"{wait}"}') + handshake())
  while (sources.waiting === 0) await new Promise(setImmediate)
  sources.release()
  const all = `${await raw.head()}\n${await raw.ended()}`
  t.match(all, /^HTTP\/1\.1 200 .*"done".*HTTP\/1\.1 400 /s)
})

void t.test('without the option, a handshake is a GET like others', async (t) => {
  const { port } = await serveSockets(t, { websocket: false })
  const raw = await RawWebSocket.open(port, handshake())
  t.match(await raw.head(), /^HTTP\/1\.1 4\d\d /)
})
