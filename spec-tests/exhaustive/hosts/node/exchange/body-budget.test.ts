import { once } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { buildSchema } from 'graphql'
import t from 'tap'
import { decoders, toNodeListener } from '../../../../../src/hosts/node/index.js'
import { buildSchema as buildOwnSchema, createHandler } from '../../../../../src/index.js'
import { defer } from '../../../../base/defer.js'
import { jsonOf, valueOf, type HostResponse } from '../../../../hosts/exchange.js'
import { host, ways } from '../../hosted.js'
import { listenFor } from '../../../../hosts/start-node.js'
import { createStreamedEndpoint } from '../../../../hosts/streams/streamed-endpoint.js'
import { postBytes, postRaw, type RawClient } from '../../raw-client.js'
import { uploads, uploadScalar } from '@graphwire/uploads'
import {
  multipart,
  parameters,
  uploadLines,
} from '../../../../../packages/uploads/spec-tests/multipart.js'

const schema = buildSchema('type Query { hello: String }')
const handler = createHandler({ schema, rootValue: { hello: 'world' } })
// All come from one address.
const options = { maxBufferedBytes: 300_000, clientShare: 100 }
const data = { data: { hello: 'world' } }
type Exchange = [IncomingMessage, ServerResponse]

/** A request of so many bytes, and without its last one. */
function post(bytes: number, from = ''): { readonly whole: string; readonly start: string } {
  const whole = postBytes(
    '{"query":"{ hello }"}'.padEnd(bytes),
    from && `X-Forwarded-For: ${from}\r\n`,
  )
  return { whole, start: whole.slice(0, -1) }
}

function upload(bytes: number): string {
  const query = 'mutation ($file: Upload) { read(file: $file) }'
  const operations = JSON.stringify({ query, variables: { file: null } }).padEnd(bytes)
  const parts = parameters(operations, { file: ['variables.file'] })
  const body = multipart(...parts, { name: 'file', filename: 'a', content: 'x' })
  return postBytes(body, '', uploadLines)
}

/** Sends a part of a request, and leaves when the server has read some of its body. */
async function leave(server: Server, { write, socket }: RawClient, part: string): Promise<void> {
  write(part)
  const [incoming] = (await once(server, 'request')) as [IncomingMessage]
  await once(incoming, 'data')
  socket.destroy()
  await new Promise((resolve) => incoming.once('close', resolve))
}

