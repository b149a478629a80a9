import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import t, { type Test } from 'tap'
import { ClientReads, weightOfLook } from '../../../../../src/hosts/node/connection/client-reads.js'
import { Connection } from '../../../../../src/hosts/node/connection/connection.js'
import type { Http2Session } from '../../../../../src/hosts/node/connection/http2-session.js'
import { encodeFrame, opcodes } from '../../../../../src/conformance/wire/web-socket/frames.js'
import { host } from '../../hosted.js'
import { certificate } from '../../../../hosts/start-node.js'
import { chunkedHead, chunkOf, postBytes } from '../../raw-client.js'
import { secured } from '../../secured.js'
import { handshake, RawWebSocket, text } from '../websocket/raw-web-socket.js'
import { acknowledged, serveSockets } from '../websocket/serve-sockets.js'

/** Sessions of HTTP/2, by the addresses of their clients, what is seen of them, and a clock. */
function start(t: Test, trustedProxies = 0) {
  const seen: string[] = []
  const asked: string[] = []
  const reads = new ClientReads(trustedProxies)
  const add = (name: string, remoteAddress: string): Http2Session => {
    const session = {
      socket: { remoteAddress },
      weight: 0,
      isHeld: false,
      hold(this: { isHeld: boolean }) {
        asked.push(name)
        if (this.isHeld) return false
        seen.push(`hold ${name}`)
        return (this.isHeld = true)
      },
      letRead(this: { isHeld: boolean }) {
        this.isHeld = false
        seen.push(`read ${name}`)
      },
    }
    reads.add(session as unknown as Http2Session)
    return session as unknown as Http2Session
  }
  let now = 0
  t.intercept(performance, 'now', { value: () => now })
  const take = (all: string[]) => () => all.splice(0)
  return {
    add,
    reads,
    takeSeen: take(seen),
    takeAsked: take(asked),
    pass: (ms: number) => (now += ms),
  }
}

/** Until held connections are read again. */
async function restingTurns(): Promise<void> {
  for (let turn = 0; turn < 20; turn += 1) await nextTurn()
}

/** As much as is read between two looks at the clock. */
const head = Array.from({ length: weightOfLook }, () => '')

void t.test('once a turn has taken long, what else a client sends waits', async (t) => {
  const { add, reads, takeSeen, pass } = start(t)
  const session = add('first', '192.0.2.1')
  add('second', '192.0.2.1')
  add('other', '192.0.2.2')
  reads.noteHttp2(session, head)
  pass(10)
  reads.noteHttp2(session, head)
  t.strictSame(takeSeen(), [])
  pass(1)
  reads.noteHttp2(session, [])
  t.strictSame(takeSeen(), [], 'the clock is read seldom')
  reads.noteHttp2(session, head)
  t.strictSame(takeSeen(), ['hold first', 'hold second'])
  await restingTurns()
  t.strictSame(takeSeen(), ['read second', 'read first'], 'the one that has sent less comes first')
  reads.noteHttp2(session, head)
  t.strictSame(takeSeen(), [], 'the next turn counts by itself')
})

void t.test('in a turn, the connections of a client are gone through once', async (t) => {
  const { add, reads, takeAsked, pass } = start(t)
  const session = add('first', '192.0.2.1')
  const second = add('second', '192.0.2.1')
  add('other', '192.0.2.2')
  reads.remove(add('closed', '192.0.2.1'))
  reads.noteHttp2(session, head)
  pass(11)
  reads.noteHttp2(session, head)
  t.strictSame(takeAsked(), ['first', 'second'])
  reads.noteHttp2(second, head)
  t.strictSame(takeAsked(), ['second'])
  await restingTurns()
  reads.noteHttp2(session, head)
  pass(11)
  reads.noteHttp2(session, head)
  t.strictSame(takeAsked(), ['first', 'second'])
})

void t.test('of the lines of a head, few more are kept than are allowed', async (t) => {
  let kept = 0
  const { connect } = await host(t, {}, ({ rawHeaders }, outgoing) => {
    kept = rawHeaders.length / 2
    outgoing.end()
  })
  const client = await connect()
  client.write(
    `GET / HTTP/1.1\r\nHost: x\r\n${'a: b\r\n'.repeat(2_000)}Connection: upgrade\r\nUpgrade: x\r\n\r\n`,
  )
  await client.ended()
  // From Node 22 on, it refuses such a head itself.
  t.ok(kept < 300, `${kept} lines`)
})

