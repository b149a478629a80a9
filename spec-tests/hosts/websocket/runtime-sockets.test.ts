import { setImmediate as nextTurn } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { buildSchema, createEndpoint } from '../../../src/index.js'
import { bunWebSocket, createSocketAcceptor } from '../../../src/hosts/fetch/index.js'
import type { BunSocket, StandardSocket, WebSocketOptions } from '../../../src/hosts/fetch/index.js'
import { init, subscribe } from '../../websocket/fake-endpoint.js'

const sources = { open: 0 }
/** Ends only by being returned, and says so at once. */
const silent = {
  [Symbol.asyncIterator]: () => silent,
  next: () => new Promise(() => undefined),
  async return() {
    sources.open -= 1
    return { done: true, value: undefined }
  },
}
/** Lets the resolvers of `later` return. */
const delayed: (() => void)[] = []
const later = (): Promise<string> =>
  new Promise((resolve) => void delayed.push(() => resolve('x'.repeat(70_000))))
const sdl = 'type Query { a: Int  big: String!  later: String! }  type Subscription { silent: Int }'
const schema = buildSchema(sdl, {
  Query: { a: () => 1, big: () => 'x'.repeat(70_000), later },
  Subscription: { silent: { subscribe: () => ((sources.open += 1), silent) } },
})

const endpoint = createEndpoint({ schema, path: '/graphql' })

function handshake(more: { readonly [name: string]: string } = {}, path = '/graphql'): Request {
  const headers = { 'sec-websocket-protocol': 'graphql-transport-ws', ...more }
  return new Request(`http://localhost${path}`, { headers })
}

/** A socket of a runtime that the test controls, whatever its shape. */
class Fake {
  readonly log: string[] = []
  unsent = 0
  isClosing = false
  /** How much more is unsent after each message. */
  growth = 0
  message: (data: string | Uint8Array) => void = () => {}
  closed: () => void = () => {}
  onDrain: () => void = () => {}

  /** The client has read. */
  drained(): void {
    this.unsent = 0
    this.onDrain()
  }
}

type Runtime = Omit<ReturnType<typeof createSocketAcceptor>, 'accept'> & { open(t: Test): Fake }

function standardRuntime(options?: WebSocketOptions, takesAllCodes = true): Runtime {
  const { accept, ...others } = createSocketAcceptor(endpoint, options)
  return {
    ...others,
    open(t) {
      const fake = new Fake()
      t.teardown(() => fake.closed())
      const socket: StandardSocket = {
        protocol: 'graphql-transport-ws',
        get readyState() {
          return fake.isClosing ? 2 : 1
        },
        get bufferedAmount() {
          // As that of Deno does.
          return fake.isClosing ? 0 : fake.unsent
        },
        send(text) {
          fake.unsent += fake.growth
          fake.log.push(text)
        },
        close(code) {
          if (!takesAllCodes && code !== 1000 && Number(code) < 3000) {
            throw new DOMException('The code must be 1000, or from 3000 to 4999.')
          }
          fake.isClosing = true
          fake.log.push(`<${code}>`)
        },
        addEventListener: (...[type, listener]: readonly [string, (event: never) => void]) => {
          if (type === 'message') fake.message = (data) => listener({ data } as never)
          if (type === 'close') fake.closed = () => listener({} as never)
        },
      }
      accept(socket, handshake())
      return fake
    },
  }
}

void t.test('a standard socket that has closed before it is given is not counted', async (t) => {
  const { accept, stats, close } = createSocketAcceptor(endpoint)
  accept({ readyState: 3 } as StandardSocket, handshake())
  t.strictSame(stats(), { open: 0, waiting: 0 })
  t.strictSame(await close(), { closed: 0, cut: 0 })
})

function bunRuntime(options?: WebSocketOptions): Runtime {
  const { upgrade, websocket, ...others } = bunWebSocket(endpoint, options)
  return {
    ...others,
    refuse: (request) => upgrade(request, { upgrade: () => true }),
    open(t) {
      const fake = new Fake()
      t.teardown(() => fake.closed())
      const socket: BunSocket = {
        data: { request: handshake() },
        send: (text) => fake.log.push(text),
        ping: () => fake.log.push('<ping>'),
        close: (code) => void fake.log.push(`<${code}>`),
        terminate: () => void fake.log.push('<terminate>'),
        getBufferedAmount: () => fake.unsent,
      }
      fake.message = (data) => websocket.message(socket, data)
      fake.onDrain = () => websocket.drain(socket)
      fake.closed = () => websocket.close(socket)
      websocket.open(socket)
      return fake
    },
  }
}

