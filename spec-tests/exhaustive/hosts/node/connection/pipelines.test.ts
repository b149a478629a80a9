import { AsyncLocalStorage } from 'node:async_hooks'
import { once } from 'node:events'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { toNodeListener } from '../../../../../src/hosts/node/index.js'
import { registerFlow } from '../../../../../src/hosts/node/streams/open-flows.js'
import { buildSchema, createHandler } from '../../../../../src/index.js'
import { host } from '../../hosted.js'
import { postBytes, type RawClient } from '../../raw-client.js'
import { collectGarbage } from '../../../../collect-garbage.js'
import { secured } from '../../secured.js'

/** A request for a path, with a body of so many bytes. */
const request = (path: string, size: number): string =>
  size === 0
    ? `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`
    : `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${size}\r\n\r\n${'x'.repeat(size)}`

/** Many requests, each for its number. */
const requests = (count: number, size: number): string =>
  Array.from({ length: count }, (_, at) => request(`/${at}`, size)).join('')

const echo: RequestListener = (incoming, outgoing) => {
  incoming.resume().on('end', () => outgoing.end(incoming.url))
}

async function checkAnswers(t: Test, client: RawClient, count: number): Promise<void> {
  const answers: (string | undefined)[] = []
  while (answers.length < count) answers.push((await client.next())?.body.toString())
  const paths = Array.from({ length: count }, (_, at) => `/${at}`)
  t.strictSame(answers, paths)
}

/** Finishes what waits every few milliseconds, until all answers are there. */
async function finishAll(waiting: (() => void)[], answers: Promise<void>): Promise<void> {
  const timer = setInterval(() => {
    for (const finish of waiting.splice(0)) finish()
  }, 5)
  await answers
  clearInterval(timer)
}

/** Time for all that has been sent to arrive, on any connection. */
async function settle({ connect }: { connect(): Promise<RawClient> }): Promise<void> {
  for (let round = 0; round < 5; round += 1) (await connect()).socket.destroy()
  for (let turn = 0; turn < 50; turn += 1) await nextTurn()
}

