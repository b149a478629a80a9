import type { RequestListener } from 'node:http'
import { buildSchema } from 'graphql'
import t from 'tap'
import { toFetch } from '../../../src/hosts/fetch.js'
import { toNodeListener, toNodeResponder } from '../../../src/hosts/node/index.js'
import { createHandler } from '../../../src/index.js'
import { jsonOf } from '../../hosts/exchange.js'
import { host } from './hosted.js'
import { endStream, frameTypes } from './raw-http2-client.js'
import { secured } from './secured.js'
import { createTestedHandler } from '../../hosts/tested-handler.js'

const options = { maxSmallChunks: 100 }
const { handler } = createTestedHandler()
const head =
  'POST /graphql HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n'
const query = '{"query":"{ echo(text: \\"x\\") }"}'
const refusal = {
  errors: [
    {
      message: 'The body has more than 100 chunks of less than 64 bytes.',
      extensions: { code: 'TOO_MANY_CHUNKS' },
    },
  ],
}

const listeners: readonly [name: string, listener: RequestListener][] = [
  ['toNodeListener', toNodeListener(handler, options)],
  ['toNodeResponder', listenerOf(toNodeResponder(handler, options))],
]

function listenerOf(respond: ReturnType<typeof toNodeResponder>): RequestListener {
  return async (incoming, outgoing) => {
    const { status, headers, body } = await respond(incoming, outgoing)
    const length = String(Buffer.byteLength(body as string))
    outgoing.writeHead(status, [...headers, 'Content-Length', length]).end(body)
  }
}

/** A chunk as HTTP/1.1 sends it. */
function chunk(text: string): string {
  return `${text.length.toString(16)}\r\n${text}\r\n`
}

for (const [name, listener] of listeners) {
  void t.test(`${name}: an unfinished body in too many small chunks answers 413`, async (t) => {
    const { connect } = await host(t, { lingerTimeout: 60_000 }, listener)
    const client = await connect()
    client.write(head + chunk(' ').repeat(101))
    const answer = await client.next()
    t.equal(answer?.status, 413)
    t.same(answer && jsonOf(answer), refusal)
  })

  void t.test(`${name}: as many as allowed are read, and larger ones do not count`, async (t) => {
    const { connect } = await host(t, {}, listener)
    const client = await connect()
    const small = ' '.repeat(100 - query.length)
    const chunks = (query + small).split('').map(chunk).join('') + chunk(' '.repeat(64)).repeat(101)
    client.write(`${head}${chunks}0\r\n\r\n`)
    const answer = await client.next()
    t.same(answer && jsonOf(answer), { data: { echo: 'x' } })
  })
}

void t.test('what is read and dropped behind an early answer counts its chunks', async (t) => {
  const { connect } = await host(t, { lingerBytes: 1_000_000, lingerTimeout: 60_000 })
  const client = await connect()
  client.write(head.replace('POST', 'PUT') + chunk(' ').repeat(1_000))
  t.equal((await client.next())?.status, 405)
  await client.ended()
})

void t.test('over HTTP/2 small frames count, and only their stream ends', async (t) => {
  const { frames } = await secured(t, {}, toNodeListener(handler, options))
  const client = await frames()
  client.head()
  for (let at = 0; at < 101; at += 1) client.data(' ')
  t.equal((await client.next())?.type, frameTypes.headers)
  t.same(JSON.parse(String((await client.next())?.payload)), refusal)
  client.head(3)
  client.data(query, endStream, 3)
  for (;;) {
    const frame = await client.nextOf(frameTypes.data)
    if (frame?.stream !== 3) continue
    t.same(JSON.parse(String(frame.payload)), { data: { echo: 'x' } })
    break
  }
})

void t.test('toFetch refuses more than 10,000 small chunks, and reads no further', async (t) => {
  let pulled = 0
  let cancelled = false
  const body = new ReadableStream(
    {
      pull(controller) {
        pulled += 1
        controller.enqueue(Uint8Array.of(32))
      },
      cancel() {
        cancelled = true
      },
    },
    { highWaterMark: 0 },
  )
  const generous = createHandler({ schema: buildSchema('type Query { x: String }') })
  const response = await toFetch(generous)(
    new Request('http://localhost/graphql', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
      duplex: 'half',
    }),
  )
  t.equal(response.status, 413)
  t.match(await response.json(), { errors: [{ extensions: { code: 'TOO_MANY_CHUNKS' } }] })
  t.equal(pulled, 10_001)
  t.ok(cancelled)
})