const runtimes: { readonly [name: string]: (options?: WebSocketOptions) => Runtime } = {
  'standard sockets': standardRuntime,
  'sockets of Bun': bunRuntime,
}

async function until(t: Test, isTrue: () => boolean): Promise<void> {
  while (!isTrue() && t.passing()) await nextTurn()
}

for (const [name, create] of Object.entries(runtimes)) {
  void t.test(name, async (t) => {
    await t.test('refuse handshakes before they are done', async (t) => {
      const rows: [request: Request, status: number | undefined][] = [
        [handshake(), undefined],
        [handshake({}, '/other'), 404],
        [handshake({ origin: 'https://evil.example' }), 403],
        [handshake({ 'sec-websocket-protocol': 'graphql-ws' }), 400],
      ]
      for (const [request, status] of rows) {
        const response = create().refuse(request)
        t.equal(response?.status, status)
        if (response !== undefined) t.match(await response.json(), { errors: [{}] })
      }
      const full = create({ maxSockets: 0 }).refuse(handshake())
      t.equal(full?.status, 503)
      t.equal(full?.headers.get('retry-after'), '1')
    })

    await t.test('run operations, and return sources when they close', async (t) => {
      const runtime = create()
      const fake = runtime.open(t)
      fake.message(init)
      fake.message(subscribe('1', '{ a }'))
      fake.message(subscribe('2', 'subscription { silent }'))
      await until(t, () => fake.log.length === 3)
      t.same(fake.log, [
        '{"type":"connection_ack"}',
        '{"id":"1","type":"next","payload":{"data":{"a":1}}}',
        '{"id":"1","type":"complete"}',
      ])
      await until(t, () => sources.open === 1)
      fake.closed()
      // graphql 16 may still be subscribing.
      await until(t, () => sources.open === 0)
      t.same(runtime.stats(), { open: 0, waiting: 0 })
    })

    await t.test('close what is binary', async (t) => {
      await nextTurn()
      const fake = create().open(t)
      fake.message(new Uint8Array(1))
      t.same(fake.log, ['<4400>'])
    })

    await t.test('let operations wait until the client has read', async (t) => {
      await nextTurn()
      const fake = create({ maxUnsent: 65_536 }).open(t)
      fake.message(init)
      fake.unsent = 70_000
      fake.message(subscribe('1', '{ a }'))
      fake.message(subscribe('2', '{ a }'))
      t.equal(fake.log.length, 1)
      // Standard sockets have no event for it, and look from time to time once they have sent.
      fake.message('{"type":"ping"}')
      fake.drained()
      if (name === 'standard sockets') return
      await until(t, () => fake.log.length === 6)
      t.match(fake.log.join(), /"1".*"2".*"pong"/)
    })

    await t.test('hold what comes too fast, up to a limit', async (t) => {
      await nextTurn()
      const fake = create({ messagesPerSecond: 1, messageBurst: 5, maxMessageBytes: 800 }).open(t)
      for (let at = 0; at < 14; at += 1) fake.message('{"type":"ping"}')
      t.same(fake.log.length, 5)
      for (let at = 0; at < 100; at += 1) fake.message('{"type":"ping"}')
      t.equal(fake.log[5], '<1008>')
    })

    await t.test('shut down', async (t) => {
      await nextTurn()
      const runtime = create()
      const fake = runtime.open(t)
      fake.message(init)
      const closed = runtime.close({ spread: 0 })
      t.same(fake.log.slice(1), ['<1001>'])
      t.equal(runtime.refuse(handshake())?.status, 503)
      fake.closed()
      t.same(await closed, { closed: 1, cut: 0 })
    })
  })
}

void t.test('standard sockets are polled while the client does not read', async (t) => {
  await nextTurn()
  const fake = standardRuntime({ maxUnsent: 65_536 }).open(t)
  fake.message(init)
  const send = fake.log.push.bind(fake.log)
  // What is sent stays unsent.
  fake.log.push = (...texts) => {
    fake.unsent += texts.join('').length
    return send(...texts)
  }
  fake.message(subscribe('1', '{ big }'))
  fake.message(subscribe('2', '{ big }'))
  for (const length of [2, 4, 5]) {
    await until(t, () => fake.log.length === length)
    fake.unsent = 0
  }
})

