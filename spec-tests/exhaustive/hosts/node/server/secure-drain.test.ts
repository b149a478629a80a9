import { once } from 'node:events'
import t from 'tap'
import { postBytes } from '../../raw-client.js'
import { endStream, frameTypes, type RawHttp2Client } from '../../raw-http2-client.js'
import { exchange, post, secured, slow, type StreamEnd } from '../../secured.js'

/** Long enough to show that nothing waits for it. */
const long = { grace: 600_000, deadline: 1_200_000 }
const send = (client: RawHttp2Client, stream: number, body: string): void => {
  client.head(stream)
  client.data(body, endStream, stream)
}
const echo = '/graphql?query={echo(text:"x")}'

void t.test('no request is lost: 200 in flight over HTTP/2 and busy connections', async (t) => {
  const { session, nextWaiting, close } = await secured(t)
  const waiting = [session(), session()]
  const answers = waiting.flatMap((connection) =>
    Array.from({ length: 100 }, () => exchange(connection, post, slow)),
  )
  const resolvers = await Promise.all(answers.map(nextWaiting))

  const results: StreamEnd[] = []
  const busy = Array.from({ length: 10 }, async () => {
    const connection = session()
    let isGoingAway = false
    connection.on('goaway', () => (isGoingAway = true))
    while (!isGoingAway) results.push(await exchange(connection, { ':path': echo }))
  })
  while (results.length < 100) await new Promise((resolve) => setTimeout(resolve, 1))
  const closing = close({ grace: 1_000, deadline: 600_000 })
  await Promise.all(busy)
  for (const { finish } of resolvers) finish('late')
  for (const answer of answers) {
    t.match(await answer, { status: 200, body: '{"data":{"wait":"late"}}' })
  }
  t.ok(results.every(({ status }) => status === 200))
  const { finished, cut } = await closing
  t.ok(finished >= 200, `${finished} requests were answered while draining`)
  t.equal(cut, 0)
})

void t.test('the next request of an idle connection is answered, and is the last', async (t) => {
  const { frames, nextWaiting, close } = await secured(t)
  const client = await frames()
  send(client, 1, slow)
  ;(await nextWaiting()).finish('one')
  t.match(String((await client.nextOf(frameTypes.data))?.payload), '{"data":{"wait":"one"}}')
  const closing = close(long)
  send(client, 3, slow)
  const second = await nextWaiting()
  const goaway = await client.nextOf(frameTypes.goaway)
  t.equal(goaway?.payload.readUInt32BE(0), 3, 'GOAWAY comes before its response')
  second.finish('two')
  t.match(String((await client.nextOf(frameTypes.data))?.payload), '{"data":{"wait":"two"}}')
  t.match(await closing, { cut: 0 })
})

void t.test('what comes behind the last request is not run', async (t) => {
  const { frames, nextWaiting, close, count } = await secured(t)
  const client = await frames()
  send(client, 1, slow)
  const { finish } = await nextWaiting()
  const closing = close(long)
  t.equal((await client.nextOf(frameTypes.goaway))?.payload.readUInt32BE(0), 1)
  send(client, 3, '{"query":"mutation { count }"}')
  finish('done')
  t.match(String((await client.nextOf(frameTypes.data))?.payload), '{"data":{"wait":"done"}}')
  t.match(await closing, { finished: 1, cut: 0 })
  t.equal(count(), 0)
})

void t.test('readiness is down, and what waits for nothing goes at once', async (t) => {
  const { session, connect, close } = await secured(t)
  const connection = session()
  await exchange(connection, { ':path': echo })
  const http1 = await connect()
  t.equal((await http1.ask('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n')).status, 200)
  const silent = await connect(false)
  const gone = once(connection, 'close')
  const closing = close({ grace: 100, deadline: 600_000 })
  t.match(await exchange(connection, { ':path': '/readyz' }), {
    status: 503,
    body: '{"status":"draining"}',
  })
  const answer = await http1.ask('GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n')
  t.equal(answer.status, 503)
  await gone
  t.equal(await http1.ended(), '')
  t.equal(await silent.ended(), '')
  t.match(await closing, { finished: 2, cut: 0 })
})

void t.test('at the deadline the rest is cut and counted, on both protocols', async (t) => {
  const { session, connect, nextWaiting, close } = await secured(t)
  const connection = session()
  const answers = [exchange(connection, post, slow), exchange(connection, post, slow)]
  const [http1, half] = [await connect(), await connect()]
  http1.write(postBytes(slow).repeat(2))
  half.write('GET / HTTP/1.1\r\n')
  const waiting = await Promise.all([1, 2, 3, 4].map(nextWaiting))
  t.match(await close({ grace: 0, deadline: 50 }), { finished: 0, cut: 4 })
  for (const { signal } of waiting) t.ok(signal.aborted, 'its work is stopped')
  for (const answer of answers) t.equal((await answer).status, 0)
  for (const client of [http1, half]) t.equal(await client.ended(), '')
})

void t.test('in a delay, answers end their connections, and the port is open', async (t) => {
  const { session, close } = await secured(t)
  const connection = session()
  await exchange(connection, { ':path': echo })
  const closing = close({ delay: 1_000, ...long })
  const goaway = once(connection, 'goaway')
  t.equal((await exchange(connection, { ':path': echo })).status, 200)
  await goaway
  t.equal((await exchange(session(), { ':path': echo })).status, 200, 'a new connection')
  t.match(await closing, { cut: 0 })
})