for (const [name, toListener] of ways) {
  void t.test(`${name}: unfinished bodies share a budget, small ones need none`, async (t) => {
    const { connect } = await host(t, options, toListener(handler, options))
    const [first, second, third] = [await connect(), await connect(), await connect()]
    first.write(post(300_000).start)
    second.write(post(200_000).start)
    // Whichever came too late for the rest of the room is refused, at once.
    const refused = (await Promise.race([first.next(), second.next()])) as HostResponse
    t.equal(refused.status, 503)
    t.equal(valueOf(refused, 'retry-after'), '1')
    t.match(jsonOf(refused), { errors: [{ extensions: { code: 'OVERLOADED' } }] })
    t.same(jsonOf(await third.ask(post(60_000).whole)), data)
  })

  void t.test(`${name}: the room is free again when bodies end or clients leave`, async (t) => {
    const { connect, server } = await host(t, options, toListener(handler, options))
    for (let round = 0; round < 3; round++) {
      t.same(jsonOf(await (await connect()).ask(post(300_000).whole)), data)
      await leave(server, await connect(), post(300_000).start)
    }
  })

  for (const until of ['its request has a response', 'the resolvers of a client that left end']) {
    void t.test(`${name}: a body counts until ${until}`, async (t) => {
      let answer = (): void => undefined
      const hello = async () => new Promise((resolve) => (answer = () => resolve('world')))
      const waits = createHandler({ schema, rootValue: { hello } })
      const { connect, server } = await host(t, options, toListener(waits, options))
      const begin = async () => {
        const client = await connect()
        client.write(post(300_000).whole)
        const [incoming, outgoing] = (await once(server, 'request')) as Exchange
        await once(incoming, 'end')
        return { client, outgoing }
      }
      const { client: first, outgoing } = await begin()
      if (until.includes('left')) {
        first.socket.destroy()
        await once(outgoing, 'close')
      }
      const second = await connect()
      t.equal((await second.ask(post(300_000).whole)).status, 503)
      answer()
      if (!until.includes('left')) t.equal((await first.answer()).status, 200)
      const { client: third } = await begin()
      answer()
      t.equal((await third.answer()).status, 200, 'it has room')
    })
  }

  void t.test(`${name}: a body behind another response of a pipeline is given back`, async (t) => {
    const later = createHandler({
      schema,
      rootValue: { hello: async () => new Promise((resolve) => setTimeout(resolve, 20, 'world')) },
    })
    const { connect } = await host(t, options, toListener(later, options))
    for (let round = 0; round < 3; round += 1) {
      const client = await connect()
      client.write('GET /?query={hello} HTTP/1.1\r\nHost: x\r\n\r\n' + post(300_000).whole)
      for (const _ of ['the first', 'the second']) t.equal((await client.answer()).status, 200)
    }
  })

  void t.test(`${name}: a body whose response waits for a stream is given back`, async (t) => {
    const start = defer()
    const source = { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }) }
    const sdl = 'type Query { hello: String } type Subscription { n: Int }'
    const streams = createHandler({
      schema: buildOwnSchema(sdl, {
        Query: { hello: () => 'world' },
        Subscription: { n: { subscribe: () => start.promise.then(() => source) } },
      }),
    })
    const { connect, server } = await host(t, options, toListener(streams, options))
    const first = await connect()
    const stream = postBytes('{"query":"subscription { n }"}', 'Accept: text/event-stream\r\n')
    first.write(stream)
    await once(server, 'request')
    first.write(post(300_000).whole)
    const [, outgoing] = (await once(server, 'request')) as Exchange
    while (!outgoing.writableEnded) await nextTurn()
    start.resolve()
    await first.until(':\n\n')
    t.equal((await (await connect()).ask(post(300_000).whole)).status, 200)
  })

  // A small body counts only if what is parsed of it is large.
  for (const [bytes, room, statuses] of [
    [240_000, options, { '0,': 200, '[],': 503, '{},': 503 }],
    [60_000, { maxBufferedBytes: 50_000 }, { '"a",': 200, '[],': 503 }],
  ] as const) {
    void t.test(`${name}: of ${bytes} bytes, lists and objects count more`, async (t) => {
      const { connect } = await host(t, room, toListener(handler, room))
      for (const [piece, status] of Object.entries(statuses)) {
        const client = await connect()
        const list = piece.repeat(bytes / piece.length)
        const body = `{"query":"{ hello }","extensions":{"list":[${list}0]}}`
        t.equal((await client.ask(postBytes(body))).status, status, piece)
      }
    })
  }

  void t.test(`${name}: a compressed body counts as it is when decoded`, async (t) => {
    const decodes = createHandler({ schema, rootValue: { hello: 'world' }, decoders })
    const { connect } = await host(t, options, toListener(decodes, options))
    for (const [bytes, status] of [
      [300_000, 200],
      [400_000, 503],
      [300_000, 200],
    ] as const) {
      const client = await connect()
      const packed = gzipSync('{"query":"{ hello }"}'.padEnd(bytes))
      const request = postRaw(packed, 'Content-Encoding: gzip\r\n')
      t.equal((await client.ask(request)).status, status, `${bytes}`)
    }
  })

  void t.test(`${name}: operations of an upload count until it has a response`, async (t) => {
    let begun = (): void => undefined
    let answer = (): void => undefined
    const read = async (): Promise<string> => {
      begun()
      return new Promise((resolve) => (answer = () => resolve('all')))
    }
    const sdl = 'scalar Upload  type Query { x: Int }  type Mutation { read(file: Upload): String }'
    const waits = createHandler({
      schema: buildOwnSchema(sdl, { Upload: uploadScalar, Mutation: { read } }),
      uploads: uploads(),
    })
    const { connect, server } = await host(t, options, toListener(waits, options))
    for (let round = 0; round < 2; round += 1) {
      const [first, second] = [await connect(), await connect()]
      const running = new Promise<void>((resolve) => (begun = resolve))
      first.write(upload(300_000))
      await running
      const answerFirst = answer
      const refused = await second.ask(upload(300_000))
      t.equal(refused.status, 503)
      t.match(jsonOf(refused), { errors: [{ extensions: { code: 'OVERLOADED' } }] })
      const small = await connect()
      const runningToo = new Promise<void>((resolve) => (begun = resolve))
      small.write(upload(60_000))
      await runningToo
      answer()
      t.equal((await small.answer()).status, 200, 'small ones need no room')
      answerFirst()
      t.equal((await first.answer()).status, 200)
      await leave(server, await connect(), upload(300_000).slice(0, 250_000))
    }
  })

  void t.test(`${name}: one client has a share of the room`, async (t) => {
    const shared = { ...options, clientShare: 50, trustedProxies: 1 }
    const { connect } = await host(t, shared, toListener(handler, shared))
    const [first, second, third] = [await connect(), await connect(), await connect()]
    first.write(post(200_000, '192.0.2.1').start)
    second.write(post(200_000, '192.0.2.1').start)
    const refused = (await Promise.race([first.next(), second.next()])) as HostResponse
    t.equal(refused.status, 503)
    t.same(jsonOf(await third.ask(post(200_000, '192.0.2.2').whole)), data)
  })
}

