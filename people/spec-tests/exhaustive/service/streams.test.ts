import t, { type Test } from 'tap'
import { follower, type Followed } from './follow.js'
import { connectSocket } from './socket-client.js'
import { linesOf, start, until, type Headers, type Started } from './started.js'
import { figureLines, signToken, startWithKeys, untilOpen } from './with-keys.js'

const surfaces: readonly Followed[] = ['/people/changes', 'subscription { personChanged { id } }']
const changes = 'subscription Changes { personChanged { kind id } }'

/** Follows the changes by a route, by GraphQL, and over a socket. */
async function followAll(t: Test, service: Started, headers: Headers = {}) {
  const clients = surfaces.map((surface) => follower(surface, headers))
  for (const client of clients) t.equal(await client.connect(service), 200)
  const socket = await connectSocket(service, headers)
  socket.subscribe('1', changes)
  return { clients, socket }
}

function asTold(data: unknown): unknown {
  const { code, errors } = data as { code?: string; errors?: { extensions: { code: string } }[] }
  return code ?? errors?.[0]?.extensions.code
}

t.test('the streams of a revoked key end within five seconds, and no others', async (t) => {
  const { service, command, writer } = await startWithKeys(t)
  const key = { 'X-API-Key': await command('keys create --name reader --scope read') }
  const { clients, socket } = await followAll(t, service, key)
  const idle = await connectSocket(service, key)
  const others = await followAll(t, service, writer)
  await untilOpen(service, 2)
  await command('keys revoke reader')
  const revokedAt = performance.now()
  await Promise.all(clients.map((client) => client.ended()))
  t.same(await Promise.all([socket.closed, idle.closed]), [4403, 4403])
  const ms = performance.now() - revokedAt
  t.ok(ms < 5_000, `${Math.round(ms)} ms`)
  for (const { events, text } of clients) {
    t.equal(asTold(events[0]?.data), 'UNAUTHENTICATED')
    t.match(text(), /event: complete\ndata:\n\n$/)
  }
  await until(() => service.said.out.split('"cause":"expired"').length === 4)
  await service.send('POST', '/person', { name: 'Ada' }, writer)
  await others.socket.until('1', 1)
  for (const { events } of others.clients) await until(() => events.length === 1)
  for (const client of [...others.clients, others.socket]) client.leave()
})

t.test('the streams of a token end when it expires', async (t) => {
  const { service } = await startWithKeys(t)
  const expires = Math.floor(Date.now() / 1_000) + 2
  const token = { Authorization: `Bearer ${await signToken(expires)}` }
  const { clients, socket } = await followAll(t, service, token)
  const told = await connectSocket(service, {}, token)
  await Promise.all(clients.map((client) => client.ended()))
  t.same(await Promise.all([socket.closed, told.closed]), [4403, 4403])
  const late = Date.now() - expires * 1_000
  t.ok(late >= 0 && late < 5_000, `${late} ms`)
  for (const { events } of clients) t.equal(asTold(events[0]?.data), 'UNAUTHENTICATED')
})

t.test('the open streams of each key and address are limited, over all transports', async (t) => {
  const limits = { STREAMS_PER_KEY: '2', STREAMS_PER_ADDRESS: '1', TRUST_PROXY: '1' }
  const { service, writer, command } = await startWithKeys(t, limits)
  const other = { 'X-API-Key': await command('keys create --name other --scope read') }
  const from = (address: string) => ({ 'X-Forwarded-For': address })
  // oxfmt-ignore
  const rows: [headers: Headers, most: number, kind: string][] = [
    [writer,            2, 'key'],
    [other,             2, 'key'],
    [from('192.0.2.1'), 1, 'address'],
    [from('192.0.2.2'), 1, 'address'],
  ]
  for (const [headers, most, kind] of rows) {
    const message = `Too many open streams: at most ${most} for each ${kind}. Close one first.`
    const socket = await connectSocket(service, headers)
    socket.subscribe('first', changes)
    await untilOpen(service, 1)
    const second = follower('/people/changes', headers)
    if (most > 1) t.equal(await second.connect(service), 200)
    socket.subscribe('more', changes)
    const payload = [{ message, extensions: { code: 'RATE_LIMITED' } }]
    t.match(await socket.until('more', 1), [{ type: 'error', payload }])
    for (const surface of surfaces) {
      const denied = follower(surface, headers)
      t.equal(await denied.connect(service), 429)
      await denied.ended()
      t.match(denied.text(), message)
    }
    t.equal((await service.ask('/people', { headers })).status, 200, 'requests are not affected')
    socket.tell({ type: 'complete', id: 'first' })
    await until(async () => {
      const next = follower('/people/changes', headers)
      const status = await next.connect(service)
      next.leave()
      return status === 200
    })
    if (most > 1) second.leave()
    socket.leave()
    await untilOpen(service, 0)
  }
})

