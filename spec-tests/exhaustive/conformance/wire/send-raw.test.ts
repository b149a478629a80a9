import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import t from 'tap'
import type { Exchange } from '../../../../src/conformance/wire/exchange.js'
import type { RawOperation } from '../../../../src/conformance/suite/fixture.js'
import { sendRaw } from '../../../../src/conformance/wire/send-raw.js'
import { toTarget } from '../../../../src/conformance/wire/target.js'
import { certificate } from '../../../hosts/start-node.js'

/** What a server does with a connection; `received` grows as bytes come. */
type Behaviour = (socket: Socket, received: Buffer[]) => void

interface Step {
  readonly operations: readonly RawOperation[]
  readonly responses?: number
  readonly timeout?: number
}

/** The exchange with a server that behaves in that way, and what the server got. */
async function exchangeWith(
  behave: Behaviour,
  { operations, responses = 1, timeout = 2000 }: Step,
): Promise<Exchange & { readonly received: string }> {
  const received: Buffer[] = []
  const sockets = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('data', (chunk: Buffer) => received.push(chunk))
    behave(socket, received)
  })
  await listen(server)
  const { port } = server.address() as AddressInfo
  try {
    const target = toTarget(`http://127.0.0.1:${port}/`)
    const exchange = await sendRaw(target, { operations, responses, timeout, insecure: false })
    return Object.assign(exchange, { received: Buffer.concat(received).toString() })
  } finally {
    for (const socket of sockets) socket.destroy()
    server.close()
  }
}

function listen(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
}

const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi'

/** Answers once when as many bytes have come. */
const answerAfter =
  (bytes: number, text = answer): Behaviour =>
  (socket, received) => {
    socket.on('data', () => {
      if (Buffer.concat(received).length >= bytes) socket.write(text)
    })
  }

/** Answers at once, and closes. */
const endWith =
  (text: string): Behaviour =>
  (socket) => {
    socket.once('data', () => socket.end(text))
  }

/** Answers before the body has come, and does not read it. */
const answerEarly: Behaviour = (socket) => {
  socket.once('data', () => {
    socket.write(answer)
    socket.pause()
  })
}

/** Sends 100, and the answer when more has come. */
const continueFirst: Behaviour = (socket) => {
  socket.once('data', () => {
    socket.write('HTTP/1.1 100 Continue\r\n\r\n')
    socket.once('data', () => socket.write(answer))
  })
}

/** Answers when the client has closed its side. */
const answerAtEnd: Behaviour = (socket) => {
  socket.once('end', () => socket.end(answer))
}

function bodies({ responses }: Exchange): readonly string[] {
  return responses.map(({ body }) => Buffer.from(body).toString())
}

void t.test('sends text, bytes, repetitions and chunks as they are', async (t) => {
  const operations: RawOperation[] = [
    { text: 'é' },
    { hex: '00 ff' },
    { repeat: { text: 'ab', times: 2 } },
    { chunk: { text: 'é' } },
    { chunk: { hex: '0a' } },
    { chunk: 'end' },
  ]
  const wanted = Buffer.concat([
    Buffer.from('é'),
    Buffer.from([0, 255]),
    Buffer.from('abab2\r\né\r\n1\r\n\n\r\n0\r\n\r\n'),
  ])
  const found = await exchangeWith(answerAfter(wanted.length), { operations })
  t.equal(found.received, wanted.toString())
  t.strictSame(bodies(found), ['hi'])
  t.equal(found.failure, undefined)
  t.equal(found.connection, 'open')
})

void t.test('reports that the connection was closed after the response', async (t) => {
  const found = await exchangeWith(endWith(answer), { operations: [{ text: 'x' }] })
  t.equal(found.connection, 'closed')
  t.equal(found.failure, undefined)
})

void t.test('reads all the responses, also more than were wanted', async (t) => {
  const found = await exchangeWith(answerAfter(1, answer + answer), { operations: [{ text: 'x' }] })
  t.strictSame(bodies(found), ['hi', 'hi'])
  t.equal(found.failure, undefined)
})

void t.test('an interim response is waited for, and is not one of the responses', async (t) => {
  const operations = [{ text: 'head' }, { sleep: 30 }, { awaitInterim: 500 }, { text: 'body' }]
  const found = await exchangeWith(continueFirst, { operations })
  t.equal(found.received, 'headbody')
  t.strictSame(bodies(found), ['hi'])
})

const late: readonly [operation: RawOperation, failure: string][] = [
  [{ awaitInterim: 50 }, 'no interim or final response within 50 ms'],
  [{ awaitResponse: 50 }, 'no response within 50 ms'],
]
for (const [operation, failure] of late) {
  void t.test(`nothing more is sent: ${failure}`, async (t) => {
    const operations = [{ text: 'a' }, operation, { text: 'b' }]
    const found = await exchangeWith(answerAfter(2), { operations })
    t.equal(found.failure, failure)
    t.equal(found.received, 'a')
  })
}

void t.test('a response that came before it was waited for has come', async (t) => {
  const operations = [{ text: 'a' }, { sleep: 50 }, { awaitResponse: 50 }, { text: 'b' }]
  const found = await exchangeWith(answerAfter(1), { operations, responses: 2 })
  t.equal(found.received, 'ab')
  t.strictSame(bodies(found), ['hi', 'hi'])
  t.equal(found.failure, undefined)
})

void t.test('a response that never comes is a failure when time is up', async (t) => {
  const found = await exchangeWith(() => {}, { operations: [{ text: 'a' }], timeout: 60 })
  t.strictSame([found.failure, found.connection], ['timed out', 'open'])
})

