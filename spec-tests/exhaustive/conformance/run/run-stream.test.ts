import { createHash } from 'node:crypto'
import type { Socket } from 'node:net'
import t, { type Test } from 'tap'
import { OpenStreams } from '../../../../src/conformance/run/run-stream.js'
import { formatTimeline, toTimeline } from '../../../../src/conformance/run/run-case.js'
import type { FixtureStep } from '../../../../src/conformance/suite/fixture.js'
import { Client } from '../../../../src/conformance/wire/send-request.js'
import type { Exchange } from '../../../../src/conformance/wire/exchange.js'
import { toTarget } from '../../../../src/conformance/wire/target.js'
import { serveTcp } from '../odd-target.js'

const head = 'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n'
const chunked = `${head}Transfer-Encoding: chunked\r\n\r\n`
const event = 'data: x\n\n'

function chunk(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
}

/** Answers the first bytes of each connection. */
function answering(answer: (socket: Socket, request: string) => void): (socket: Socket) => void {
  return (socket) => {
    socket.on('error', () => {})
    socket.once('data', (bytes: Buffer) => answer(socket, bytes.toString()))
  }
}

function accept(request: string): string {
  const key = /sec-websocket-key: (.*)\r\n/i.exec(request)?.[1] ?? ''
  const text = `${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`
  const hash = createHash('sha1').update(text).digest('base64')
  return `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${hash}\r\n\r\n`
}

/** Runs steps one after the other against a target that does as it likes. */
async function run(t: Test, behave: (socket: Socket) => void, steps: readonly FixtureStep[]) {
  const target = toTarget(await serveTcp(t, behave))
  const client = new Client(target)
  const headers = [['x-own', '1']] as const
  const own = { timeout: 300, headers, getHeaders: [] }
  const streams = new OpenStreams({ target, client, ...own })
  const exchanges: Exchange[] = []
  try {
    for (const step of steps) exchanges.push(await streams.run(step))
  } finally {
    streams.closeAll()
    client.destroy()
  }
  return exchanges
}

function kinds({ events = [] }: Exchange): string {
  return events.map(({ kind }) => kind).join(' ')
}

const open: FixtureStep = { stream: [{ open: { json: {} } }, { await: 2 }] }
const connect: FixtureStep = { socket: [{ connect: {} }, { await: 2 }] }

// oxfmt-ignore
const rows: readonly [says: string, answer: (socket: Socket, request: string) => void, step: FixtureStep, events: string, failure: RegExp | undefined][] = [
  ['a stream to its end',       (socket) => socket.end(chunked + chunk(event) + '0\r\n\r\n'),   open,    'event end', undefined],
  ['a stream that is cut off',  (socket) => socket.end(chunked + chunk(event)),                 open,    'event cut', undefined],
  ['a stream that goes on',     (socket) => socket.write(chunked + chunk(event)),               open,    'event',     undefined],
  ['JSON instead of a stream',  (socket) => socket.end('HTTP/1.1 406 No\r\nContent-Length: 2\r\n\r\n{}'), open, 'end', undefined],
  ['nothing',                   () => {},                                                       open,    '',          /no response within 300 ms/],
  ['a cut before the head',     (socket) => socket.destroy(),                                   open,    'cut',       /.+/],
  ['a socket that is refused',  (socket) => socket.end('HTTP/1.1 400 No\r\nContent-Length: 0\r\n\r\n'), connect, 'end', undefined],
  ['a socket and its messages', (socket, text) => socket.write(`${accept(text)}\u0081\u0001a`, 'latin1'), connect, 'message', undefined],
  ['a socket that ends',        (socket, text) => socket.end(`${accept(text)}\u0081\u0001a`, 'latin1'), connect, 'message end', undefined],
  ['no answer to a handshake',  () => {},                                                       connect, '',          /no response within 300 ms/],
  ['a handshake that is no HTTP', (socket) => socket.write('nonsense\r\n\r\n'),                 connect, 'cut',       /broken HTTP/],
]
for (const [says, answer, step, events, failure] of rows) {
  void t.test(`${says} is read as ${events || 'nothing'}`, async (t) => {
    const [exchange] = await run(t, answering(answer), [step])
    t.equal(exchange && kinds(exchange), events)
    if (failure === undefined) t.equal(exchange?.failure, undefined)
    else t.match(exchange?.failure, failure)
    t.match(exchange?.sent, /x-own: 1/)
  })
}

void t.test('a step sees what has come since the step before', async (t) => {
  const answer = answering((socket) => {
    socket.write(chunked + chunk(event))
    setTimeout(() => socket.write(chunk(event + event)), 20)
  })
  const first: FixtureStep = { stream: [{ open: {} }, { await: 1 }], as: 'one' }
  const exchanges = await run(t, answer, [first, { stream: [{ await: 2 }], as: 'one' }])
  t.strictSame(exchanges.map(kinds), ['event', 'event event'])
  const counts = exchanges.map(({ responses }) => responses.length)
  t.strictSame(counts, [1, 0])
  const [, second] = exchanges
  t.equal(second?.history?.events.length, 3)
})

void t.test(
  'a stream is asked for without a content coding, unless its request has another wish',
  async (t) => {
    const headers = { 'accept-encoding': 'gzip' }
    const steps = [open, { stream: [{ open: { headers } }] }]
    const exchanges = await run(t, (socket) => socket.end(`${head}\r\n`), steps)
    const sent = exchanges.map((one) => /accept-encoding: .*/.exec(one.sent)?.[0])
    t.strictSame(sent, ['accept-encoding: identity', 'accept-encoding: gzip'])
  },
)

void t.test('a step cannot go on with what no step has opened', async (t) => {
  const step: FixtureStep = { stream: [{ await: 1 }], as: 'nobody' }
  const opened = run(t, () => {}, [step])
  await t.rejects(opened, { message: 'No step has opened "nobody".' })
})

void t.test('a timeline has what was sent and came, in order, less its middle', async (t) => {
  const line = (_: unknown, at: number) => ({ kind: 'line', at, data: '[1]' }) as const
  const events = Array.from({ length: 100 }, line)
  const history = { events, notes: [{ at: 0.4, by: 'runner', text: 'opening handshake' } as const] }
  const timeline = toTimeline({ sent: '', responses: [], history }) ?? []
  t.equal(timeline.length, 61)
  t.strictSame(timeline.slice(0, 2), [
    { at: 0, by: 'target', text: 'line [1]' },
    { at: 0, by: 'runner', text: 'opening handshake' },
  ])
  t.equal(timeline[30]?.text, '(41 more)')
  const shown = formatTimeline(timeline.slice(1, 3))
  t.equal(shown, '     0 ms > opening handshake\n     1 ms < line [1]')
  t.equal(toTimeline({ sent: '', responses: [] }), undefined)
})