// Bodies of 20 KB make Node pause the socket and resume it a tick later.
for (const size of [0, 10, 20_000]) {
  const bodies = size === 0 ? 'without bodies' : `with bodies of ${size} bytes`
  const count = size > 1000 ? 300 : 3000

  void t.test(`${count} requests ${bodies} in one write are answered in order`, async (t) => {
    const { connect } = await host(t, {}, echo)
    const client = await connect()
    client.write(requests(count, size))
    await checkAnswers(t, client, count)
  })

  void t.test(`a connection has 100 unanswered requests ${bodies}, no more`, async (t) => {
    const waiting: (() => void)[] = []
    const server = await host(t, {}, (incoming, outgoing) => {
      if (incoming.url === '/warm') outgoing.end()
      else waiting.push(() => echo(incoming, outgoing))
    })
    const { client, socket } = await server.connectBoth()
    client.write(requests(count, size))
    client.write('GET /warm HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(100_000))
    while (waiting.length < Math.min(100, 65_536 / (size + 100))) await nextTurn()
    await settle(server)
    t.ok(waiting.length <= 100, `${waiting.length} have started`)
    t.ok(socket.bytesRead <= 4_000_000, `${socket.bytesRead} bytes were read`)
    socket.destroy() // a socket that is not read does not say that its client has left
  })
}

void t.test('all are answered where each waits, though 100 at most have started', async (t) => {
  const waiting: (() => void)[] = []
  let most = 0
  const server = await host(t, {}, (incoming, outgoing) => {
    waiting.push(() => echo(incoming, outgoing))
    most = Math.max(most, waiting.length)
  })
  const client = await server.connect()
  client.write(requests(1000, 0))
  await finishAll(waiting, checkAnswers(t, client, 1000))
  t.equal(most, 100)
})

void t.test('none starts while 1 MiB of responses is unsent', async (t) => {
  const waiting: ServerResponse[] = []
  let started = 0
  const server = await host(t, {}, (_, outgoing) => {
    started += 1
    if (started === 1) waiting.push(outgoing)
    else outgoing.end('x'.repeat(400_000))
  })
  const client = await server.connect()
  client.write(requests(50, 0))
  while (started < 4) await nextTurn()
  await settle(server)
  t.equal(started, 4, 'of which three are 1.2 MB')
  waiting[0]?.end()
  for (let answered = 0; answered < 50; answered += 1) await client.next()
  t.equal(started, 50)
})

void t.test('heads count as unsent', async (t) => {
  let started = 0
  const server = await host(t, {}, () => (started += 1))
  const { client, socket } = await server.connectBoth()
  client.write(
    request('/', 0)
      .replace('\r\n\r\n', `\r\na: ${'x'.repeat(14_000)}\r\n${'a:\r\n'.repeat(200)}\r\n`)
      .repeat(90),
  )
  while (started < 50) await nextTurn()
  await settle(server)
  t.equal(started, 67, 'each of which takes 16 KB')
  socket.destroy()
})

void t.test('none starts behind an open stream', async (t) => {
  let asked = 0
  let end = (): void => undefined
  const ended = new Promise<void>((resolve) => (end = resolve))
  async function* events(): AsyncGenerator<object> {
    yield { n: 1 }
    await ended
  }
  const schema = buildSchema('type Query { a: Int } type Subscription { n: Int }', {
    Query: { a: () => (asked += 1) },
    Subscription: { n: { subscribe: events } },
  })
  const server = await host(t, {}, toNodeListener(createHandler({ schema })))
  const client = await server.connect()
  const get = (query: string): string => `GET /?query=${query} HTTP/1.1\r\nHost: x\r\n`
  client.write(`${get('subscription{n}')}Accept: text/event-stream\r\n\r\n`)
  client.write(`${get('{a}')}\r\n`.repeat(9))
  await settle(server)
  t.equal(asked, 0)
  end()
  while (asked < 9) await nextTurn()
})

void t.test(
  'a client that leaves a stream with requests behind it is noticed at once',
  async (t) => {
    let isReturned = false
    async function* subscribe(
      _: unknown,
      __: unknown,
      { signal }: { readonly signal: AbortSignal },
    ) {
      signal.addEventListener('abort', () => (isReturned = true))
      yield await new Promise(() => undefined)
    }
    const schema = buildSchema('type Query { a: Int } type Subscription { n: Int }', {
      Subscription: { n: { subscribe } },
    })
    const server = await host(t, {}, toNodeListener(createHandler({ schema })))
    const { client, closed } = await server.connectBoth()
    const opened = once(client.socket, 'data')
    client.write(
      'GET /?query=subscription{n} HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n',
    )
    client.write(requests(9, 0))
    await opened
    client.write(requests(9, 0))
    await settle(server)
    client.socket.destroy()
    await closed
    t.ok(isReturned)
  },
)

void t.test(
  'of thousands behind a stream, each is weighed once, and closing makes no stacks',
  async (t) => {
    const stream: RequestListener = (incoming, outgoing) => {
      registerFlow(incoming.socket, { shutDown: () => undefined }, outgoing)
      outgoing.write('event')
    }
    const server = await host(t, {}, stream)
    let arrived = 0
    let weighed = 0
    const stacks: string[] = []
    server.server.prependListener('request', (incoming) => {
      arrived += 1
      const { rawHeaders } = incoming
      Object.defineProperty(incoming, 'rawHeaders', { get: () => ((weighed += 1), rawHeaders) })
      incoming.on('error', ({ stack = '' }) => stacks.push(stack))
    })
    const { client, socket } = await server.connectBoth()
    const opened = once(client.socket, 'data')
    client.write(request('/', 0))
    await opened
    client.write(requests(2000, 0))
    while (arrived < 1000) await nextTurn()
    // The first hundred are weighed again for each of them, while the socket is still read.
    t.ok(weighed < 10 * arrived, `${weighed} times for ${arrived} requests`)
    const { stackTraceLimit } = Error
    const closed = once(socket, 'close')
    socket.destroy()
    await closed
    await nextTurn()
    t.equal(stacks.length, arrived)
    t.strictSame(new Set(stacks), new Set(['Error: aborted']))
    t.equal(Error.stackTraceLimit, stackTraceLimit)
  },
)

void t.test('a pipeline may be closed where Error is frozen', async (t) => {
  const server = await host(t, {}, echo)
  const { client, socket } = await server.connectBoth()
  client.write(requests(5, 0))
  await checkAnswers(t, client, 5)
  const limit = Object.getOwnPropertyDescriptor(Error, 'stackTraceLimit')
  t.teardown(() => Object.defineProperty(Error, 'stackTraceLimit', limit ?? {}))
  Object.defineProperty(Error, 'stackTraceLimit', { ...limit, writable: false })
  const closed = once(socket, 'close')
  socket.destroy()
  await closed
})

void t.test(
  'once a turn has taken long, other pipelines of a client are read in later ones',
  async (t) => {
    const server = await host(t, {}, echo)
    const inTurns: number[] = []
    let inTurn = 0
    server.server.prependListener('request', () => {
      if (inTurn === 0) {
        setImmediate(() => {
          inTurns.push(inTurn)
          inTurn = 0
        })
      }
      inTurn += 1
      const begunAt = performance.now()
      while (performance.now() - begunAt < 0.2);
    })
    const clients = await Promise.all(Array.from({ length: 60 }, () => server.connect()))
    // Node accepts one connection in a turn.
    await settle(server)
    for (let turn = 0; turn < 60; turn += 1) await nextTurn()
    for (const client of clients) client.write(requests(100, 0))
    await Promise.all(clients.map((client) => checkAnswers(t, client, 100)))
    const sum = inTurns.reduce((all, count) => all + count, 0)
    t.equal(sum, 6000)
    t.ok(Math.max(...inTurns) < 1000, `${Math.max(...inTurns)} in a turn`)
  },
)

void t.test(
  'a body that is not read stays unread while its client sends long pipelines',
  async (t) => {
    let unread: IncomingMessage | undefined
    const server = await host(t, {}, (incoming, outgoing) => {
      if (incoming.method === 'PUT') unread = incoming
      else echo(incoming, outgoing)
    })
    const [writer, client] = [await server.connect(), await server.connect()]
    writer.write(`PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 9000000\r\n\r\n${'x'.repeat(2e6)}`)
    while (unread === undefined || unread.readableLength < 16_384) await nextTurn()
    for (let round = 0; round < 6; round += 1) {
      client.write(requests(1500, 0))
      await checkAnswers(t, client, 1500)
    }
    t.ok(unread.readableLength < 200_000, `${unread.readableLength} bytes were read`)
    writer.socket.destroy()
  },
)

void t.test('what has been read of bodies behind streams weighs, too', async (t) => {
  async function* subscribe(): AsyncGenerator<object> {
    yield await new Promise(() => undefined)
  }
  const schema = buildSchema('type Query { a: Int } type Subscription { n: Int }', {
    Subscription: { n: { subscribe } },
  })
  const server = await host(t, {}, toNodeListener(createHandler({ schema })))
  const sockets: Socket[] = []
  server.server.on('connection', (socket: Socket) => sockets.push(socket))
  const clients = await Promise.all(Array.from({ length: 400 }, () => server.connect()))
  const opened = clients.map(({ socket }) => once(socket, 'data'))
  for (const client of clients) {
    client.write(
      'GET /?query=subscription{n} HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n',
    )
  }
  await Promise.all(opened)
  for (const client of clients) client.write(request('/', 60_000))
  const open = (): number => sockets.filter(({ destroyed }) => !destroyed).length
  while (open() === 400) await nextTurn()
  for (let turn = 0; turn < 50; turn += 1) await nextTurn()
  t.ok(open() > 300 && open() < 340, `${open()} of 60 KB wait`)
  for (const socket of sockets) socket.destroy()
})

void t.test('10,000 at most wait behind responses that do not come', async (t) => {
  const waiting: (() => void)[] = []
  const server = await host(t, {}, (incoming, outgoing) => {
    waiting.push(() => echo(incoming, outgoing))
  })
  const parsed = new Map<Socket, number>()
  server.server.on('request', ({ socket }) => parsed.set(socket, (parsed.get(socket) ?? 0) + 1))
  /** How many wait that have not started, on the connections that are `among` these. */
  const count = (among: (socket: Socket) => boolean): number =>
    [...parsed].reduce(
      (sum, [socket, all]) => sum + (among(socket) ? Math.max(0, all - 100) : 0),
      0,
    )
  const { client, socket } = await server.connectBoth()
  client.write(requests(150, 0))
  while (waiting.length < 100) await nextTurn()
  const many = 'GET / HTTP/1.1\r\nHost:\r\n\r\n'.repeat(2400)
  while (count(() => true) < 15_000) {
    ;(await server.connect()).write(many)
    await settle(server)
  }
  const held = count(({ destroyed }) => !destroyed)
  t.ok(held <= 10_000, `${held} are waiting`)
  t.notOk(socket.destroyed, 'the connection that has few is kept')
  await finishAll(waiting, checkAnswers(t, client, 150))
  for (const one of parsed.keys()) one.destroy()
})

void t.test('no more than that wait for a turn', async (t) => {
  const slow: RequestListener = (_, outgoing) => {
    const until = performance.now() + 2
    while (performance.now() < until);
    outgoing.end('x')
  }
  const server = await host(t, {}, slow)
  const many = 'GET / HTTP/1.1\r\nHost:\r\n\r\n'.repeat(2400)
  const greedy = await Promise.all(Array.from({ length: 12 }, () => server.connect()))
  const small = await server.connect()
  small.write(requests(5, 0))
  for (const { write } of greedy) write(many)
  await Promise.race(greedy.map((client) => client.ended()))
  t.pass('one that has the most is cut')
  for (const { socket } of greedy) socket.destroy()
  for (let answered = 0; answered < 5; answered += 1) t.match(await small.next(), { status: 200 })
})

void t.test('requests behind large bodies, which wait for turns, are all answered', async (t) => {
  const schema = buildSchema('type Query { slow: Int }', { Query: { slow: () => pause(30, 1) } })
  const { connect } = await host(t, {}, toNodeListener(createHandler({ schema })))
  const client = await connect()
  const bodies = [0, 33_000, 33_000, 0].map((more) => '{"query":"{ slow }"}'.padEnd(more))
  client.write(bodies.map((body) => postBytes(body)).join(''))
  for (const _ of bodies) t.match(await client.next(), { status: 200 })
})

for (const isSecure of [false, true]) {
  void t.test(`16 of a pipeline start in a turn${isSecure ? ', with TLS' : ''}`, async (t) => {
    let inTurn = 0
    let most = 0
    const listener: RequestListener = (incoming, outgoing) => {
      if (inTurn === 0) setImmediate(() => (inTurn = 0))
      inTurn += 1
      most = Math.max(most, inTurn)
      echo(incoming, outgoing)
    }
    const { connect } = await (isSecure ? secured(t, {}, listener as never) : host(t, {}, listener))
    const client = await connect()
    client.write(requests(1000, 0))
    await checkAnswers(t, client, 1000)
    t.ok(most > 1 && most <= 16, `${most} in a turn`)
  })
}

void t.test('TLS loses nothing that it has decrypted while 70 KB are unsent', async (t) => {
  let answerFirst = (): void => undefined
  let started = 0
  const listener: RequestListener = (incoming, outgoing) => {
    started += 1
    outgoing.setHeader('a', 'x'.repeat(70_000))
    if (started > 1) echo(incoming, outgoing)
    else answerFirst = () => outgoing.end('/0')
  }
  const { connect } = await secured(t, {}, listener as never)
  const client = await connect()
  client.write(request('/0', 0) + request('/1', 0))
  while (started < 2) await nextTurn()
  // More than one record of TLS, in one read.
  client.write(request('/2', 30_000) + request('/3', 0))
  while (started < 3) await nextTurn()
  answerFirst()
  await checkAnswers(t, client, 4)
})

void t.test('what follows the last request is not parsed, and its client may leave', async (t) => {
  const waiting: ServerResponse[] = []
  const server = await host(t, { maxRequestsPerSocket: 2 }, (_, outgoing) => {
    waiting.push(outgoing)
  })
  let parsed = 0
  server.server.on('request', () => (parsed += 1))
  const { client, socket, closed } = await server.connectBoth()
  const sent = requests(100_000, 0)
  client.write(sent)
  while (socket.bytesRead < sent.length) await nextTurn()
  t.equal(waiting.length, 2)
  t.ok(parsed < 5000, `${parsed} were parsed, those of the first two reads`)
  client.socket.resetAndDestroy()
  await closed
})

void t.test('what has not started does not start once the client has left', async (t) => {
  const started: string[] = []
  const server = await host(t, {}, (incoming, outgoing) => {
    started.push(incoming.url ?? '')
    outgoing.destroy()
  })
  const { client, closed } = await server.connectBoth()
  client.write(requests(1000, 0))
  await closed
  await settle(server)
  t.strictSame(started, ['/0'])
})

void t.test('work that outlives its connection holds nothing that came behind', async (t) => {
  const working: object[] = []
  const server = await host(t, {}, (...exchange) => void working.push(exchange))
  const parsed: WeakRef<object>[] = []
  server.server.on('request', (incoming) => parsed.push(new WeakRef(incoming)))
  const { client, socket, closed } = await server.connectBoth()
  client.write(requests(1000, 0))
  while (working.length < 100) await nextTurn()
  socket.destroy()
  await closed
  await collectGarbage()
  t.equal(parsed.length, 1000)
  t.equal(parsed.filter((one) => one.deref() !== undefined).length, working.length)
})

void t.test('each starts in the asynchronous context of its arrival', async (t) => {
  const storage = new AsyncLocalStorage<string>()
  const { connect, server } = await host(t, {}, (_, outgoing) => {
    outgoing.end(storage.getStore())
  })
  const emit = server.emit.bind(server)
  server.emit = (event: string, ...rest: unknown[]) => {
    const { url = '' } = (event === 'request' ? rest[0] : {}) as { readonly url?: string }
    return storage.run(url, () => emit(event, ...rest))
  }
  const client = await connect()
  client.write(requests(50, 0))
  await checkAnswers(t, client, 50)
})
