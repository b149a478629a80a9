import { once } from 'node:events'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { toNodeListener, type ConnectionOptions } from '../../../../../src/hosts/node/index.js'
import { buildSchema, createHandler, type HttpResponse } from '../../../../../src/index.js'
import { jsonOf, valueOf, type HostResponse } from '../../../../hosts/exchange.js'
import { host } from '../../hosted.js'
import { chunkedHead as chunked, postBytes } from '../../raw-client.js'

const echo = (text: string): string =>
  postBytes(JSON.stringify({ query: `{ echo(text: "${text}") }` }))
const slow = postBytes('{"query":"{ wait }"}')
const mutation = postBytes('{"query":"mutation { count }"}')
const impatient: ConnectionOptions = {
  headersTimeout: 300,
  requestTimeout: 600,
  connectionsCheckingInterval: 10,
}

/** What is sent, how it is answered, and a part of the message. */
// oxfmt-ignore
const faults: readonly [
  name: string,
  bytes: string,
  status: number,
  message: RegExp,
  options?: ConnectionOptions,
][] = [
  ['no request at all',                 'quite secret\r\n\r\n',                                             400, /^Malformed/],
  ['another protocol',                  '\x16\x03\x01secret\r\n\r\n',                                       400, /^Malformed/],
  ['a length that is none',             'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: secret\r\n\r\n',     400, /^Malformed/],
  ['a chunk without a size',            `${chunked}secret\r\n`,                                             400, /^Malformed/],
  ['a head that is too long',           `GET / HTTP/1.1\r\nHost: x\r\nA: ${'secret'.repeat(3000)}\r\n\r\n`, 431, /16384 bytes/],
  ["a head above a limit of one's own", `GET / HTTP/1.1\r\nHost: x\r\nA: ${'secret'.repeat(40)}\r\n\r\n`,   431, /200 bytes/,     { maxHeaderBytes: 200 }],
  ['chunks with long extensions',       `${chunked}1;${'secret'.repeat(3000)}\r\n`,                         413, /extensions/],
  ['a head that never ends',            'GET / HTTP/1.1\r\nHost: secret',                                   408, /300 ms.* 600 ms/, impatient],
  ['nothing at all',                    '',                                                                 408, /300 ms/,          impatient],
  ['a body that never ends',            slow.slice(0, -1),                                                  408, /600 ms/,          impatient],
  ['CONNECT',                           'CONNECT secret:1 HTTP/1.1\r\nHost: secret:1\r\n\r\n',              405, /CONNECT/],
  ['CONNECT without Host',              'CONNECT secret:1 HTTP/1.1\r\n\r\n',                                400, /Host/],
]

for (const [name, bytes, status, message, options] of faults) {
  void t.test(`${name} is answered with ${status}`, async (t) => {
    const { connect, bugs } = await host(t, options)
    const client = await connect()
    const answer = await client.ask(bytes)
    t.equal(answer?.status, status)
    t.match(messageOf(answer), message)
    t.notMatch(answer?.body.toString(), /secret/)
    checkHead(t, answer)
    t.equal(await client.ended(), '', 'once')
    t.same(bugs, [])
  })

  // A connection that says nothing between two requests is idle, and no fault.
  if (bytes === '') continue
  void t.test(`${name} in a pipeline waits for its turn`, async (t) => {
    const { connect, nextWaiting } = await host(t, options)
    const client = await connect()
    client.write(slow + echo('two') + bytes)
    const { finish } = await nextWaiting()
    finish('one')
    t.same(jsonOf(await client.answer()), { data: { wait: 'one' } })
    t.same(jsonOf(await client.answer()), { data: { echo: 'two' } })
    t.equal((await client.answer()).status, status)
    t.equal(await client.ended(), '')
  })
}

function messageOf(answer: HostResponse | undefined): string | undefined {
  const { errors } = (answer && jsonOf(answer)) as { errors: { message: string }[] }
  return errors[0]?.message
}

function checkHead(t: Test, answer?: HostResponse): void {
  for (const [name, value] of /* oxfmt-ignore */ [
    ['content-type',           'application/graphql-response+json; charset=utf-8'],
    ['x-content-type-options', 'nosniff'],
    ['cache-control',          'no-store'],
    ['connection',             'close'],
    ['content-length',         String(answer?.body.byteLength)],
    ['date',                   / GMT$/],
  ] as const) {
    t.match(answer && valueOf(answer, name), value)
  }
}

const text = chunked.replace('application/json', 'text/plain')

