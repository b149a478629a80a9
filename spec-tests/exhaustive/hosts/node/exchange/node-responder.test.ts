import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer as createHttp2Server } from 'node:http2'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import {
  toNodeResponder,
  type FrameworkRequest,
  type NodeResponse,
  type NodeHostOptions,
} from '../../../../../src/hosts/node/index.js'
import type { Flow, Sink } from '../../../../../src/http/message.js'
import type { Handler } from '../../../../../src/index.js'
import { defer } from '../../../../base/defer.js'
import { thrower } from '../../../../base/thrower.js'
import { http2Client } from '../../../../hosts/http2-client.js'
import { plain } from '../../hosted.js'
import { postBytes, type RawClient } from '../../raw-client.js'
import { close, listen } from '../../../../hosts/start-node.js'
import { createTestedHandler } from '../../../../hosts/tested-handler.js'

type Exchange = [incoming: IncomingMessage, outgoing: ServerResponse]

/** A request as a framework has it: nobody answers it yet. */
async function begin(t: Test, bytes: string): Promise<{ client: RawClient; exchange: Exchange }> {
  const { server, connect: open } = await plain(t, () => {})
  const client = await open()
  client.write(bytes)
  return { client, exchange: (await once(server, 'request')) as Exchange }
}

async function respond(
  t: Test,
  handler: Handler,
  options: NodeHostOptions = {},
  framework?: FrameworkRequest,
): Promise<NodeResponse> {
  const { exchange } = await begin(t, postBytes('{"query":"{ fail }"}'))
  return toNodeResponder(handler, options)(...exchange, framework)
}

void t.test('the answer is given and not written', async (t) => {
  const answer = await respond(t, createTestedHandler().handler)
  t.match(answer, { status: 294, statusMessage: 'Partial Success', body: /"fail":null/ })
})

void t.test('a status that Node has a phrase for needs none', async (t) => {
  const notFound: Handler = () => ({ status: 404, headers: [], body: '' })
  t.match(await respond(t, notFound), { status: 404, statusMessage: undefined })
})

void t.test('HTTP/2 has no phrases', async (t) => {
  const respondLater = toNodeResponder(createTestedHandler().handler)
  const server = createHttp2Server((incoming, outgoing) => {
    void respondLater(incoming, outgoing).then((answer) => {
      t.match(answer, { status: 294, statusMessage: undefined })
      outgoing.writeHead(answer.status).end()
    })
  })
  const client = http2Client(`http://127.0.0.1:${await listen(server)}/`)
  await client.send({ query: '?query={fail}' })
  await client.close()
  await close(server)
})

void t.test('a body that the framework keeps elsewhere is used', async (t) => {
  const body = { query: '{ echo(text: "from elsewhere") }' }
  const answer = await respond(t, createTestedHandler().handler, {}, { body })
  t.match(answer, { status: 200, body: /from elsewhere/ })
})

void t.test('a handler that throws is a bug, masked', async (t) => {
  const bugs: unknown[] = []
  const onBug = (bug: unknown, { id }: { id: string }): void => void bugs.push([String(bug), id])
  const options = { onBug, createId: () => 'id-1' }
  const answer = await respond(t, thrower(new Error('secret')), options)
  t.equal(answer.status, 500)
  t.match(JSON.parse(answer.body as string), { errors: [{ extensions: { id: 'id-1' } }] })
  t.same(bugs, [['Error: secret', 'id-1']])
})

for (const when of ['during its body', 'before it is asked for']) {
  void t.test(`a client that disconnects ${when} keeps no caller waiting`, async (t) => {
    const part = postBytes('{"query":"mutation { count }"}').slice(0, -1)
    const { client, exchange } = await begin(t, part)
    const { handler, count } = createTestedHandler()
    const early = when === 'during its body' && toNodeResponder(handler)(...exchange)
    const closed = once(exchange[1], 'close')
    client.socket.destroy()
    await closed
    const answer = await (early || toNodeResponder(handler)(...exchange))
    t.match(answer, { status: 400, body: '' })
    t.equal(count(), 0)
  })
}

void t.test(
  'a client that has left before a stream was made keeps no caller waiting',
  async (t) => {
    const { client, exchange } = await begin(t, postBytes('{"query":"{ a }"}'))
    let discarded = 0
    const open = () => ({ resume() {}, gone() {}, shutDown() {} })
    const body = { open, discard: () => void (discarded += 1) }
    const closed = once(exchange[1], 'close')
    const answer = toNodeResponder(async () => {
      await closed
      return { status: 200, headers: [], body }
    })(...exchange)
    client.socket.destroy()
    t.match(await answer, { body: '' })
    await new Promise(setImmediate)
    t.equal(discarded, 1)
  },
)

void t.test('a stream that is cut as it opens is ended, not discarded', async (t) => {
  const told: string[] = []
  const flow = { resume() {}, gone: () => void told.push('gone'), shutDown() {} }
  const open = (sink: Sink): Flow => {
    sink.cut()
    return flow
  }
  const body = { open, discard: () => void told.push('discard') }
  const { exchange } = await begin(t, postBytes('{"query":"{ a }"}'))
  const answer = await toNodeResponder(() => ({ status: 200, headers: [], body }))(...exchange)
  await t.rejects(text(answer.body as Readable), /The stream was cut/)
  t.same(told, ['gone'])
})

void t.test('in a pipeline, too, a stream has one listener for its end', async (t) => {
  const released = defer()
  const discarded: Handler = ({ onClientGone }) => {
    onClientGone?.(() => {})?.()
    return {
      status: 200,
      headers: [],
      body: { open: () => ({ resume() {}, gone() {}, shutDown() {} }), discard() {} },
    }
  }
  let added: number | undefined
  const { connect } = await plain(t, async (incoming, outgoing) => {
    if (incoming.url === '/slow') await released.promise
    else {
      const before = outgoing.listenerCount('close')
      await toNodeResponder(discarded)(incoming, outgoing)
      added = outgoing.listenerCount('close') - before
      released.resolve()
    }
    outgoing.end()
  })
  const get = (target: string): string => `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`
  const client = await connect()
  client.write(get('/slow') + get('/stream'))
  await once(client.socket, 'data')
  // Frameworks add seven of their own, and Node warns of more than ten.
  t.equal(added, 1)
})

void t.test('a request behind the last of its connection keeps no caller waiting', async (t) => {
  const settled: Promise<NodeResponse>[] = []
  const answer = toNodeResponder(() => ({ status: 200, headers: [], body: '' }))
  const { server, connect } = await plain(t, (...exchange) => {
    settled.push(answer(...exchange))
    if (settled.length === 2) server.emit('both')
  })
  const both = once(server, 'both')
  const client = await connect()
  const chunked =
    'GET / HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'
  client.write(chunked + chunked)
  await both
  client.socket.destroy()
  t.match(await Promise.all(settled), [{ status: 200 }, { status: 400 }])
})
