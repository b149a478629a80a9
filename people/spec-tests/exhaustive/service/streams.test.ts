import t from 'tap'
import { follower, type Followed } from './follow.js'
import { linesOf, start, until, type Started } from './started.js'
import { signToken, startWithKeys } from './with-keys.js'

const surfaces: readonly Followed[] = ['/people/changes', 'subscription { personChanged { id } }']

function asTold(data: unknown): unknown {
  const { code, errors } = data as { code?: string; errors?: { extensions: { code: string } }[] }
  return code ?? errors?.[0]?.extensions.code
}

t.test('with AUTH=all a stream requires a credential', async (t) => {
  const { service, writer } = await startWithKeys(t, { AUTH: 'all' })
  for (const surface of surfaces) {
    t.equal(await follower(surface).connect(service), 401, surface)
    t.equal(await follower(surface, { 'X-API-Key': 'gw_unknown' }).connect(service), 401)
    const client = follower(surface, writer)
    t.equal(await client.connect(service), 200)
    client.leave()
  }
})

t.test('the streams of a revoked key end within five seconds, and no others', async (t) => {
  const { service, command, writer } = await startWithKeys(t)
  const key = { 'X-API-Key': await command('keys create --name reader --scope read') }
  const clients = surfaces.map((surface) => follower(surface, key))
  const others = surfaces.map((surface) => follower(surface, writer))
  for (const client of [...clients, ...others]) t.equal(await client.connect(service), 200)
  await command('keys revoke reader')
  const revokedAt = performance.now()
  await Promise.all(clients.map((client) => client.ended()))
  const ms = performance.now() - revokedAt
  t.ok(ms < 5_000, `${Math.round(ms)} ms`)
  for (const { events } of clients) {
    t.equal(asTold(events[0]?.data), 'UNAUTHENTICATED')
    t.same(events.at(-1), { id: undefined, event: 'complete', data: undefined })
  }
  await service.send('POST', '/person', { name: 'Ada' }, writer)
  for (const client of others) {
    await until(() => client.events.length === 1)
    client.leave()
  }
})

t.test('the streams of a token end when it expires', async (t) => {
  const { service } = await startWithKeys(t)
  const expires = Math.floor(Date.now() / 1_000) + 2
  const token = await signToken(expires)
  const clients = surfaces.map((at) => follower(at, { Authorization: `Bearer ${token}` }))
  for (const client of clients) t.equal(await client.connect(service), 200)
  await Promise.all(clients.map((client) => client.ended()))
  const late = Date.now() - expires * 1_000
  t.ok(late >= 0 && late < 5_000, `${late} ms`)
  for (const { events } of clients) t.equal(asTold(events[0]?.data), 'UNAUTHENTICATED')
})

t.test('the open streams of each key and address are limited', async (t) => {
  const { service, writer, command } = await startWithKeys(t, {
    STREAMS_PER_KEY: '2',
    STREAMS_PER_ADDRESS: '1',
    TRUST_PROXY: '1',
  })
  const other = { 'X-API-Key': await command('keys create --name other --scope read') }
  const from = (address: string) => ({ 'X-Forwarded-For': address })
  // oxfmt-ignore
  const rows: [headers: { [name: string]: string }, most: number, message: string][] = [
    [writer,              2, 'Too many open streams: at most 2 for each key. Close one first.'],
    [other,               2, 'Too many open streams: at most 2 for each key. Close one first.'],
    [from('192.0.2.1'),   1, 'Too many open streams: at most 1 for each address. Close one first.'],
    [from('192.0.2.2'),   1, 'Too many open streams: at most 1 for each address. Close one first.'],
  ]
  for (const [headers, most, message] of rows) {
    const open = Array.from({ length: most }, (_, at) => follower(surfaces[at % 2] ?? '/', headers))
    for (const client of open) t.equal(await client.connect(service), 200)
    for (const surface of surfaces) {
      const denied = follower(surface, headers)
      t.equal(await denied.connect(service), 429)
      await denied.ended()
      t.match(denied.text(), message)
    }
    const read = await service.ask('/people', { headers })
    t.equal(read.status, 200, 'requests are not affected')
    open[0]?.leave()
    await until(async () => {
      const next = follower('/people/changes', headers)
      const status = await next.connect(service)
      next.leave()
      return status === 200
    })
    for (const client of open) client.leave()
  }
})

