import { connect, createServer, type Http2ServerResponse } from 'node:http2'
import t, { type Test } from 'tap'
import { toNodeListener, toNodeResponder } from '../../../../../src/hosts/node/index.js'
import { http2Client } from '../../../../hosts/http2-client.js'
import { jsonOf, valueOf } from '../../../../hosts/exchange.js'
import { endStream, frameTypes, rawHttp2Client, type Frame } from '../../raw-http2-client.js'
import { exchange, secured } from '../../secured.js'
import { listenFor } from '../../../../hosts/start-node.js'
import { createTestedHandler, maxBodyBytes } from '../../../../hosts/tested-handler.js'

async function serve(t: Test, inFramework = false) {
  const tested = createTestedHandler()
  const seen: string[] = []
  const listener = toNodeListener((head) => {
    seen.push(...head.headers)
    return tested.handler(head)
  })
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
  const port = await listenFor(t, server)
  return { ...tested, port, seen, closed: async () => closed }
}

void t.test('a listener that fails in the middle of its response resets the stream', async (t) => {
  const { session } = await secured(t, { onBug: () => undefined }, async (_incoming, outgoing) => {
    outgoing.writeHead(200)
    ;(outgoing as Http2ServerResponse).write('half')
    await new Promise(setImmediate)
    throw new Error('no more')
  })
  t.match(await exchange(session(), { ':path': '/' }), { status: 200, code: 8 })
})

for (const [name, leave] of [
  ['resets its stream with CANCEL', 8],
  ['resets its stream with NO_ERROR', 0],
  ['resets its connection', undefined],
] as const) {
  void t.test(`a body is not run when the client ${name} before its end`, async (t) => {
    const { port, closed, count, bugs } = await serve(t)
    const client = await rawHttp2Client(port)
    client.head()
    client.data('{"query":"mutation { count }"}')
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

for (const inFramework of [false, true]) {
  const where = inFramework ? ', also in a framework' : ''
  void t.test(`413 ends with END_STREAM and then RST_STREAM of NO_ERROR${where}`, async (t) => {
    const client = await rawHttp2Client((await serve(t, inFramework)).port)
    client.head()
    client.data(Buffer.alloc(maxBodyBytes + 1, ' '))
    const frames: (Frame | undefined)[] = []
    do frames.push(await client.next())
    while (![undefined, frameTypes.reset].includes(frames.at(-1)?.type as never))
    client.destroy()
    t.match(frames.at(-2), { type: frameTypes.data, flags: endStream }, 'the end comes first')
    t.same(frames.at(-1)?.payload, Buffer.alloc(4), 'RST_STREAM with NO_ERROR')
  })
}

void t.test('early answers leave the connection to the next requests', async (t) => {
  const { port } = await serve(t)
  const client = http2Client(`http://127.0.0.1:${port}/graphql`)
  const body = Array.from({ length: 10 }, () => Buffer.alloc(50_000, ' '))
  for (const [status, headers] of [
    [413, {}],
    [413, { 'content-length': '500000' }],
    [415, { 'content-type': 'text/plain' }],
    [406, { accept: 'text/html' }],
  ] as const) {
    const answer = await client.send({ body, headers })
    t.equal(answer.status, status)
    t.equal(valueOf(answer, 'connection'), undefined, 'HTTP/2 knows no Connection')
  }
  const text = 'x'.repeat(maxBodyBytes - 100)
  const answer = await client.send({ body: JSON.stringify({ query: `{ echo(text: "${text}") }` }) })
  t.same(jsonOf(answer), { data: { echo: text } }, 'a body has room to arrive')
  await client.close()
})

void t.test('the handler sees no pseudo-headers but the host, and one cookie', async (t) => {
  const { port, seen } = await serve(t)
  const session = connect(`http://127.0.0.1:${port}`)
  const stream = session.request({
    ':path': '/graphql?query={echo(text:"x")}',
    cookie: ['session=abc', 'theme=dark; size=2'],
    'x-mine': 'cookie',
  })
  await new Promise((resolve) => stream.resume().once('close', resolve))
  session.close()
  const cookie = ['cookie', 'session=abc; theme=dark; size=2']
  t.same(seen, ['host', `127.0.0.1:${port}`, ...cookie, 'x-mine', 'cookie'])
})