void t.test('a head with too many lines is refused, and the last on its connection', async (t) => {
  const { connect } = await host(t)
  const client = await connect()
  client.write(`GET / HTTP/1.1\r\nHost: x\r\n${'a: b\r\n'.repeat(2_000)}\r\n`)
  t.match(await client.answer(), { status: 431 })
  await client.ended()
})

void t.test(
  'of many, fifty are read again in a turn, and twice as many after a short one',
  async (t) => {
    const { add, reads, takeSeen, pass } = start(t)
    const [session] = Array.from({ length: 200 }, (_, at) => add(`${at}`, '192.0.2.1'))
    reads.noteHttp2(session as Http2Session, head)
    pass(11)
    reads.noteHttp2(session as Http2Session, head)
    t.equal(takeSeen().length, 200)
    Object.assign(session as Http2Session, { weight: 5000 })
    const read: (readonly string[])[] = []
    for (let turn = 0; turn < 30; turn += 1) {
      await nextTurn()
      read.push(takeSeen())
    }
    const some = read.filter(({ length }) => length > 0)
    t.strictSame(
      some.map(({ length }) => length),
      [50, 100, 50],
    )
    t.equal(some.at(-1)?.at(-1), 'read 0', 'the one that has sent most is the last')
  },
)

void t.test('a new one that sends much does not hold those that are read again', async (t) => {
  const { add, reads, takeSeen, pass } = start(t)
  const flood = (name: string) => {
    const session = add(name, '192.0.2.1')
    reads.noteHttp2(session, head)
    pass(11)
    reads.noteHttp2(session, head)
    reads.noteHttp2(session, head)
  }
  add('light', '192.0.2.1')
  const busy = add('busy', '192.0.2.2')
  flood('first')
  t.strictSame(takeSeen(), ['hold light', 'hold first'])
  await nextTurn()
  let seen = takeSeen()
  for (; seen.length === 0; seen = takeSeen()) {
    reads.noteHttp2(busy, head)
    await nextTurn()
  }
  t.strictSame(seen, ['read light', 'read first'])
  flood('second')
  t.strictSame(takeSeen(), ['hold first', 'hold second'])
  flood('third')
  t.strictSame(takeSeen(), ['hold light', 'hold third'], 'two are too much')
})

void t.test('of the sessions of proxies, all wait for each other', async (t) => {
  const { add, reads, takeSeen, pass } = start(t, 1)
  const session = add('one', '192.0.2.1')
  add('other', '192.0.2.2')
  reads.noteHttp2(session, head)
  pass(11)
  reads.noteHttp2(session, head)
  t.strictSame(takeSeen(), ['hold one', 'hold other'])
})

void t.test('one that was let read, but not read, keeps its place', async (t) => {
  const { add, reads, takeSeen, pass } = start(t)
  const [session] = Array.from({ length: 120 }, (_, at) => add(`${at}`, '192.0.2.1'))
  const other = add('other', '192.0.2.1')
  const exceed = () => {
    reads.noteHttp2(session as Http2Session, head)
    pass(11)
    reads.noteHttp2(session as Http2Session, head)
    reads.noteHttp2(other, head)
  }
  const firstRead = async (): Promise<readonly string[]> => {
    takeSeen()
    let seen: readonly string[] = []
    while (seen.length === 0) {
      await nextTurn()
      seen = takeSeen()
    }
    return seen
  }
  exceed()
  t.equal((await firstRead()).length, 50)
  exceed()
  const next = await firstRead()
  t.equal(next.length, 50, 'after a long turn, few again')
  t.strictSame(next.slice(0, 2), ['read 1', 'read 2'])
})

/** Counts the looks at the clock. */
function countLooks(t: Test): () => number {
  let looks = 0
  t.intercept(ClientReads.prototype, 'look', {
    value(this: ClientReads) {
      this.weight = 0
      looks += 1
    },
  })
  return () => looks
}

