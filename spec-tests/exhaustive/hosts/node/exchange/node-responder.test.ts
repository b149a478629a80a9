import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createHttp2Server } from 'node:http2'
import { connect } from 'node:net'
import t, { type Test } from 'tap'
import {
  toNodeResponder,
  type FrameworkRequest,
  type NodeResponse,
  type NodeHostOptions,
} from '../../../../../src/hosts/node/index.js'
import type { Handler } from '../../../../../src/index.js'
import { http1Client } from '../../../../hosts/http1-client.js'
import { http2Client } from '../../../../hosts/http2-client.js'
import { postBytes, rawClient } from '../../raw-client.js'
import { close, listen } from '../../../../hosts/start-node.js'
import { createTestedHandler } from '../../../../hosts/tested-handler.js'

type Exchange = [incoming: IncomingMessage, outgoing: ServerResponse]

async function serve(t: Test): Promise<{ port: number; next: () => Promise<Exchange> }> {
  const server = createServer()
  const port = await listen(server)
  t.teardown(() => close(server))
  return { port, next: async () => (await once(server, 'request')) as Exchange }
}

const notFound: Handler = () => ({ status: 404, headers: [], body: '' })
const throwing: Handler = () => {
  throw new Error('secret')
}

/** Answers one query through a framework of three lines. */
async function answerOnce(
  t: Test,
  handler: Handler,
  options: NodeHostOptions = {},
  framework?: FrameworkRequest,
): Promise<NodeResponse> {
  const { port, next } = await serve(t)
  const exchange = next()
  const left = http1Client(`http://127.0.0.1:${port}/`)({ body: '{"query":"{ fail }"}' })
  const answer = await toNodeResponder(handler, options)(...(await exchange), framework)
  ;(await exchange)[1].end()
  await left
  return answer
}

void t.test('the answer is given and not written', async (t) => {
  const answer = await answerOnce(t, createTestedHandler().handler)
  t.match(answer, { status: 294, statusMessage: 'Partial Success', body: /"fail":null/ })
})

void t.test('a status that Node has a phrase for needs none', async (t) => {
  t.match(await answerOnce(t, notFound), { status: 404, statusMessage: undefined })
})

void t.test('HTTP/2 has no phrases', async (t) => {
  const respond = toNodeResponder(createTestedHandler().handler)
  const server = createHttp2Server((incoming, outgoing) => {
    void respond(incoming, outgoing).then((answer) => {
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
  const answer = await answerOnce(t, createTestedHandler().handler, {}, { body })
  t.match(answer, { status: 200, body: /from elsewhere/ })
})

void t.test('a handler that throws is a bug, masked', async (t) => {
  const bugs: unknown[] = []
  const onBug = (bug: unknown, { id }: { id: string }): void => void bugs.push({ bug, id })
  const answer = await answerOnce(t, throwing, { onBug, createId: () => 'id-1' })
  t.equal(answer.status, 500)
  t.match(JSON.parse(answer.body as string), { errors: [{ extensions: { id: 'id-1' } }] })
  t.match(bugs, [{ bug: { message: 'secret' }, id: 'id-1' }])
})

void t.test('a client that disconnects during its body keeps no caller waiting', async (t) => {
  const { port, next } = await serve(t)
  const exchange = next()
  const client = await rawClient(port)
  client.write(postBytes('{"query":"mutation { count }"}').slice(0, -1))
  const { handler, count } = createTestedHandler()
  const answer = toNodeResponder(handler)(...(await exchange))
  client.socket.destroy()
  t.match(await answer, { status: 400, body: '' })
  t.equal(count(), 0)
})

void t.test('a client that has already disconnected keeps no caller waiting', async (t) => {
  const { port, next } = await serve(t)
  const exchange = next()
  const client = await rawClient(port)
  client.write(postBytes('{"query":"mutation { count }"}').slice(0, -1))
  const [incoming, outgoing] = await exchange
  const closed = once(outgoing, 'close')
  client.socket.destroy()
  await closed
  const { handler } = createTestedHandler()
  t.match(await toNodeResponder(handler)(incoming, outgoing), { status: 400, body: '' })
})

void t.test('in a pipeline, too, a stream has one listener for its end', async (t) => {
  let release = (): void => {}
  const released = new Promise<void>((resolve) => (release = resolve))
  const discarded: Handler = ({ onClientGone }) => {
    onClientGone?.(() => {})?.()
    return {
      status: 200,
      headers: [],
      body: { open: () => ({ resume() {}, gone() {}, shutDown() {} }), discard() {} },
    }
  }
  const respond = toNodeResponder(discarded)
  let added: number | undefined
  const server = createServer(async (incoming, outgoing) => {
    if (incoming.url === '/slow') await released
    else {
      const before = outgoing.listenerCount('close')
      await respond(incoming, outgoing)
      added = outgoing.listenerCount('close') - before
      release()
    }
    outgoing.end()
  })
  const port = await listen(server)
  t.teardown(() => close(server))
  const socket = connect(port, '127.0.0.1')
  const get = (target: string): string => `GET ${target} HTTP/1.1\r\nHost: x\r\n\r\n`
  socket.write(get('/slow') + get('/stream'))
  await once(socket, 'data')
  socket.destroy()
  // Frameworks add seven of their own, and Node warns of more than ten.
  t.equal(added, 1)
})
