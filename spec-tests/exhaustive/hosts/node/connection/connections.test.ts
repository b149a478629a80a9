import { createServer } from 'node:http'
import t, { type Test } from 'tap'
import { toNodeListener } from '../../../../../src/hosts/node/index.js'
import { jsonOf, valueOf } from '../../../../hosts/exchange.js'
import { postBytes, rawClient, type RawClient } from '../../raw-client.js'
import { close, listen } from '../../../../hosts/start-node.js'
import { createTestedHandler, type TestedHandler } from '../../../../hosts/tested-handler.js'

interface Served extends TestedHandler {
  readonly connect: () => Promise<RawClient>
}

async function serve(t: Test): Promise<Served> {
  const tested = createTestedHandler()
  const server = createServer(toNodeListener(tested.handler))
  const port = await listen(server)
  t.teardown(() => close(server))
  const connect = async (): Promise<RawClient> => {
    const client = await rawClient(port)
    t.teardown(() => client.socket.destroy())
    return client
  }
  return { ...tested, connect }
}

const echo = (text: string): string =>
  postBytes(JSON.stringify({ query: `{ echo(text: "${text}") }` }))
const echoed = (text: string): object => ({ data: { echo: text } })
const slow = postBytes('{"query":"{ wait }"}')

void t.test('three requests in one write get three answers in order', async (t) => {
  const client = await (await serve(t)).connect()
  client.write(echo('one') + echo('two') + echo('three'))
  for (const text of ['one', 'two', 'three']) {
    const answer = await client.next()
    t.same(answer && jsonOf(answer), echoed(text))
  }
})

void t.test('the order holds where the first is slow', async (t) => {
  const { connect, nextWaiting } = await serve(t)
  const client = await connect()
  client.write(slow + echo('two') + echo('three'))
  const { finish } = await nextWaiting()
  finish('one')
  const answers = [await client.next(), await client.next(), await client.next()]
  t.same(
    answers.map((answer) => answer && jsonOf(answer)),
    [{ data: { wait: 'one' } }, echoed('two'), echoed('three')],
  )
})

void t.test('a refusal in the middle of a pipeline stays in its place', async (t) => {
  const client = await (await serve(t)).connect()
  const refused = echo('two').replace('application/json', 'text/plain')
  client.write(echo('one') + refused + echo('three'))
  const statuses = [await client.next(), await client.next(), await client.next()]
  t.same(
    statuses.map((answer) => answer?.status),
    [200, 415, 200],
  )
})

void t.test('what comes behind a request whose answer closes is not run', async (t) => {
  const { connect, count } = await serve(t)
  const client = await connect()
  const chunked = 'Host: x\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked'
  client.write(`POST / HTTP/1.1\r\n${chunked}\r\n\r\n1\r\na\r\n0\r\n\r\n`)
  client.write(postBytes('{"query":"mutation { count }"}'))
  t.match(await client.next(), { status: 415 })
  t.equal(await client.ended(), '')
  t.equal(count(), 0)
})

void t.test('the connection is kept for the next request', async (t) => {
  const client = await (await serve(t)).connect()
  for (const text of ['one', 'two']) {
    client.write(echo(text))
    const answer = await client.next()
    t.same(answer && jsonOf(answer), echoed(text))
    t.equal(answer && valueOf(answer, 'connection'), 'keep-alive')
  }
})

void t.test('a connection is closed if the client requests it', async (t) => {
  const client = await (await serve(t)).connect()
  client.write(echo('one').replace('Host', 'Connection: close\r\nHost'))
  const answer = await client.next()
  t.equal(answer && valueOf(answer, 'connection'), 'close')
  t.equal(await client.ended(), '')
})

void t.test('a line that names a version which is not spoken here is a 505', async (t) => {
  const { connect, bugs } = await serve(t)
  const client = await connect()
  client.write('POST /graphql HTTP/2.0\r\nHost: localhost\r\n\r\n')
  const answer = await client.next()
  t.equal(answer?.status, 505)
  t.match(answer && jsonOf(answer), {
    errors: [{ extensions: { code: 'HTTP_VERSION_NOT_SUPPORTED' } }],
  })
  t.same(bugs, [])
})

void t.test('a client of HTTP/1.0 gets its answer and the end', async (t) => {
  const client = await (await serve(t)).connect()
  client.write('GET /graphql?query={echo(text:"old")} HTTP/1.0\r\n\r\n')
  const answer = await client.next()
  t.same(answer && jsonOf(answer), echoed('old'))
  t.equal(await client.ended(), '')
})

void t.test('status 294 has its phrase on the status line', async (t) => {
  const client = await (await serve(t)).connect()
  client.write('GET /graphql?query={fail} HTTP/1.1\r\nHost: localhost\r\n\r\n')
  t.match(await client.next(), { status: 294, statusText: 'Partial Success' })
})

void t.test('two lines of Content-Type are refused', async (t) => {
  const client = await (await serve(t)).connect()
  client.write(echo('x').replace('Host', 'Content-Type: application/json\r\nHost'))
  t.match(await client.next(), { status: 415 })
})

void t.test('two lines of Accept are one list', async (t) => {
  const client = await (await serve(t)).connect()
  client.write(echo('x').replace('Host', 'Accept: text/html\r\nAccept: application/json\r\nHost'))
  const answer = await client.next()
  t.equal(answer?.status, 200)
  t.equal(answer && valueOf(answer, 'content-type'), 'application/json; charset=utf-8')
})

void t.test('targets that are not URLs are served like any other', async (t) => {
  const { connect, bugs } = await serve(t)
  const client = await connect()
  for (const target of ['http://[', '//', '/%', '/?%', '*', 'http://a:b@[::1', '/?query=%ff']) {
    const method = target === '*' ? 'OPTIONS' : 'GET'
    for (const name of ['localhost', '[']) {
      client.write(`${method} ${target} HTTP/1.1\r\nHost: ${name}\r\n\r\n`)
      const { status = 0 } = (await client.next()) ?? {}
      t.ok(status >= 200 && status < 500, `${target} of ${name} answers ${status}`)
    }
  }
  t.same(bugs, [])
})

void t.test('a target in absolute form is understood', async (t) => {
  const client = await (await serve(t)).connect()
  client.write('GET http://localhost/graphql?query={echo(text:"x")} HTTP/1.1\r\nHost: x\r\n\r\n')
  const answer = await client.next()
  t.same(answer && jsonOf(answer), echoed('x'))
})
