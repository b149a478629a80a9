import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect as connectSocket } from 'node:net'
import { text as readText } from 'node:stream/consumers'
import { setImmediate as nextTurn } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { defer } from '../../../../base/defer.js'
import { jsonOf, valueOf, type HostResponse } from '../../../../hosts/exchange.js'
import { host, type Hosted } from '../../hosted.js'
import { postBytes, type RawClient } from '../../raw-client.js'

const echo = (text: string, headers = ''): string =>
  postBytes(JSON.stringify({ query: `{ echo(text: "${text}") }` }), headers)
const slow = postBytes('{"query":"{ wait }"}')

/** Begins to close, with times long enough to show that nothing waits for them. */
async function beginToClose({ server, close }: Hosted): Promise<{ closing: Promise<object> }> {
  const closing = close({ grace: 600_000, deadline: 1_200_000 })
  while (server.listening) await nextTurn()
  return { closing }
}

function checkLast(t: Test, answer: HostResponse): void {
  t.equal(answer.status, 200)
  t.equal(valueOf(answer, 'connection'), 'close')
}

/** Sends the next request as soon as an answer is there, until it is counts that it was the last. */
async function keepBusy(client: RawClient): Promise<{ sent: number; answered: number }> {
  const counts = { sent: 0, answered: 0 }
  for (;;) {
    client.write(echo('busy'))
    counts.sent += 1
    const answer = await client.next()
    if (answer?.status === 200) counts.answered += 1
    if (answer === undefined || valueOf(answer, 'connection') === 'close') return counts
  }
}

void t.test('no request is lost: 200 in flight and 100 busy connections', async (t) => {
  const hosted = await host(t)
  const waiting = await Promise.all(Array.from({ length: 200 }, hosted.connect))
  const busy = await Promise.all(Array.from({ length: 100 }, hosted.connect))
  for (const client of waiting) client.write(slow)
  const resolvers = await Promise.all(waiting.map(hosted.nextWaiting))
  const counts = busy.map(keepBusy)
  while (busy.some(({ socket }) => socket.bytesRead < 1_000)) await nextTurn()

  const closing = hosted.close({ grace: 600_000, deadline: 1_200_000 })
  for (const { sent, answered } of await Promise.all(counts)) t.equal(answered, sent)
  for (const { finish } of resolvers) finish('late')
  for (const client of waiting) {
    const answer = await client.answer()
    checkLast(t, answer)
    t.same(jsonOf(answer), { data: { wait: 'late' } })
  }
  const { finished, cut } = await closing
  t.ok(finished >= 200, `${finished} requests were answered while draining`)
  t.equal(cut, 0)
})

void t.test('a queued connection that has not been accepted yet is served', async (t) => {
  const { port, close } = await host(t)
  const sockets = Array.from({ length: 20 }, () => connectSocket(port, '127.0.0.1'))
  for (const socket of sockets) socket.write(echo('early'))
  // Now the system has them, and the server has not been counts.
  await new Promise(process.nextTick)
  const closing = close({ grace: 0, deadline: 600_000 })
  for (const socket of sockets) {
    t.match(await readText(socket), /^HTTP\/1.1 200 OK[^]*early/)
  }
  t.match(await closing, { finished: 20, cut: 0 })
})

void t.test('a client that resets its connection before that is served does no harm', async (t) => {
  const { server, port, close } = await host(t)
  const closing = close({ grace: 0, deadline: 600_000 })
  // New connections are held for a moment, before the listener closes.
  while (server.listenerCount('connection') > 1) await nextTurn()
  const taken = once(server, 'connection')
  const client = connectSocket(port, '127.0.0.1').on('error', () => undefined)
  await taken
  client.resetAndDestroy()
  t.match(await closing, { finished: 0, cut: 0 })
})

for (const delay of [0, 400]) {
  void t.test(`clients that come back are refused and not reset, after ${delay} ms`, async (t) => {
    const hosted = await host(t)
    const agent = new Agent({ keepAlive: true })
    let taken = 0
    hosted.server.on('connection', () => (taken += 1))
    const ends = Array.from({ length: 50 }, async () => {
      for (;;) {
        const error = await sendBy(agent, hosted.port)
        if (error !== undefined) return error.code
      }
    })
    while (taken < 50) await nextTurn()
    await hosted.close({ delay })
    t.same(new Set(await Promise.all(ends)), new Set(['ECONNREFUSED']))
    agent.destroy()
  })
}

/** Sends a request that must be answered, and gives the error otherwise. */
function sendBy(agent: Agent, port: number): Promise<NodeJS.ErrnoException | undefined> {
  return new Promise((resolve) => {
    const path = '/?query={echo(text:"x")}'
    const outgoing = request({ agent, port, path, host: '127.0.0.1' }, (incoming) => {
      incoming.resume().on('end', () => resolve(undefined))
    })
    outgoing.on('error', resolve).end()
  })
}

void t.test('a first or next request is answered while the grace lasts', async (t) => {
  const hosted = await host(t)
  const [fresh, used] = [await hosted.connect(), await hosted.connect()]
  t.equal(valueOf(await used.ask(echo('one')), 'connection'), 'keep-alive')
  const { closing } = await beginToClose(hosted)
  for (const client of [fresh, used]) {
    checkLast(t, await client.ask(echo('two')))
    t.equal(await client.ended(), '')
  }
  t.match(await closing, { finished: 2, cut: 0 })
})

