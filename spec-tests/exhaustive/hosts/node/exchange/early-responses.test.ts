import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import t, { type Test } from 'tap'
import { toNodeListener, toNodeResponder } from '../../../../../src/hosts/node/index.js'
import type { NodeHostOptions } from '../../../../../src/hosts/node/index.js'
import type { Handler } from '../../../../../src/index.js'
import { jsonOf, valueOf } from '../../../../hosts/exchange.js'
import { postBytes, rawClient, type RawClient } from '../../raw-client.js'
import { close, listen } from '../../../../hosts/start-node.js'
import { createTestedHandler } from '../../../../hosts/tested-handler.js'

const megabyte = 1024 * 1024

/** The two ways in which an answer gets out. */
const ways: readonly [
  name: string,
  (handler: Handler, options: NodeHostOptions) => RequestListener,
][] = [
  ['toNodeListener', toNodeListener],
  [
    'toNodeResponder in a framework',
    (handler, options) => {
      const respond = toNodeResponder(handler, options)
      return async (incoming, outgoing) => {
        const { status, headers, body } = await respond(incoming, outgoing)
        const length = String(Buffer.byteLength(body as string))
        outgoing.writeHead(status, [...headers, 'Content-Length', length]).end(body)
      }
    },
  ],
]

for (const [name, toListener] of ways) {
  const connect = async (t: Test, options: NodeHostOptions = {}): Promise<RawClient> => {
    const server = createServer(toListener(createTestedHandler().handler, options))
    const port = await listen(server)
    const client = await rawClient(port)
    t.teardown(async () => {
      client.socket.destroy()
      await close(server)
    })
    return client
  }
  void t.test(name, async (t) => {
    void t.test('50 MB declared: who writes on regardless has its answer', async (t) => {
      const client = await connect(t)
      client.write(headWith(`Content-Length: ${50 * megabyte}`))
      const answer = client.next()
      await writeAll(client, 50)
      t.match(await answer, { status: 413 })
    })

    void t.test('12 MB declared: who writes all before reading has its answer', async (t) => {
      const client = await connect(t)
      client.socket.pause()
      client.write(headWith(`Content-Length: ${12 * megabyte}`))
      t.ok(await writeAll(client, 12), 'all of it was taken')
      client.socket.resume()
      t.match(await client.next(), { status: 413 })
    })

    void t.test('12 MB in chunks: who writes all before reading has its answer', async (t) => {
      const client = await connect(t)
      client.socket.pause()
      client.write(headWith('Transfer-Encoding: chunked'))
      t.ok(await writeAll(client, 12, true), 'all of it was taken')
      client.socket.resume()
      t.match(await client.next(), { status: 413 })
    })

    for (const [header, status] of [
      ['Content-Type: text/plain', 415],
      ['Accept: text/html', 406],
    ] as const) {
      void t.test(`${status} before a small body keeps the connection`, async (t) => {
        const client = await connect(t)
        client.write(headWith(`${header}\r\nContent-Length: 5000`))
        const answer = await client.next()
        t.equal(answer?.status, status)
        t.equal(answer && valueOf(answer, 'connection'), 'keep-alive')
        client.write(Buffer.alloc(5000))
        client.write(postBytes('{"query":"{ echo(text: \\"next\\") }"}'))
        const next = await client.next()
        t.same(next && jsonOf(next), { data: { echo: 'next' } })
      })
    }

    void t.test('where the connection will close, a small body is read to its end', async (t) => {
      const server = createServer(toListener(createTestedHandler().handler, {}))
      const client = await rawClient(await listen(server))
      t.teardown(() => close(server))
      const requested = once(server, 'request')
      const lines = 'Connection: close\r\nContent-Type: text/plain\r\nContent-Length: 5000'
      client.write(headWith(lines))
      const [incoming] = (await requested) as [IncomingMessage]
      // Only the listener answers before it has the rest.
      const answer = client.next()
      if (toListener === toNodeListener) t.match(await answer, { status: 415 })
      else await new Promise(setImmediate)
      client.write(Buffer.alloc(5000))
      t.match(await answer, { status: 415 })
      t.equal(await client.ended(), '')
      t.ok(incoming.complete, 'the server did not close before it had all')
    })

    void t.test('a client that goes on and on is cut off at the limit of bytes', async (t) => {
      const client = await connect(t, { lingerBytes: megabyte, lingerTimeout: 600_000 })
      client.write(headWith('Transfer-Encoding: chunked'))
      t.notOk(await writeAll(client, 1000, true), 'not all of it was taken')
      await client.ended()
    })

    void t.test('a client that stays and sends nothing is cut at the limit of time', async (t) => {
      const client = await connect(t, { lingerTimeout: 20 })
      client.write(headWith(`Content-Length: ${megabyte}\r\nContent-Type: text/plain`))
      t.match(await client.next(), { status: 415 })
      await client.ended()
      t.pass('the connection was closed')
    })
  })
}

void t.test('a listener says that it will close where much is left to read', async (t) => {
  const server = createServer(toNodeListener(createTestedHandler().handler))
  const client = await rawClient(await listen(server))
  t.teardown(() => close(server))
  client.write(headWith(`Content-Length: ${megabyte}`))
  const answer = await client.next()
  t.equal(answer && valueOf(answer, 'connection'), 'close')
  t.ok(await writeAll(client, 1))
  t.equal(await client.ended(), '')
  t.equal(client.error(), undefined, 'a clean end')
})

void t.test('a framework keeps the connection where the client comes to an end', async (t) => {
  const [, toListener] = ways[1] as (typeof ways)[number]
  const server = createServer(toListener(createTestedHandler().handler, {}))
  const client = await rawClient(await listen(server))
  t.teardown(async () => {
    client.socket.destroy()
    await close(server)
  })
  client.write(headWith('Transfer-Encoding: chunked'))
  t.ok(await writeAll(client, 1, true))
  t.match(await client.next(), { status: 413 })
  client.write(postBytes('{"query":"{ echo(text: \\"next\\") }"}'))
  t.match(await client.next(), { status: 200 })
})

function headWith(lines: string): string {
  const type = lines.includes('Content-Type') ? '' : 'Content-Type: application/json\r\n'
  return `POST /graphql HTTP/1.1\r\nHost: localhost\r\n${type}${lines}\r\n\r\n`
}

/** Writes so many megabytes, each when the one before is out; false when the connection broke. */
async function writeAll({ socket }: RawClient, count: number, chunked = false): Promise<boolean> {
  const block = Buffer.alloc(megabyte, ' ')
  const piece = chunked
    ? Buffer.concat([Buffer.from(`${megabyte.toString(16)}\r\n`), block, Buffer.from('\r\n')])
    : block
  for (let written = 0; written < count; written += 1) {
    if (socket.destroyed) return false
    if (!socket.write(piece)) {
      await new Promise((resolve) => socket.once('drain', resolve).once('close', resolve))
    }
  }
  if (chunked && !socket.destroyed) socket.write('0\r\n\r\n')
  return !socket.destroyed
}
