import type { RequestListener } from 'node:http'
import { buffer } from 'node:stream/consumers'
import t from 'tap'
import { jsonOf, valueOf } from '../../../../hosts/exchange.js'
import { host } from '../../hosted.js'
import { postBytes } from '../../raw-client.js'

const query = '{"query":"{ echo(text: \\"x\\") }"}'
const echoed = { data: { echo: 'x' } }
const headOf = (lines = ''): string =>
  postBytes(query, `Expect: 100-continue\r\n${lines}`).slice(0, -query.length)

/** A listener of somebody else's, that waits a while before it reads. */
const foreign: RequestListener = (incoming, outgoing) => {
  setImmediate(async () => {
    const answer = JSON.stringify({ length: (await buffer(incoming)).length })
    outgoing.setHeader('Content-Length', answer.length)
    outgoing.end(answer)
  })
}

for (const [name, listener, json] of [
  ['the handler', undefined, echoed],
  ["another library's listener", foreign, { length: query.length }],
] as const) {
  void t.test(`${name} reads the body: 100, and the connection is kept`, async (t) => {
    const client = await (await host(t, {}, listener)).connect()
    for (let at = 0; at < 2; at += 1) {
      t.match(await client.ask(headOf()), { status: 100, statusText: 'Continue' })
      const answer = await client.ask(query)
      t.same(jsonOf(answer), json)
      t.equal(valueOf(answer, 'connection'), 'keep-alive')
    }
  })
}

for (const [status, line] of [
  [415, 'Content-Encoding: br\r\n'],
  [406, 'Accept: text/html\r\n'],
] as const) {
  void t.test(`${status} does not send 100 Continue`, async (t) => {
    const client = await (await host(t)).connect()
    const answer = await client.ask(headOf(line))
    t.equal(answer.status, status)
    t.equal(valueOf(answer, 'connection'), 'close')
    // What the client sends all the same is read, so that it does not lose the answer.
    client.write(query)
    t.equal(await client.ended(), '')
    t.equal(client.error(), undefined)
  })
}

void t.test('100 keeps its place in a pipeline', async (t) => {
  const { connect, nextWaiting } = await host(t)
  const client = await connect()
  client.write(postBytes('{"query":"{ wait }"}') + headOf())
  ;(await nextWaiting()).finish('one')
  t.same(jsonOf(await client.answer()), { data: { wait: 'one' } })
  t.match(await client.answer(), { status: 100 })
  t.same(jsonOf(await client.ask(query)), echoed)
})

void t.test('another expectation is refused, and the connection is kept', async (t) => {
  const client = await (await host(t)).connect()
  const answer = await client.ask(postBytes(query, 'Expect: the-unexpected\r\n'))
  t.equal(answer.status, 417)
  t.match(jsonOf(answer), { errors: [{ extensions: { code: 'EXPECTATION_FAILED' } }] })
  t.match(await client.ask(postBytes(query)), { status: 200 })
})

void t.test('a request line without a version is refused', async (t) => {
  const client = await (await host(t)).connect()
  t.match(await client.ask('GET /livez\r\n\r\n'), { status: 400 })
})
