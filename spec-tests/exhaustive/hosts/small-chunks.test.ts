import { buildSchema } from 'graphql'
import t from 'tap'
import { toFetch } from '../../../src/hosts/fetch.js'
import { toNodeListener } from '../../../src/hosts/node/index.js'
import { createHandler } from '../../../src/index.js'
import { jsonOf } from '../../hosts/exchange.js'
import { host, ways } from './hosted.js'
import { chunkedHead, chunkOf } from './raw-client.js'
import { endStream, frameTypes } from './raw-http2-client.js'
import { secured } from './secured.js'
import { createTestedHandler } from '../../hosts/tested-handler.js'

const options = { maxSmallChunks: 100 }
const { handler } = createTestedHandler()
const query = '{"query":"{ echo(text: \\"x\\") }"}'
const message = 'The body has more than 100 chunks of less than 64 bytes.'
const refusal = { errors: [{ message, extensions: { code: 'TOO_MANY_CHUNKS' } }] }

for (const [name, toListener] of ways) {
  void t.test(`${name}: an unfinished body in too many small chunks answers 413`, async (t) => {
    const listener = toListener(handler, options)
    const client = await (await host(t, { lingerTimeout: 60_000 }, listener)).connect()
    const answer = await client.ask(chunkedHead + chunkOf(' ').repeat(101))
    t.equal(answer.status, 413)
    t.same(jsonOf(answer), refusal)
  })

  void t.test(`${name}: as many as allowed are read, and larger ones do not count`, async (t) => {
    const client = await (await host(t, {}, toListener(handler, options))).connect()
    const small = query.padEnd(100).split('').map(chunkOf).join('')
    const large = chunkOf(' '.repeat(64)).repeat(101)
    const answer = await client.ask(`${chunkedHead}${small}${large}0\r\n\r\n`)
    t.same(jsonOf(answer), { data: { echo: 'x' } })
  })
}

void t.test('what is read and dropped behind an early answer counts its chunks', async (t) => {
  const { connect } = await host(t, { lingerBytes: 1_000_000, lingerTimeout: 60_000 })
  const client = await connect()
  t.equal(
    (await client.ask(chunkedHead.replace('POST', 'PUT') + chunkOf(' ').repeat(1_000))).status,
    405,
  )
  await client.ended()
})

void t.test('over HTTP/2 small frames count, and only their stream ends', async (t) => {
  const client = await (await secured(t, {}, toNodeListener(handler, options))).frames()
  client.head()
  for (let at = 0; at < 101; at += 1) client.data(' ')
  t.equal((await client.next())?.type, frameTypes.headers)
  t.same(JSON.parse(String((await client.next())?.payload)), refusal)
  client.head(3)
  client.data(query, endStream, 3)
  let frame = await client.nextOf(frameTypes.data)
  while (frame?.stream !== 3) frame = await client.nextOf(frameTypes.data)
  t.same(JSON.parse(String(frame.payload)), { data: { echo: 'x' } })
})

void t.test('toFetch refuses more than 10,000 small chunks, and reads on to a limit', async (t) => {
  let pulled = 0
  let cancelled = false
  const body = new ReadableStream(
    {
      pull(controller) {
        pulled += 1
        controller.enqueue(Uint8Array.of(32))
      },
      cancel: () => void (cancelled = true),
    },
    { highWaterMark: 0 },
  )
  const headers = { 'Content-Type': 'application/json' }
  const request = new Request('http://x/', { method: 'POST', headers, body, duplex: 'half' })
  const generous = createHandler({ schema: buildSchema('type Query { x: String }') })
  const response = await toFetch(generous)(request)
  t.equal(response.status, 413)
  t.match(await response.json(), { errors: [{ extensions: { code: 'TOO_MANY_CHUNKS' } }] })
  t.ok(pulled > 10_001 && pulled < 30_000)
  t.ok(cancelled)
})