// oxfmt-ignore
const ends: readonly [what: string, end: (runtime: Runtime, fake: Fake) => unknown, log: RegExp][] = [
  ['sent before a socket goes away', (runtime) => runtime.close({ spread: 0 }),             /"next".*"complete".*"next".*"complete".*<1001>$/],
  ['dropped with a socket',          (_, fake) => fake.message(new Uint8Array(1)), /^((?!complete).)*<4400>$/],
]
for (const [what, end, log] of ends) {
  void t.test(`what a standard socket has not been given is ${what}`, async (t) => {
    await nextTurn()
    const runtime = standardRuntime({ maxUnsent: 65_536 })
    const fake = runtime.open(t)
    fake.message(init)
    const send = fake.log.push.bind(fake.log)
    fake.log.push = (...texts) => {
      fake.unsent += texts.join('').length
      return send(...texts)
    }
    fake.message(subscribe('1', '{ later }'))
    fake.message(subscribe('2', '{ later }'))
    await until(t, () => delayed.length === 2)
    for (const give of delayed.splice(0)) give()
    await until(t, () => fake.log.length === 2)
    for (let turn = 0; turn < 5; turn += 1) await nextTurn()
    end(runtime, fake)
    t.match(fake.log.slice(1).join(''), log)
  })
}

const MiB = 1024 * 1024

/** How sockets end, of which so much is unread. */
// oxfmt-ignore
const unreadEnds: readonly (readonly [name: string, unread: number, end: (fake: Fake) => void])[] = [
  ['holds too much',          MiB + 1, () => {}],
  ['is closed',               MiB,     (fake) => fake.message('{')],
  ['is closed by its client', MiB,     (fake) => { fake.isClosing = true; fake.message('{') }],
]
for (const [name, unread, end] of unreadEnds) {
  void t.test(`a standard socket that ${name} counts until it has closed`, async (t) => {
    await nextTurn()
    const { open, refuse } = standardRuntime({ maxUnreadBytes: MiB })
    const other = open(t)
    other.message(init)
    const fake = open(t)
    fake.growth = unread
    fake.message('{"type":"ping"}')
    await until(t, () => fake.log.length > 0)
    end(fake)
    await until(t, () => refuse(handshake())?.status === 503)
    other.message(subscribe('1', '{ a }'))
    await until(t, () => other.log.length === 2)
    t.match(other.log.at(-1), /OVERLOADED/)
    fake.closed()
    t.equal(refuse(handshake()), undefined)
    other.message(subscribe('2', '{ a }'))
    await until(t, () => other.log.length === 4)
  })
}

void t.test('Bun cuts a socket that has lost a message', async (t) => {
  await nextTurn()
  const fake = bunRuntime().open(t)
  fake.log.push = (text) => {
    fake.log[fake.log.length] = text
    return 0
  }
  fake.message(init)
  await until(t, () => fake.log.length === 2)
  t.same(fake.log, ['{"type":"connection_ack"}', '<terminate>'])
  const { websocket } = bunWebSocket(endpoint, { maxUnreadBytes: 2 ** 40 })
  t.equal(websocket.backpressureLimit, 2 ** 31 - 1)
})

void t.test('standard sockets that are too long', async (t) => {
  const fake = standardRuntime({ maxMessageBytes: 10 }).open(t)
  fake.message(init)
  t.same(fake.log, ['<1009>'])
})

void t.test('the size of a message is that of its bytes', async (t) => {
  const fake = standardRuntime({ maxMessageBytes: 40 }).open(t)
  fake.message('{"type":"ping"}'.padEnd(40))
  fake.message('{"type":"ping","payload":{"a":"€€€€€€"}}')
  await until(t, () => fake.log.length === 2)
  t.same(fake.log, ['{"type":"pong"}', '<1009>'])
})

void t.test('runtimes that take codes of applications only', async (t) => {
  const runtime = standardRuntime({}, false)
  const fake = runtime.open(t)
  void runtime.close({ spread: 0 })
  t.same(fake.log, ['<4001>'])
})

void t.test('Bun refuses what is no handshake', async (t) => {
  const { upgrade } = bunWebSocket(endpoint)
  t.equal(upgrade(handshake(), { upgrade: () => false })?.status, 400)
})

void t.test('a wrong endpoint is a TypeError', async (t) => {
  t.throws(() => createSocketAcceptor({} as never), /createSocketAcceptor: expected an endpoint/)
  t.throws(() => bunWebSocket(endpoint, { maxSocket: 1 } as never), /maxSocket is not an option/)
})
