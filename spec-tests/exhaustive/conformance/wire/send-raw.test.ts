import type { Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import t, { type Test } from 'tap'
import type { Exchange } from '../../../../src/conformance/wire/exchange.js'
import type { RawOperation } from '../../../../src/conformance/suite/fixture.js'
import { sendRaw } from '../../../../src/conformance/wire/send-raw.js'
import { toTarget } from '../../../../src/conformance/wire/target.js'
import { certificate, listenFor } from '../../../hosts/start-node.js'
import { serveTcp } from '../odd-target.js'

/** What a server does with a connection; `received` grows as bytes come. */
type Behaviour = (socket: Socket, received: Buffer[]) => unknown
type Operations = readonly RawOperation[]

/** The exchange with a server that behaves in that way, and what the server got. */
async function exchangeWith(
  t: Test,
  behave: Behaviour,
  operations: Operations,
  { responses = 1, timeout = 2000 } = {},
) {
  const received: Buffer[] = []
  const url = await serveTcp(t, (socket) => {
    socket.on('data', (chunk: Buffer) => received.push(chunk))
    behave(socket, received)
  })
  const options = { operations, responses, timeout }
  const exchange = await sendRaw(toTarget(url), options)
  const { failure, connection } = exchange
  const bodies = bodiesOf(exchange)
  return { failure, connection, bodies, received: String(Buffer.concat(received)) }
}

function bodiesOf({ responses }: Exchange): readonly string[] {
  return responses.map(({ body }) => String(Buffer.from(body)))
}

const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi'

/** Answers once when as many bytes have come. */
function answerAfter(bytes: number, text = answer): Behaviour {
  return (socket, received) =>
    socket.on('data', () => {
      if (Buffer.concat(received).length >= bytes) socket.write(text)
    })
}

/** Answers at once, and closes. */
function endWith(text: string): Behaviour {
  return (socket) => socket.once('data', () => socket.end(text))
}

/** Answers before the body has come, and does not read it. */
const answerEarly: Behaviour = (socket) =>
  socket.once('data', () => {
    socket.write(answer)
    socket.pause()
  })

/** Sends 100, and the answer when more has come. */
const continueFirst: Behaviour = (socket) =>
  socket.once('data', () => {
    socket.write('HTTP/1.1 100 Continue\r\n\r\n')
    socket.once('data', () => socket.write(answer))
  })

/** Answers when the client has closed its side. */
const answerAtEnd: Behaviour = (socket) => socket.once('end', () => socket.end(answer))

void t.test('sends text, bytes, repetitions and chunks as they are', async (t) => {
  const operations: RawOperation[] = [
    { text: 'é' },
    { hex: '00 ff' },
    { repeat: { text: 'ab', times: 2 } },
    { chunk: { text: 'é' } },
    { chunk: { hex: '0a' } },
    { chunk: 'end' },
  ]
  const text = 'abab2\r\né\r\n1\r\n\n\r\n0\r\n\r\n'
  const wanted = Buffer.concat([Buffer.from('é'), Buffer.of(0, 255), Buffer.from(text)])
  const found = await exchangeWith(t, answerAfter(wanted.length), operations)
  const received = wanted.toString()
  t.strictSame(found, { received, bodies: ['hi'], failure: undefined, connection: 'open' })
})

const x: Operations = [{ text: 'x' }]
const head: Operations = [{ text: 'HEAD / HTTP/1.1\r\n\r\n' }]
const between = (...waits: Operations): Operations => [{ text: 'a' }, ...waits, { text: 'b' }]

// oxfmt-ignore
const rows: readonly [title: string, behave: Behaviour, operations: Operations, found: object, more?: object][] = [
  ['a connection that was closed after the response', endWith(answer),        x, { connection: 'closed', failure: undefined }],
  ['more responses than were wanted',        answerAfter(1, answer + answer), x, { bodies: ['hi', 'hi'], failure: undefined }],
  ['an interim response, which is none of them', continueFirst, between({ sleep: 30 }, { awaitInterim: 500 }), { received: 'ab', bodies: ['hi'] }],
  [
    'no interim response: nothing more is sent',
    answerAfter(2),
    between({ awaitInterim: 50 }),
    { failure: 'no interim or final response within 50 ms', received: 'a' },
  ],
  ['no response: nothing more is sent',      answerAfter(2), between({ awaitResponse: 50 }), { failure: 'no response within 50 ms', received: 'a' }],
  [
    'a response from before it was waited for',
    answerAfter(1),
    between({ sleep: 50 }, { awaitResponse: 50 }),
    { received: 'ab', bodies: ['hi', 'hi'], failure: undefined },
    { responses: 2 },
  ],
  ['a response that never comes',            () => {},                        x, { failure: 'timed out', connection: 'open' }, { timeout: 60 }],
  ['no HTTP',                                endWith('hello\r\n\r\n'),        x, { failure: /^broken HTTP: no valid status line/ }],
  ['half a response',                        endWith(answer.slice(0, -1)),    x, { failure: /^the connection was closed$/ }],
  ['bytes that follow a response and are none', endWith(`${answer}!`),        x, { failure: /^unexpected bytes after the/ }],
  ['the body of an answer to HEAD',          answerAfter(1),               head, { failure: /: hi$/ }],
  ['an answer after a half-close',           answerAtEnd, [...x, { halfClose: true }], { bodies: ['hi'] }],
]
for (const [title, behave, operations, found, more] of rows) {
  void t.test(`reads ${title}`, async (t) => {
    t.match(await exchangeWith(t, behave, operations, more), found)
  })
}

void t.test('an answer stops a big body, and is not lost', async (t) => {
  const times = 8 * 1024 * 1024
  const operations = [{ repeat: { text: 'a', times } }, { text: 'end' }]
  const found = await exchangeWith(t, answerEarly, operations)
  t.strictSame(found.bodies, ['hi'])
  t.ok(found.received.length < times)
})

void t.test('a reset reaches the server as one', async (t) => {
  let code: string | undefined
  const behave: Behaviour = (socket) =>
    socket.on('error', (error: NodeJS.ErrnoException) => (code = error.code))
  const operations: Operations = [...x, { sleep: 20 }, { reset: true }]
  const found = await exchangeWith(t, behave, operations, { responses: 0 })
  t.strictSame([code, found.failure, found.connection], ['ECONNRESET', undefined, 'closed'])
})

void t.test('a connection that cannot be made is a failure', async (t) => {
  const step = { operations: x, responses: 1, timeout: 500 }
  t.match((await sendRaw(toTarget('http://127.0.0.1:1/'), step)).failure, /ECONNREFUSED/)
})

// oxfmt-ignore
const secure: readonly [insecure: boolean, last: RawOperation, responses: number, found: string][] = [
  [true,  { halfClose: true }, 1, 'localhost  closed hi'],
  [false, { halfClose: true }, 1, ' DEPTH_ZERO_SELF_SIGNED_CERT: self-signed certificate closed'],
  [true,  { reset: true },     0, 'localhost  closed'],
]
for (const [insecure, last, responses, expected] of secure) {
  const title = `${insecure ? 'ignoring' : 'checking'} the certificate`
  void t.test(`TLS, ${title}, to ${Object.keys(last).join()}`, async (t) => {
    let servername: string | false | null | undefined
    const server = createTlsServer({ ...certificate, allowHalfOpen: true }, (socket) => {
      servername = socket.servername
      socket.on('error', () => {})
      socket.resume().once('end', () => socket.end(answer))
    })
    server.on('tlsClientError', () => {})
    const target = toTarget(`https://localhost:${await listenFor(t, server)}/`, insecure)
    const operations = [...x, last]
    const found = await sendRaw(target, { operations, responses, timeout: 2000 })
    const { failure, connection } = found
    t.equal([servername, failure, connection, ...bodiesOf(found)].join(' '), expected)
  })
}
