import { connect, createServer } from 'node:http2'
import t, { type Test } from 'tap'
import { toNodeListener, toNodeResponder } from '../../../../../src/hosts/node/index.js'
import { http2Client } from '../../../../hosts/http2-client.js'
import { jsonOf, valueOf } from '../../../../hosts/exchange.js'
import { endStream, frameTypes, rawHttp2Client, type Frame } from '../../raw-http2-client.js'
import { close, listen } from '../../../../hosts/start-node.js'
import {
  createTestedHandler,
  maxBodyBytes,
  type TestedHandler,
} from '../../../../hosts/tested-handler.js'

interface Served extends TestedHandler {
  readonly port: number
  /** Resolves when the server has closed the first stream. */
  readonly closed: () => Promise<void>
}

async function serve(t: Test, inFramework = false): Promise<Served> {
  const tested = createTestedHandler()
  const listener = toNodeListener(tested.handler)
  const respond = toNodeResponder(tested.handler)
  const server = createServer()
  let closed: Promise<void> | undefined
  server.once('stream', (stream) => {
    closed = new Promise((resolve) => stream.once('close', resolve))
  })
  server.on('request', (incoming, outgoing) => {
    if (!inFramework) return listener(incoming, outgoing)
    void respond(incoming, outgoing).then(({ status, body }) => {
      outgoing.writeHead(status).end(body as string)
    })
  })
  const port = await listen(server)
  t.teardown(() => close(server))
  return { ...tested, port, closed: async () => closed }
}

const mutation = '{"query":"mutation { count }"}'

for (const [name, leave] of [
  ['resets its stream with CANCEL', 8],
  ['resets its stream with NO_ERROR', 0],
  ['resets its connection', undefined],
] as const) {
  void t.test(`a body is not run when the client ${name} before its end`, async (t) => {
    const { port, closed, count, bugs } = await serve(t)
    const client = await rawHttp2Client(port)
    client.head()
    client.data(mutation)
    // A second exchange that is answered shows that the first has reached the server.
    const other = http2Client(`http://127.0.0.1:${port}/graphql`)
    await other.send({ query: '?query={echo(text:"x")}' })
    await other.close()
    if (leave === undefined) client.destroy()
    else client.reset(leave)
    await closed()
    client.destroy()
    t.equal(count(), 0, 'the mutation did not run')
    t.same(bugs, [])
  })
}

void t.test('the same body runs when it has an end', async (t) => {
  const { port, count } = await serve(t)
  const client = await rawHttp2Client(port)
  client.head()
  client.data(mutation, endStream)
  while (!isEnd(await client.next()));
  client.destroy()
  t.equal(count(), 1)
})

for (const inFramework of [false, true]) {
  const where = inFramework ? ', also in a framework' : ''
  void t.test(`413 ends with END_STREAM and then RST_STREAM of NO_ERROR${where}`, async (t) => {
    const client = await rawHttp2Client((await serve(t, inFramework)).port)
    client.head()
    client.data(Buffer.alloc(maxBodyBytes + 1, ' '))
    const frames: Frame[] = []
    for (;;) {
      const frame = await client.next()
      if (frame !== undefined) frames.push(frame)
      if (frame === undefined || frame.type === frameTypes.reset) break
    }
    client.destroy()
    t.ok(isEnd(frames.at(-2)), 'the end of the answer comes first')
    t.same(frames.at(-1)?.payload, Buffer.alloc(4), 'RST_STREAM with NO_ERROR')
  })
}

void t.test('early answers leave the connection to the next requests', async (t) => {
  const { port } = await serve(t)
  const client = http2Client(`http://127.0.0.1:${port}/graphql`)
  const pieces = Array.from({ length: 10 }, () => Buffer.alloc(50_000, ' '))
  const failures = [
    { status: 413, request: { body: pieces } },
    { status: 413, request: { body: pieces, headers: { 'content-length': '500000' } } },
    { status: 415, request: { body: pieces, headers: { 'content-type': 'text/plain' } } },
    { status: 406, request: { body: pieces, headers: { accept: 'text/html' } } },
  ]
  for (const { status, request } of failures) {
    const answer = await client.send(request)
    t.equal(answer.status, status)
    t.equal(valueOf(answer, 'connection'), undefined, 'HTTP/2 knows no Connection')
  }
  const text = 'x'.repeat(maxBodyBytes - 100)
  const answer = await client.send({ body: JSON.stringify({ query: `{ echo(text: "${text}") }` }) })
  t.same(jsonOf(answer), { data: { echo: text } }, 'a body has room to arrive')
  await client.close()
})

void t.test('pseudo-headers are not headers, except for the host', async (t) => {
  const seen: string[] = []
  const { handler } = createTestedHandler()
  const server = createServer(
    toNodeListener((head) => {
      seen.push(...head.headers)
      return handler(head)
    }),
  )
  const port = await listen(server)
  const client = http2Client(`http://127.0.0.1:${port}/graphql`)
  await client.send({ query: '?query={echo(text:"x")}', headers: { 'x-mine': '1' } })
  await client.close()
  await close(server)
  t.same(seen, ['host', `127.0.0.1:${port}`, 'x-mine', '1'])
})

void t.test('cookies that come in several fields are one, where the first stood', async (t) => {
  const seen: string[] = []
  const { handler } = createTestedHandler()
  const server = createServer(
    toNodeListener((head) => {
      seen.push(...head.headers)
      return handler(head)
    }),
  )
  const port = await listen(server)
  const session = connect(`http://127.0.0.1:${port}`)
  const stream = session.request({
    ':path': '/graphql?query={echo(text:"x")}',
    cookie: ['session=abc', 'theme=dark; size=2'],
    'x-mine': 'cookie',
  })
  stream.resume()
  await new Promise((resolve) => stream.once('close', resolve))
  session.close()
  await close(server)
  const cookie = ['cookie', 'session=abc; theme=dark; size=2']
  t.same(seen, ['host', `127.0.0.1:${port}`, ...cookie, 'x-mine', 'cookie'])
})

function isEnd(frame: Frame | undefined): boolean {
  return frame?.type === frameTypes.data && (frame.flags & endStream) !== 0
}