void t.test('small chunks are counted', async (t) => {
  const { connect } = await host(t)
  const clients = await Promise.all(Array.from({ length: 20 }, connect))
  const body = chunkOf('{"query":"{ __typename }"}') + chunkOf(' ').repeat(3_000) + chunkOf('')
  const looks = countLooks(t)
  for (const { write } of clients) write(chunkedHead + body)
  for (const { answer } of clients) t.match(await answer(), { status: 200 })
  t.ok(looks() >= 10, `${looks()} looks`)
})

/** Writes each byte as a record of its own. */
async function writeRecords(socket: Socket, bytes: string | Buffer): Promise<void> {
  for (const byte of Buffer.from(bytes)) {
    await new Promise((done) => socket.write(Buffer.of(byte), done))
  }
}

void t.test('small records of a body are counted', async (t) => {
  const { connect } = await secured(t)
  const { socket, answer } = await connect()
  const looks = countLooks(t)
  const [lines = '', body = ''] = postBytes(' '.repeat(3_000) + '{"query":"{ __typename }"}').split(
    '\r\n\r\n',
  )
  socket.write(`${lines}\r\n\r\n`)
  await writeRecords(socket, body)
  t.match(await answer(), { status: 200 })
  t.ok(looks() >= 1, `${looks()} looks`)
})

void t.test('a WebSocket over TLS that is held is not read', async (t) => {
  let connection: Connection | undefined
  const { noteFrames } = ClientReads.prototype
  t.intercept(ClientReads.prototype, 'noteFrames', {
    value(this: ClientReads, from: Connection, bytes: number) {
      connection = from
      noteFrames.call(this, from, bytes)
    },
  })
  const { port } = await serveSockets(t, { tls: certificate })
  const client = connectTls({
    port,
    host: '127.0.0.1',
    servername: 'localhost',
    ca: certificate.cert,
  })
  await once(client, 'secureConnect')
  client.write(handshake())
  const raw = new RawWebSocket(client)
  await raw.init()
  const { socket } = connection as unknown as Connection
  t.equal(connection?.hold(), true)
  await writeRecords(client, encodeFrame(text({ type: 'ping' })))
  await restingTurns()
  t.equal(socket.readableLength, 0)
  connection?.letRead()
  t.match(await raw.message(), { type: 'pong' })
})

void t.test('small frames are counted', async (t) => {
  const { port } = await serveSockets(t)
  const sockets = await Promise.all(Array.from({ length: 20 }, () => acknowledged(port)))
  const pong = { opcode: opcodes.pong, payload: Buffer.alloc(0) }
  const looks = countLooks(t)
  for (const raw of sockets) {
    raw.send(...Array.from({ length: 150 }, () => pong), text({ type: 'ping' }))
  }
  for (const raw of sockets) t.match(await raw.message(), { type: 'pong' })
  t.ok(looks() >= 1, `${looks()} looks`)
})

void t.test('sessions that were held are answered', async (t) => {
  const { session } = await secured(t)
  const ask = (from: ReturnType<typeof session>): Promise<number> =>
    new Promise((resolve, reject) => {
      const stream = from.request({ ':path': '/graphql?query=%7B__typename%7D' })
      stream.on('response', ({ ':status': status }) => resolve(Number(status)))
      stream.on('error', reject)
      stream.resume()
    })
  const sessions = Array.from({ length: 8 }, session)
  await Promise.all(sessions.map(ask))
  const crowd = sessions.flatMap((one) => Array.from({ length: 90 }, async () => ask(one)))
  t.strictSame(new Set(await Promise.all(crowd)), new Set([200]))
})

void t.test('a connection that is held is not closed as idle', async (t) => {
  let connection: Connection | undefined
  const { begin } = Connection.prototype
  t.intercept(Connection.prototype, 'begin', {
    value(this: Connection, ...given: Parameters<typeof begin>) {
      // oxlint-disable-next-line typescript/no-this-alias -- the server keeps it to itself
      connection = this
      return begin.apply(this, given)
    },
  })
  const { connect } = await host(t, { keepAliveTimeout: 500 })
  const { write, answer } = await connect()
  const ask = 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n'
  write(ask)
  t.match(await answer(), { status: 200 })
  const { socket } = connection as unknown as Connection
  connection?.hold()
  write(ask)
  await once(socket, 'timeout')
  await nextTurn()
  connection?.letRead()
  t.match(await answer(), { status: 200 })
})