// A hundred of them fit on a connection, and their heads into a kilobyte.
void t.test('over HTTP/2, what waits for a body counts with its head', async (t) => {
  const port = await listenFor(t, createHttp2Server(toNodeListener(handler, options)))
  const session = connectHttp2(`http://127.0.0.1:${port}`)
  t.teardown(() => session.destroy())
  const large = { 'x-large': 'x'.repeat(10_000) }
  const begin = (more: object = {}) =>
    session.request({ ':method': 'POST', 'content-type': 'application/json', ...more })
  const statusOf = async (stream: ReturnType<typeof begin>): Promise<unknown> =>
    ((await once(stream, 'response')) as [{ ':status': number }])[0][':status']
  const waiting = Array.from({ length: 10 }, () => begin(large))
  t.equal(await statusOf(begin(large)), 503)
  for (const stream of waiting) stream.destroy()
  const last = begin(large)
  last.end('{"query":"{ hello }"}')
  t.equal(await statusOf(last), 200, 'what left counts no more')
})

void t.test('an open stream keeps nothing of the room', async (t) => {
  const streams = toNodeListener(createStreamedEndpoint().handler, options)
  const { connect } = await host(t, options, streams)
  const stream = await connect()
  const padded = '{"query":"subscription { pushed }"}'.padEnd(300_000)
  stream.write(postBytes(padded, 'Accept: text/event-stream\r\n'))
  await stream.until(':\n\n')
  const other = await connect()
  t.equal((await other.ask(post(300_000).whole)).status, 200)
  stream.socket.destroy()
})

void t.test('what arrives behind a response of something else does not count', async (t) => {
  const listener = toNodeListener(handler, options)
  const { connect, server } = await host(t, options, (incoming, outgoing) => {
    listener(incoming, outgoing)
    if (incoming.headers['x-late'] !== undefined) outgoing.writeHead(503).end()
  })
  for (let round = 0; round < 2; round += 1) {
    const late = await connect()
    const whole = post(300_000).whole.replace('\r\n\r\n', '\r\nX-Late: 1\r\n\r\n')
    late.write(whole.slice(0, 1000))
    const [incoming] = (await once(server, 'request')) as [IncomingMessage]
    t.equal((await late.answer()).status, 503)
    late.write(whole.slice(1000))
    await once(incoming, 'end')
  }
  const client = await connect()
  t.equal((await client.ask(post(300_000).whole)).status, 200)
})
