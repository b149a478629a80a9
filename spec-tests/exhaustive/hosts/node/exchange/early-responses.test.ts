import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import t from 'tap'
import { toNodeListener } from '../../../../../src/hosts/node/index.js'
import { jsonOf, valueOf } from '../../../../hosts/exchange.js'
import { createTestedHandler } from '../../../../hosts/tested-handler.js'
import { inFramework, plain, ways } from '../../hosted.js'
import { postBytes, type RawClient } from '../../raw-client.js'

const megabyte = 1024 * 1024
const { handler } = createTestedHandler()
const chunked = 'Transfer-Encoding: chunked'
const next = postBytes('{"query":"{ echo(text: \\"next\\") }"}')

for (const [name, toListener] of ways) {
  for (const [size, framing, isRead] of [
    [50, `Content-Length: ${50 * megabyte}`, true],
    [12, `Content-Length: ${12 * megabyte}`, false],
    [12, chunked, false],
  ] as const) {
    const how = isRead ? 'on regardless' : 'all before reading'
    void t.test(`${name}: a client that writes ${how} gets its answer: ${framing}`, async (t) => {
      const client = await (await plain(t, toListener(handler))).connect()
      if (!isRead) client.socket.pause()
      client.write(headWith(framing))
      const isTaken = await writeAll(client, size, framing === chunked)
      t.ok(isTaken || isRead, 'all of it was taken')
      client.socket.resume()
      t.match(await client.answer(), { status: 413 })
    })
  }

  for (const [header, status] of [
    ['Content-Type: text/plain', 415],
    ['Accept: text/html', 406],
  ] as const) {
    void t.test(`${name}: ${status} before a small body keeps the connection`, async (t) => {
      const client = await (await plain(t, toListener(handler))).connect()
      const answer = await client.ask(headWith(`${header}\r\nContent-Length: 5000`))
      t.equal(answer.status, status)
      t.equal(valueOf(answer, 'connection'), 'keep-alive')
      client.write(Buffer.alloc(5000))
      t.same(jsonOf(await client.ask(next)), { data: { echo: 'next' } })
    })
  }

  void t.test(`${name}: where it will close, a small body is read to its end`, async (t) => {
    const { server, connect } = await plain(t, toListener(handler))
    const client = await connect()
    const requested = once(server, 'request')
    client.write(headWith('Connection: close\r\nContent-Type: text/plain\r\nContent-Length: 5000'))
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

  void t.test(`${name}: a client that goes on sending is cut at the limit`, async (t) => {
    const options = { lingerBytes: megabyte, lingerTimeout: 600_000 }
    const client = await (await plain(t, toListener(handler, options))).connect()
    client.write(headWith(chunked))
    t.notOk(await writeAll(client, 1000, true), 'not all of it was taken')
    await client.ended()
  })

  void t.test(`${name}: a client that sends nothing is cut at the time limit`, async (t) => {
    const client = await (await plain(t, toListener(handler, { lingerTimeout: 20 }))).connect()
    t.match(await client.ask(headWith(`Content-Length: ${megabyte}\r\nContent-Type: text/plain`)), {
      status: 415,
    })
    await client.ended()
  })
}

void t.test('a listener says that it will close where much is left to read', async (t) => {
  const client = await (await plain(t)).connect()
  const answer = await client.ask(headWith(`Content-Length: ${megabyte}`))
  t.equal(valueOf(answer, 'connection'), 'close')
  t.ok(await writeAll(client, 1))
  t.equal(await client.ended(), '')
  t.equal(client.error(), undefined, 'a clean end')
})

void t.test('a framework keeps the connection where the client comes to an end', async (t) => {
  const client = await (await plain(t, inFramework(handler))).connect()
  client.write(headWith(chunked))
  t.ok(await writeAll(client, 1, true))
  t.match(await client.answer(), { status: 413 })
  t.match(await client.ask(next), { status: 200 })
})

function headWith(lines: string): string {
  const type = lines.includes('Content-Type') ? '' : 'Content-Type: application/json\r\n'
  return `POST /graphql HTTP/1.1\r\nHost: localhost\r\n${type}${lines}\r\n\r\n`
}

/** Writes so many megabytes, each when the one before is out; false when the connection broke. */
async function writeAll({ socket }: RawClient, count: number, isChunked = false): Promise<boolean> {
  const block = Buffer.alloc(megabyte, ' ')
  const piece = isChunked
    ? Buffer.concat([Buffer.from(`${megabyte.toString(16)}\r\n`), block, Buffer.from('\r\n')])
    : block
  for (let written = 0; written < count; written += 1) {
    if (socket.destroyed) return false
    if (!socket.write(piece)) {
      await new Promise((resolve) => socket.once('drain', resolve).once('close', resolve))
    }
  }
  if (isChunked && !socket.destroyed) socket.write('0\r\n\r\n')
  return !socket.destroyed
}