t.test('a stream counts as one root field, and its events do not count', async (t) => {
  const service = await start(t, ['--db', ':memory:', '--auth', 'off', '--rate-limit', '15'])
  const left = async (): Promise<number> => {
    const { headers } = await service.ask('/person/1')
    return Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1])
  }
  const before = await left()
  const { clients, socket } = await followAll(t, service)
  await untilOpen(service, 1)
  t.equal(await left(), before - 4)
  for (const _ of [1, 2]) await service.send('POST', '/person', { name: 'Ada' })
  for (const { events } of clients) await until(() => events.length === 2)
  await socket.until('1', 2)
  t.equal(await left(), before - 7)
  socket.subscribe('2', '{ a: people { id } b: people { id } c: people { id } d: people { id } }')
  await socket.until('2', 2)
  t.equal(await left(), before - 12)
  socket.subscribe('3', '{ a: people { id } b: people { id } c: people { id } }')
  const payload = [{ extensions: { code: 'RATE_LIMITED' } }]
  t.match(await socket.until('3', 1), [{ type: 'error', payload }])
  for (const client of [...clients, socket]) client.leave()
})

t.test('streams are measured and logged', async (t) => {
  const { service, writer } = await startWithKeys(t)
  const clients = surfaces.map((surface) => follower(surface, writer))
  for (const client of clients) t.equal(await client.connect(service), 200)
  const open = await figureLines(service, 'people_streams_open')
  t.same(open, ['people_streams_open{transport="event-stream"} 2'])
  await service.send('POST', '/person', { name: 'Ada' }, writer)
  for (const { events } of clients) await until(() => events.length === 1)
  for (const client of clients) client.leave()
  const streams = () => linesOf(service.said.out).filter(({ msg }) => msg === 'stream')
  await until(() => streams().length === 2)
  t.same(await figureLines(service, 'people_stream'), [
    'people_streams_open{transport="event-stream"} 0',
    'people_streams_ended_total{transport="event-stream",cause="client-gone"} 2',
    'people_stream_events_delivered_total 2',
    'people_stream_events_dropped_total 0',
    'people_streams_stuck_total 0',
  ])
  const line = { id: String, field: 'personChanged', transport: 'event-stream' }
  const all = { ...line, cause: 'client-gone', events: 1, ms: Number, key: 'writer' }
  t.match(streams(), [all, all])
  const routes = streams().map(({ route }) => String(route))
  t.same(routes.toSorted(), ['/graphql', '/people/changes'])
})

t.test('a client that resumes too late gets a problem, and is counted', async (t) => {
  const { service, writer } = await startWithKeys(t)
  await service.send('POST', '/person', { name: 'Ada' }, writer)
  for (const surface of surfaces) {
    const client = follower(surface, { 'Last-Event-ID': 'of-another-service' })
    t.equal(await client.connect(service), 200)
    await until(() => client.events.length === 1)
    t.match(client.events[0], { id: '1' })
    t.equal(asTold(client.events[0]?.data), 'POSITION_TOO_OLD')
    client.leave()
  }
  await service.send('POST', '/message', { to: '1', text: 'hello' }, writer)
  const query: Followed = 'subscription { messageReceived(to: 1) { text to { name } } }'
  const resumed = follower(query, { 'Last-Event-ID': '1' })
  await resumed.connect(service)
  await until(() => resumed.events.length === 1)
  const messageReceived = { text: 'hello', to: { name: 'Ada' } }
  t.match(resumed.events, [{ id: '2', data: { data: { messageReceived } } }])
  resumed.leave()
})

t.test('SIGTERM ends streams so that their clients connect again', async (t) => {
  const { service } = await startWithKeys(t)
  const { clients, socket } = await followAll(t, service)
  await untilOpen(service, 1)
  t.equal(await service.stop(), 0)
  for (const client of clients) {
    await client.ended()
    t.match(client.text(), /\nretry: \d+\n\n$/, 'not completed')
  }
  t.equal(await socket.closed, 1001)
  t.notOk(socket.messages.some(({ type }) => type === 'complete'))
  t.match(service.said.err, /; 1 sockets closed, 0 cut\n$/)
  const streams = linesOf(service.said.out).filter(({ msg }) => msg === 'stream')
  t.match(streams, [{ cause: 'shutdown' }, { cause: 'shutdown' }, { cause: 'shutdown' }])
})
