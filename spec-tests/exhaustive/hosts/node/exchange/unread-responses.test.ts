import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect as connectHttp2, constants, createServer as createHttp2Server } from 'node:http2'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { toNodeListener } from '../../../../../src/hosts/node/index.js'
import type { Handler } from '../../../../../src/http/message.js'
import { listenFor } from '../../../../hosts/start-node.js'

const big = 'x'.repeat(8_000_000)
/** Room for two of them. */
const options = { maxUnreadBytes: 20_000_000, lingerTimeout: 1_000 }

const greedy = '127.0.0.1'
const ordinary = '127.0.0.2'

/** A client that asks for responses, and reads none of them until it is told to: how much comes of this one. */
type Ask = (path: string) => () => Promise<number>

type Connect = (t: Test, port: number, localAddress: string) => Ask

/** A client of HTTP/1.1 that ends its head with a field. */
function http1Client(field: string): Connect {
  return (t, port, localAddress) => (path) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    t.teardown(() => socket.destroy())
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n${field}\r\n\r\n`)
    return readLater(socket)
  }
}

const http2Client: Connect = (t, port, localAddress) => {
  const session = connectHttp2(`http://127.0.0.1:${port}`, {
    createConnection: () => connect({ port, host: '127.0.0.1', localAddress }),
  })
  t.teardown(() => session.destroy())
  return (path) => readLater(session.request({ ':path': path }))
}

/** Reads nothing until the returned function is called, which resolves with the size of what came before the end. */
function readLater(readable: Duplex): () => Promise<number> {
  let size = 0
  readable.pause().on('error', () => {})
  const closed = new Promise((resolve) => readable.once('close', resolve))
  return async () => {
    readable.on('data', (chunk: Buffer) => (size += chunk.length)).resume()
    await closed
    return size
  }
}

/** Answers with one large body, written at once or as a stream. */
function createCounted(count: { served: number }, text = big): Handler {
  return ({ target }) => {
    count.served += 1
    const head = { status: 200, headers: [] }
    if (target !== '/stream') return { ...head, body: text }
    return {
      ...head,
      body: {
        open(sink) {
          sink.write(text)
          return { resume: () => sink.end(), gone() {}, shutDown() {} }
        },
        discard() {},
      },
    }
  }
}

/** Megabytes: more than the responses of a test. */
const h2 = { maxSessionMemory: 64 }

const protocols = [
  ['HTTP/1.1', http1Client('Connection: close')],
  ['HTTP/1.1 with an unfinished request', http1Client('Transfer-Encoding: chunked')],
  ['HTTP/2', http2Client],
] as const

for (const [name, toClient] of protocols) {
  for (const path of ['/whole', '/stream']) {
    const start = async (t: Test) => {
      const count = { served: 0 }
      const listener = toNodeListener(createCounted(count), options)
      const server = name === 'HTTP/2' ? createHttp2Server(h2, listener) : createServer(listener)
      const port = await listenFor(t, server)
      const clientOf = (address: string) => {
        const ask = toClient(t, port, address)
        return async (): Promise<() => Promise<number>> => {
          const before = count.served
          const read = ask(path)
          while (count.served === before) await pause(5)
          return read
        }
      }
      return { attack: clientOf(greedy), ask: clientOf(ordinary) }
    }

    void t.test(`${name}, ${path}: the client that holds the most loses some`, async (t) => {
      const { attack, ask } = await start(t)
      const readPatiently = await ask()
      const reads = []
      for (let at = 0; at < 5; at += 1) reads.push(await attack())
      const sizes = await Promise.all(reads.map(async (read) => read()))
      // The largest are cut: which of them that is depends on what the system has taken of each.
      t.ok(Math.min(...sizes) < big.length, 'what was cut')
      t.ok((await readPatiently()) >= big.length, 'and the other client has all of it')
    })

    void t.test(`${name}, ${path}: there is room again for what others have read`, async (t) => {
      const { attack } = await start(t)
      for (let at = 0; at < 5; at += 1) t.ok((await (await attack())()) >= big.length)
    })
  }
}

const texts = { ASCII: big, 'three bytes for each character': '中'.repeat(big.length / 3) }
for (const [title, text] of Object.entries(texts)) {
  void t.test(
    `in a pipeline, responses behind one that is not ready count: ${title}`,
    async (t) => {
      const handler = createCounted({ served: 0 }, text)
      const server = createServer(
        toNodeListener(
          (head) => (head.target === '/never' ? new Promise(() => {}) : handler(head)),
          options,
        ),
      )
      const port = await listenFor(t, server)
      const socket = connect(port, '127.0.0.1')
      const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
      socket.write(get('/never') + get('/whole').repeat(3))
      t.equal(await readLater(socket)(), 0, 'the connection was cut')
    },
  )
}

void t.test('HEAD writes nothing of a long text', async (t) => {
  const listener = toNodeListener(
    createCounted({ served: 0 }, texts['three bytes for each character']),
  )
  const server = createServer({ rejectNonStandardBodyWrites: true }, listener)
  const port = await listenFor(t, server)
  const socket = connect(port, '127.0.0.1')
  t.teardown(() => socket.destroy())
  socket.write('HEAD /whole HTTP/1.1\r\nHost: x\r\n\r\n')
  const [head] = (await once(socket, 'data')) as [Buffer]
  t.match(String(head), /^HTTP\/1.1 200 /)
})

void t.test('HTTP/2: responses that a client has reset with NO_ERROR are cut', async (t) => {
  const closed: Promise<unknown>[] = []
  const listener = toNodeListener(createCounted({ served: 0 }), options)
  const server = createHttp2Server(h2, (incoming, outgoing) => {
    closed.push(once(incoming.stream, 'close'))
    listener(incoming, outgoing)
  })
  const port = await listenFor(t, server)
  const session = connectHttp2(`http://127.0.0.1:${port}`)
  t.teardown(() => session.destroy())
  for (let at = 0; at < 5; at += 1) {
    const stream = session.request({ ':path': '/whole' })
    await once(stream, 'response')
    stream.close(constants.NGHTTP2_NO_ERROR)
  }
  await Promise.all(closed.slice(0, 2))
})