for (const [name, rest, code, options] of [
  ['that breaks', 'zz\r\n', /^HPE_/, {}],
  ['that never ends', '1\r\n', /^ERR_HTTP_REQUEST_TIMEOUT$/, impatient],
] as const) {
  void t.test(`the rest of a body ${name} adds nothing to an early answer`, async (t) => {
    const { connect, server } = await host(t, options)
    const client = await connect()
    const fault = once(server, 'clientError')
    t.equal((await client.ask(text)).status, 415)
    client.write(rest)
    t.match(await fault, [{ code }])
    t.equal(await client.ended(), '')
  })
}

void t.test('a late answer to a faulty request writes and breaks nothing', async (t) => {
  const { connect, server, bugs } = await host(t, {}, (incoming, outgoing) => {
    incoming.resume()
    server.once('clientError', () => {
      outgoing.writeHead(200, { 'Content-Length': '4' }).end('late')
    })
  })
  const client = await connect()
  const fault = once(server, 'clientError')
  t.equal((await client.ask(`${chunked}zz\r\n`)).status, 400)
  await fault
  t.equal(await client.ended(), '')
  t.same(bugs, [])
})

void t.test('a body that comes to its end after 408 is not run', async (t) => {
  const { connectBoth, count } = await host(t, impatient)
  const { client, closed } = await connectBoth()
  t.equal((await client.ask(mutation.slice(0, -1))).status, 408)
  client.socket.write(mutation.slice(-1))
  await closed
  t.equal(count(), 0)
})

void t.test('a body that never ends does not wait for the end of a stream', async (t) => {
  async function* subscribe(): AsyncGenerator<object> {
    yield await new Promise(() => undefined)
  }
  const schema = buildSchema('type Query { a: Int } type Subscription { n: Int }', {
    Subscription: { n: { subscribe: () => pause(100).then(subscribe) } },
  })
  const { connect } = await host(t, impatient, toNodeListener(createHandler({ schema })))
  const client = await connect()
  const get = 'GET /?query=subscription{n} HTTP/1.1\r\nHost: x\r\nAccept: text/event-stream\r\n\r\n'
  client.write(get + slow.slice(0, -1))
  await once(client.socket, 'close')
})

void t.test('after a fault nothing more is served, however much comes', async (t) => {
  const { connect, nextWaiting, count, server } = await host(t)
  const client = await connect()
  let complaints = 0
  server.on('clientError', () => (complaints += 1))
  client.write(`${slow}garbage\r\n\r\n`)
  const { finish } = await nextWaiting()
  while (complaints < 3) {
    client.write(mutation)
    await nextTurn()
  }
  finish('one')
  t.same(jsonOf(await client.answer()), { data: { wait: 'one' } })
  t.equal((await client.answer()).status, 400)
  t.equal(await client.ended(), '', 'one error for all faults')
  t.equal(count(), 0)
})

void t.test('a client that resets is not answered', async (t) => {
  const { connectBoth, server } = await host(t)
  const { client, socket, closed } = await connectBoth()
  const fault = once(server, 'clientError')
  client.write('POST / HTTP/1.1\r\nHo')
  while (socket.bytesRead === 0) await nextTurn()
  client.socket.resetAndDestroy()
  t.match(await fault, [{ code: 'ECONNRESET' }])
  await closed
  t.equal(socket.bytesWritten, 0)
})

void t.test('a connection that ends in the middle of a request gets a 400', async (t) => {
  const { connect } = await host(t)
  const client = await connect()
  client.socket.end(slow.slice(0, -1))
  const answer = await client.answer()
  t.equal(answer.status, 400)
  t.match(messageOf(answer), /closed before/)
})

void t.test(
  'a request that ends early in a pipeline learns that its client has left',
  async (t) => {
    const begun: (() => void)[] = []
    const left = new Set<string>()
    const listener = toNodeListener(({ method, onClientGone }) => {
      onClientGone?.(() => void left.add(method))
      return new Promise<HttpResponse>((resolve) => {
        begun.push(() => resolve({ status: 200, headers: [], body: '' }))
      })
    })
    const { connect, server } = await host(t, {}, listener)
    const client = await connect()
    const fault = once(server, 'clientError')
    client.write(`GET / HTTP/1.1\r\nHost: x\r\n\r\n${slow.slice(0, -1)}`)
    while (begun.length < 2) await nextTurn()
    client.socket.end()
    await fault
    begun[0]?.()
    t.equal((await client.answer()).status, 200)
    t.equal((await client.answer()).status, 400)
    t.ok(left.has('POST'))
  },
)

void t.test('a client that does not close is cut half a second after a fault', async (t) => {
  const { client, closed } = await (await host(t)).connectBoth()
  client.socket.allowHalfOpen = true
  client.write('garbage\r\n\r\n')
  await closed
  t.equal((await client.answer()).status, 400)
})