t.test('a stream counts as one root field, and its events do not count', async (t) => {
  const service = await start(t, ['--db', ':memory:', '--auth', 'off', '--rate-limit', '100'])
  const left = async (): Promise<number> => {
    const { headers } = await service.ask('/person/1')
    return Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1])
  }
  const before = await left()
  const clients = surfaces.map((surface) => follower(surface))
  for (const client of clients) t.equal(await client.connect(service), 200)
  t.equal(await left(), before - 3)
  for (const _ of [1, 2, 3]) await service.send('POST', '/person', { name: 'Ada' })
  for (const { events } of clients) await until(() => events.length === 3)
  t.equal(await left(), before - 7)
  for (const client of clients) client.leave()
})

async function figures(service: Started, name: string): Promise<string[]> {
  const text = await (await service.ask('/metrics')).text()
  return text.split('\n').filter((line) => line.startsWith(name))
}

t.test('streams are measured and logged', async (t) => {
  const { service, writer } = await startWithKeys(t)
  const clients = surfaces.map((surface) => follower(surface, writer))
  for (const client of clients) t.equal(await client.connect(service), 200)
  t.same(await figures(service, 'people_streams_open'), [
    'people_streams_open{transport="event-stream"} 2',
  ])
  await service.send('POST', '/person', { name: 'Ada' }, writer)
  await service.send('PATCH', '/person/1', { age: 1 }, writer)
  for (const { events } of clients) await until(() => events.length === 2)
  for (const client of clients) client.leave()
  const streams = () => linesOf(service.said.out).filter(({ msg }) => msg === 'stream')
  await until(() => streams().length === 2)
  t.same(await figures(service, 'people_stream'), [
    'people_streams_open{transport="event-stream"} 0',
    'people_streams_ended_total{transport="event-stream",cause="client-gone"} 2',
    'people_stream_events_delivered_total 4',
    'people_stream_events_dropped_total 0',
    'people_streams_stuck_total 0',
  ])
  for (const line of streams()) {
    t.match(line, {
      id: String,
      field: 'personChanged',
      transport: 'event-stream',
      cause: 'client-gone',
      events: 2,
      ms: Number,
      key: 'writer',
    })
  }
  const routes = streams().map(({ route }) => String(route))
  t.same(routes.toSorted(), ['/graphql', '/people/changes'])
})

t.test('a client that resumes too late is told, and counted', async (t) => {
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
  t.match(resumed.events, [
    { id: '2', data: { data: { messageReceived: { text: 'hello', to: { name: 'Ada' } } } } },
  ])
  resumed.leave()
})

t.test('HEAD of a stream opens none', async (t) => {
  const { service } = await startWithKeys(t, { STREAMS_PER_ADDRESS: '1' })
  for (const _ of [1, 2, 3]) {
    const { status, headers } = await service.ask('/people/changes', { method: 'HEAD' })
    t.equal(status, 200)
    t.equal(headers.get('content-type'), 'text/event-stream; charset=utf-8')
  }
  const client = follower('/people/changes')
  t.equal(await client.connect(service), 200)
  client.leave()
})

t.test('SIGTERM ends streams so that their clients connect again', async (t) => {
  const { service } = await startWithKeys(t)
  const clients = Array.from({ length: 10 }, (_, at) => follower(surfaces[at % 2] ?? '/'))
  for (const client of clients) t.equal(await client.connect(service), 200)
  t.equal(await service.stop(), 0)
  for (const client of clients) {
    await client.ended()
    t.match(client.text(), /\nretry: \d+\n\n$/, 'not completed')
  }
  const streams = linesOf(service.said.out).filter(({ msg }) => msg === 'stream')
  t.same(
    streams.map(({ cause }) => cause),
    clients.map(() => 'shutdown'),
  )
})