// oxfmt-ignore
const broken: readonly [behaviour: string, text: string, failure: RegExp][] = [
  ['no HTTP',                                   'hello\r\n\r\n',     /^broken HTTP: no valid status line/],
  ['half a response',                           answer.slice(0, -1), /^the connection was closed$/],
  ['bytes that follow a response and are none', `${answer}!`,        /^unexpected bytes after the/],
]
for (const [behaviour, text, failure] of broken) {
  void t.test(`${behaviour} is a failure`, async (t) => {
    const found = await exchangeWith(endWith(text), { operations: [{ text: 'x' }] })
    t.match(found.failure, failure)
  })
}

// oxfmt-ignore
const endless: readonly [what: string, head: string, part: string, failure: RegExp][] = [
  ['head',             'HTTP/1.1 200 OK\r\n',                                   `X: ${'a'.repeat(1000)}\r\n`,     /^the head .* larger than 65536 bytes$/],
  ['body',             'HTTP/1.1 200 OK\r\n\r\n',                               'a'.repeat(1000),                 /^the response is larger than \d+ bytes$/],
  ['body in chunks',   'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', `3e8\r\n${'a'.repeat(1000)}\r\n`, /^the response is larger than \d+ bytes$/],
  ['row of responses', '',                                                      answer.repeat(30),                /^the response is larger than \d+ bytes$/],
]
for (const [what, head, part, failure] of endless) {
  void t.test(`an endless ${what} is given up`, async (t) => {
    let isCut = false
    const behave: Behaviour = (socket) => {
      const piece = Buffer.from(part.repeat(64))
      const pour = (): void => {
        while (!socket.destroyed && socket.write(piece)) continue
      }
      socket.on('close', () => (isCut = true)).on('drain', pour)
      socket.once('data', () => {
        socket.write(head)
        pour()
      })
    }
    const operations: RawOperation[] = [{ text: 'x' }]
    const found = await exchangeWith(behave, { operations, responses: Infinity, timeout: 60_000 })
    t.match(found.failure, failure)
    t.ok(isCut || found.connection === 'closed', 'the connection is cut')
  })
}

void t.test('the body of an answer to HEAD is what must not follow', async (t) => {
  const operations = [{ text: 'HEAD / HTTP/1.1\r\n\r\n' }]
  const found = await exchangeWith(answerAfter(1), { operations })
  t.match(found.failure, /: hi$/)
})

void t.test('an answer stops a big body, and is not lost', async (t) => {
  const times = 8 * 1024 * 1024
  const operations: RawOperation[] = [{ repeat: { text: 'a', times } }, { text: 'end' }]
  const found = await exchangeWith(answerEarly, { operations })
  t.strictSame(bodies(found), ['hi'])
  t.ok(found.received.length < times)
})

void t.test('a half-closed connection still gets its answer', async (t) => {
  const found = await exchangeWith(answerAtEnd, {
    operations: [{ text: 'x' }, { halfClose: true }],
  })
  t.strictSame(bodies(found), ['hi'])
})

void t.test('a reset reaches the server as one', async (t) => {
  let code: string | undefined
  const behave: Behaviour = (socket) => {
    socket.on('error', (error: NodeJS.ErrnoException) => (code = error.code))
  }
  const operations: RawOperation[] = [{ text: 'x' }, { sleep: 20 }, { reset: true }]
  const found = await exchangeWith(behave, { operations, responses: 0 })
  t.strictSame([code, found.failure, found.connection], ['ECONNRESET', undefined, 'closed'])
})

void t.test('a connection that cannot be made is a failure', async (t) => {
  const target = toTarget('http://127.0.0.1:1/')
  const operations = [{ text: 'x' }]
  const step = { operations, responses: 1, timeout: 500, insecure: false }
  t.match((await sendRaw(target, step)).failure, /ECONNREFUSED/)
})

const secure: readonly [insecure: boolean, found: RegExp][] = [
  [true, /^localhost undefined closed hi$/],
  [false, /^undefined self-signed certificate closed $/],
]
for (const [insecure, wanted] of secure) {
  void t.test(`TLS, ${insecure ? 'whoever made' : 'checking'} the certificate`, async (t) => {
    let servername: string | false | null | undefined
    const server = createTlsServer({ ...certificate, allowHalfOpen: true }, (socket) => {
      servername = socket.servername
      socket.on('error', () => {})
      socket.resume().once('end', () => socket.end(answer))
    })
    server.on('tlsClientError', () => {})
    await listen(server)
    const { port } = server.address() as AddressInfo
    const operations: RawOperation[] = [{ text: 'x' }, { halfClose: true }]
    const target = toTarget(`https://localhost:${port}/`)
    const found = await sendRaw(target, { operations, responses: 1, timeout: 2000, insecure })
    server.close()
    const { failure, connection } = found
    t.match([servername, failure, connection, bodies(found).join('')].map(String).join(' '), wanted)
  })
}

void t.test('a reset ends a connection of TLS too', async (t) => {
  const server = createTlsServer(certificate, (socket) => socket.on('error', () => {}))
  await listen(server)
  const { port } = server.address() as AddressInfo
  const operations: RawOperation[] = [{ text: 'x' }, { reset: true }]
  const target = toTarget(`https://localhost:${port}/`)
  const step = { operations, responses: 0, timeout: 2000, insecure: true }
  t.equal((await sendRaw(target, step)).connection, 'closed')
  server.close()
})