void t.test('after the grace, idle connections and silent ones are closed', async (t) => {
  const hosted = await host(t)
  const before = timers()
  const [fresh, { client: used, socket }] = [await hosted.connect(), await hosted.connectBoth()]
  used.write(echo('one'))
  await used.answer()
  t.match(await hosted.close({ grace: 0, deadline: 600_000 }), { finished: 0, cut: 0 })
  t.equal(await fresh.ended(), '')
  t.equal(await used.ended(), '')
  t.ok(socket.destroyed)
  t.ok(timers() <= before, 'nothing is left behind')
})

function timers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
}

void t.test('a client in the middle of a head, a body or an answer is not idle', async (t) => {
  const big = Buffer.alloc(8 * 1024 * 1024, 'x')
  const hosted = await host(t, {}, (incoming, outgoing) => {
    outgoing.setHeader('Content-Length', big.length)
    incoming.resume().on('end', () => outgoing.end(big))
  })
  const { connect } = hosted
  const [head, body, answer] = [await connect(), await connect(), await connect()]
  head.write('GET / HTTP/1.1\r\nHo')
  body.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n1')
  answer.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  await once(answer.socket, 'data')
  answer.socket.pause()
  let sweeps = 0
  const { server } = hosted
  const closeIdle = server.closeIdleConnections.bind(server)
  server.closeIdleConnections = () => {
    sweeps += 1
    closeIdle()
  }
  const closing = hosted.close({ grace: 0, deadline: 600_000 })
  while (sweeps < 3) await new Promise((resolve) => setTimeout(resolve, 20))
  head.write('st: x\r\n\r\n')
  body.write('2')
  answer.socket.resume()
  for (const client of [head, body, answer]) {
    const whole = await client.answer()
    t.equal(whole.body.length, big.length, 'the whole of it')
    if (client !== answer) checkLast(t, whole)
  }
  t.match(await closing, { finished: 3, cut: 0 })
})

void t.test('what comes behind the answer that closes is not run', async (t) => {
  const hosted = await host(t)
  const client = await hosted.connect()
  const { closing } = await beginToClose(hosted)
  // The answer to the first is written before the second is looked at.
  const get = 'GET /?query={echo(text:"one")} HTTP/1.1\r\nHost: x\r\n\r\n'
  checkLast(t, await client.ask(get + postBytes('{"query":"mutation { count }"}')))
  t.equal(await client.ended(), '')
  t.equal(hosted.count(), 0)
  t.match(await closing, { finished: 1, cut: 0 })
})

void t.test('while draining, a client that is still sending reads its answer', async (t) => {
  const hosted = await host(t)
  const client = await hosted.connect()
  const { closing } = await beginToClose(hosted)
  const body = 'x'.repeat(20_000)
  const part = postBytes(body, 'Accept: text/html\r\n').slice(0, -10_000)
  t.equal((await client.ask(part)).status, 406)
  client.write(body.slice(0, 10_000))
  t.equal(await client.ended(), '')
  t.equal(client.error(), undefined)
  t.match(await closing, { finished: 1, cut: 0 })
})

void t.test('100-continue while draining closes behind its answer', async (t) => {
  const hosted = await host(t)
  const client = await hosted.connect()
  const whole = echo('one', 'Expect: 100-continue\r\n')
  const [head = '', body = ''] = whole.split('\r\n\r\n')
  const { closing } = await beginToClose(hosted)
  t.equal((await client.ask(`${head}\r\n\r\n`)).status, 100)
  checkLast(t, await client.ask(body))
  t.match(await closing, { finished: 1, cut: 0 })
})

void t.test('of a pipeline with 100-continue, only the last answer closes', async (t) => {
  const [read, answer] = [defer(), defer()]
  const hosted = await host(t, {}, async (incoming, outgoing) => {
    if (incoming.method === 'GET') return void outgoing.end('two')
    await read.promise
    await readText(incoming)
    await answer.promise
    outgoing.end('one')
  })
  const client = await hosted.connect()
  const [head = '', body = ''] = echo('one', 'Expect: 100-continue\r\n').split('\r\n\r\n')
  client.write(`${head}\r\n\r\n`)
  await once(hosted.server, 'checkContinue')
  const { closing } = await beginToClose(hosted)
  read.resolve()
  t.equal((await client.answer()).status, 100)
  const second = once(hosted.server, 'request')
  client.write(`${body}GET / HTTP/1.1\r\nHost: x\r\n\r\n`)
  await second
  answer.resolve()
  t.equal(valueOf(await client.answer(), 'connection'), 'keep-alive')
  checkLast(t, await client.answer())
  t.match(await closing, { finished: 2, cut: 0 })
})

void t.test('readiness is down at once, and the listener stays open for the delay', async (t) => {
  const hosted = await host(t)
  const ask = async (path: string): Promise<HostResponse> => {
    const client = await hosted.connect()
    return client.ask(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
  }
  t.equal((await ask('/readyz')).status, 200)
  const closing = hosted.close({ delay: 2_000, grace: 0 })
  const answer = await ask('/readyz')
  t.equal(answer.status, 503)
  t.same(jsonOf(answer), { status: 'draining' })
  t.equal(valueOf(answer, 'connection'), 'close')
  t.equal((await ask('/livez')).status, 200, 'it is alive')
  t.equal((await ask('/?query={echo(text:"x")}')).status, 200, 'and serves')
  t.match(await closing, { finished: 3, cut: 0 })
  t.notOk(hosted.server.listening)
})

void t.test('a second call gives the promise of the first', async (t) => {
  const hosted = await host(t)
  const closing = hosted.close({ grace: 0 })
  t.equal(hosted.close({ deadline: 0 }), closing)
  await closing
  t.equal(hosted.close(), closing)
})
