import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { connect as connectHttp2, createServer as createHttp2Server } from 'node:http2'
import { connect, type Socket } from 'node:net'
import t, { type Test } from 'tap'
import { buildSchema } from '../../../src/graphql/schema/build-schema.js'
import { toFetch } from '../../../src/hosts/fetch.js'
import { toNodeListener } from '../../../src/hosts/node/index.js'
import { createEndpoint, type OperationRequest } from '../../../src/index.js'
import { accepts, without17 } from '../../incremental/client.js'
import { postBytes } from './raw-client.js'
import { close, listen } from '../../hosts/start-node.js'

const skip = without17
const first = '{"data":{"now":1},"pending":[{"id":"0","path":[]}],"hasNext":true}'
const last =
  '{"hasNext":false,"incremental":[{"id":"0","data":{"later":2}}],"completed":[{"id":"0"}]}'
const partHead = '\r\nContent-Type: application/json; charset=utf-8\r\n\r\n'
const body = JSON.stringify({ query: '{ now ... @defer { later } }' })

interface Tested {
  readonly endpoint: ReturnType<typeof createEndpoint>
  /** Called by the resolver of what is deferred. */
  onLater: (request: OperationRequest) => unknown
}

function createTested(): Tested {
  const schema = buildSchema('type Query { now: Int  later: Int }', {
    Query: {
      now: () => 1,
      later: (_: unknown, __: unknown, request: OperationRequest) => tested.onLater(request),
    },
  })
  const tested: Tested = { endpoint: createEndpoint({ schema }), onLater: () => 2 }
  return tested
}

/** A server of HTTP/1.1. */
async function start(
  t: Test,
): Promise<{ readonly tested: Tested; readonly port: number; readonly server: Server }> {
  const tested = createTested()
  const server = createServer(toNodeListener(tested.endpoint.handler))
  const port = await listen(server)
  t.teardown(() => close(server))
  return { tested, port, server }
}

async function ask(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  const headers = `Accept: ${accepts['v0.2']}\r\nConnection: close\r\n`
  socket.write(postBytes(body, headers))
  return socket
}

/** Reads until a text has come. */
async function readTo(socket: Socket, text: string): Promise<string> {
  let seen = ''
  while (!seen.includes(text)) seen += String((await once(socket, 'data'))[0])
  return seen
}

void t.test(
  'HTTP/1.1: the bytes, each part with its delimiter in one chunk',
  { skip },
  async (t) => {
    const { port } = await start(t)
    const socket = await ask(port)
    let seen = ''
    socket.setEncoding('utf8').on('data', (text: string) => (seen += text))
    await once(socket, 'end')
    const [head = '', ...rest] = seen.split('\r\n\r\n')
    t.match(head, /^HTTP\/1\.1 200 OK\r\n/)
    t.match(head, /\r\nTransfer-Encoding: chunked/)
    t.notMatch(head, /Content-Length/)
    const chunk = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`
    const pieces = [
      '\r\n---',
      `${partHead}${first}\r\n---`,
      `${partHead}${last}\r\n---`,
      '--\r\n',
      '',
    ]
    t.equal(rest.join('\r\n\r\n'), pieces.map(chunk).join(''))
  },
)

void t.test('HTTP/1.1: the first part leaves before deferred work starts', { skip }, async (t) => {
  const { tested, port, server } = await start(t)
  const accepted = once(server, 'connection') as Promise<[Socket]>
  const socket = await ask(port)
  const [serverSide] = await accepted
  let unsent = -1
  let sent = 0
  // Deferred work may block: what is not with the system by now would wait for it.
  tested.onLater = () => {
    unsent = serverSide.writableLength
    sent = serverSide.bytesWritten
    return 2
  }
  const seen = await readTo(socket, last)
  t.equal(unsent, 0)
  t.equal(sent, seen.indexOf(first) + `${first}\r\n---\r\n`.length)
})

// oxfmt-ignore
const ways: readonly [name: string, leave: (socket: Socket) => void][] = [
  ['closes',      (socket) => void socket.destroy()],
  ['resets',      (socket) => void socket.resetAndDestroy()],
  ['half-closes', (socket) => void socket.end()],
]
for (const [name, leave] of ways) {
  void t.test(`HTTP/1.1: a client that ${name} cancels what is deferred`, { skip }, async (t) => {
    const { tested, port } = await start(t)
    const socket = await ask(port)
    const aborted = new Promise<string>((resolve) => {
      tested.onLater = async ({ signal }) => {
        leave(socket)
        await once(signal, 'abort')
        resolve((signal.reason as { readonly reason: string }).reason)
      }
    })
    socket.on('error', () => {}).resume()
    t.equal(await aborted, 'client-gone')
    t.equal(tested.endpoint.stats().open, 0)
  })
}

void t.test('HTTP/2: the same bytes without chunks, and a reset cancels', { skip }, async (t) => {
  const tested = createTested()
  const server = createHttp2Server(toNodeListener(tested.endpoint.handler))
  const port = await listen(server)
  const session = connectHttp2(`http://127.0.0.1:${port}`)
  t.teardown(async () => {
    session.close()
    await close(server)
  })
  const request = () => {
    const stream = session.request({
      ':method': 'POST',
      ':path': '/graphql',
      'content-type': 'application/json',
      accept: accepts['v0.2'],
    })
    stream.end(body)
    return stream.setEncoding('utf8')
  }
  const whole = request()
  const [headers] = (await once(whole, 'response')) as [{ readonly [name: string]: string }]
  t.equal(headers['content-type'], 'multipart/mixed; boundary="-"; incrementalSpec=v0.2')
  t.notOk('transfer-encoding' in headers)
  let seen = ''
  for await (const text of whole) seen += String(text)
  t.equal(seen, `\r\n---${partHead}${first}\r\n---${partHead}${last}\r\n-----\r\n`)

  const leaving = request()
  const aborted = new Promise<void>((resolve) => {
    tested.onLater = async ({ signal }) => {
      leaving.close(8)
      await once(signal, 'abort')
      resolve()
    }
  })
  leaving.on('error', () => {}).resume()
  await aborted
  t.equal(tested.endpoint.stats().open, 0)
})

void t.test('fetch: the same bytes, and cancelling the body cancels', { skip }, async (t) => {
  const tested = createTested()
  const answer = toFetch(tested.endpoint.handler)
  const request = (): Request =>
    new Request('http://localhost/graphql', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: accepts['v0.2'] },
      body,
    })
  const text = await (await answer(request())).text()
  t.equal(text, `\r\n---${partHead}${first}\r\n---${partHead}${last}\r\n-----\r\n`)

  let cancel = (): unknown => undefined
  const aborted = new Promise<void>((resolve) => {
    tested.onLater = async ({ signal }) => {
      signal.addEventListener('abort', () => resolve())
      void cancel()
      return new Promise(() => {})
    }
  })
  const reader = (await answer(request())).body?.getReader()
  cancel = () => reader?.cancel()
  await Promise.all([aborted, reader?.read().then(() => reader.read())])
  t.equal(tested.endpoint.stats().open, 0)
})
