import { join } from 'node:path'
import { createClient } from 'graphql-ws'
import t from 'tap'
import { WebSocket } from 'ws'
import { follower } from './follow.js'
import { connectSocket, refusedWith } from './socket-client.js'
import { linesOf, start, until, type Started } from './started.js'
import { signToken, startWithKeys } from './with-keys.js'

const changes = 'subscription Changes { personChanged { kind id } }'

/** In seconds since 1970, as tokens count. */
function inTheFuture(seconds: number): number {
  return Math.floor(Date.now() / 1_000) + seconds
}

async function figures(service: Started, name: string): Promise<string[]> {
  const text = await (await service.ask('/metrics')).text()
  return text.split('\n').filter((line) => line.startsWith(name))
}

/** Waits until so many subscriptions have started. */
function untilOpen(service: Started, count: number): Promise<true> {
  const line = `people_streams_open{transport="websocket"} ${count}`
  return until(async () => (await figures(service, line)).length === 1)
}

t.test('queries, mutations and subscriptions over one socket', async (t) => {
  const { service, writer } = await startWithKeys(t)
  const socket = await connectSocket(service, writer)
  const stream = follower('/people/changes')
  t.equal(await stream.connect(service), 200)
  socket.subscribe('changes', changes)
  await untilOpen(service, 1)
  socket.subscribe('add', 'mutation { createPerson(input: { name: "Ada" }) { id } }')
  const [added] = await socket.until('add', 2)
  const id = added?.payload.data.createPerson.id
  t.match(await socket.until('changes', 1), [
    { type: 'next', payload: { data: { personChanged: { kind: 'ADDED', id } } } },
  ])
  await service.send('PATCH', `/person/${id}`, { age: 1 }, writer)
  t.match((await socket.until('changes', 2))[1], {
    payload: { data: { personChanged: { kind: 'CHANGED', id } } },
  })
  await until(() => stream.ids().length === 2)
  stream.leave()
  socket.leave()
})

t.test('an Idempotency-Key of the handshake loses no write', async (t) => {
  const { service, writer } = await startWithKeys(t)
  for (const key of ['"one"', 'not a key']) {
    const socket = await connectSocket(service, { ...writer, 'Idempotency-Key': key })
    for (const name of ['Ada', 'Bea']) {
      socket.subscribe(name, `mutation { createPerson(input: { name: "${name}" }) { name } }`)
      const [added] = await socket.until(name, 1)
      t.match(added, { type: 'next', payload: { data: { createPerson: { name } } } })
    }
    socket.leave()
  }
})

t.test('credentials: as on HTTP, and a token in connection_init', async (t) => {
  const { service, writer, command } = await startWithKeys(t, { AUTH: 'all' })
  const reader = { 'X-API-Key': await command('keys create --name reader --scope read') }
  const token = { Authorization: `Bearer ${await signToken(inTheFuture(60))}` }
  // oxfmt-ignore
  const rows: [name: string, headers: { [name: string]: string }, payload: { [name: string]: string } | undefined, isIn: boolean][] = [
    ['none',                                   {},                        undefined,                        false],
    ['a key in the handshake',                 reader,                    undefined,                        true],
    ['a token in the handshake',               token,                     undefined,                        true],
    ['a token in the payload',                 {},                        token,                            true],
    ['its name in lower case',                 {},                        { authorization: token.Authorization }, true],
    ['a key in the payload, which is ignored', {},                        reader,                           false],
    ['a key, and a bad token in the payload',  reader,                    { Authorization: 'Bearer a.b.c' }, false],
    ['an unknown key',                         { 'X-API-Key': 'gw_none' }, undefined,                       false],
    ['an unknown key, and a token beside',     { 'X-API-Key': 'gw_none' }, token,                           false],
  ]
  for (const [name, headers, payload, isIn] of rows) {
    const socket = await connectSocket(service, headers, payload)
    t.equal(socket.isIn, isIn, name)
    if (!isIn) t.equal(await socket.closed, 4403)
    socket.leave()
  }
  for (const [headers, code] of [
    [reader, 'FORBIDDEN'],
    [token, 'FORBIDDEN'],
    [writer, undefined],
  ] as const) {
    const socket = await connectSocket(service, headers)
    socket.subscribe('1', 'mutation { createPerson(input: { name: "Ada" }) { id } }')
    const [first] = await socket.until('1', 1)
    const errors = Array.isArray(first?.payload) ? first.payload : first?.payload.errors
    t.equal(errors?.[0].extensions.code, code)
    socket.leave()
  }
  t.equal(
    await refusedWith(service, '/graphql', { ...writer, Origin: 'https://evil.example' }),
    403,
  )
  t.equal(await refusedWith(service, '/people/changes', writer), 404)
})

t.test('the sockets of a revoked key are closed within five seconds, and no others', async (t) => {
  const { service, command, writer } = await startWithKeys(t)
  const key = { 'X-API-Key': await command('keys create --name reader --scope read') }
  const [revoked, idle, other] = await Promise.all([
    connectSocket(service, key),
    connectSocket(service, key),
    connectSocket(service, writer),
  ])
  for (const socket of [revoked, other]) socket.subscribe('1', changes)
  await untilOpen(service, 2)
  await command('keys revoke reader')
  const revokedAt = performance.now()
  t.same(await Promise.all([revoked.closed, idle.closed]), [4403, 4403])
  const ms = performance.now() - revokedAt
  t.ok(ms < 5_000, `${Math.round(ms)} ms`)
  await until(() => service.said.out.includes('"cause":"expired"'))
  await service.send('POST', '/person', { name: 'Ada' }, writer)
  await other.until('1', 1)
  other.leave()
})

t.test('the socket of a token is closed when it expires', async (t) => {
  const { service } = await startWithKeys(t, { AUTH: 'all' })
  const expires = inTheFuture(2)
  const socket = await connectSocket(
    service,
    {},
    { Authorization: `Bearer ${await signToken(expires)}` },
  )
  t.ok(socket.isIn)
  socket.subscribe('1', changes)
  t.equal(await socket.closed, 4403)
  const late = Date.now() - expires * 1_000
  t.ok(late >= 0 && late < 5_000, `${late} ms`)
})

t.test('open streams are limited by key and address, over both transports', async (t) => {
  const { service, writer } = await startWithKeys(t, {
    STREAMS_PER_KEY: '2',
    STREAMS_PER_ADDRESS: '1',
    TRUST_PROXY: '1',
  })
  const from = (address: string) => ({ 'X-Forwarded-For': address })
  for (const [headers, most, kind] of [
    [writer, 2, 'key'],
    [from('192.0.2.1'), 1, 'address'],
    [from('192.0.2.2'), 1, 'address'],
  ] as const) {
    const sockets = await Promise.all([
      connectSocket(service, headers),
      connectSocket(service, headers),
    ])
    const [first, second] = sockets
    for (let at = 0; at < most; at += 1) first.subscribe(`${at}`, changes)
    await untilOpen(service, most)
    second.subscribe('more', changes)
    const message = `Too many open streams: at most ${most} for each ${kind}. Close one first.`
    t.match(await second.until('more', 1), [
      { type: 'error', payload: [{ message, extensions: { code: 'RATE_LIMITED' } }] },
    ])
    t.equal(await follower('/people/changes', headers).connect(service), 429)
    first.tell({ type: 'complete', id: '0' })
    await until(async () => {
      const stream = follower('/people/changes', headers)
      const status = await stream.connect(service)
      stream.leave()
      return status === 200
    })
    for (const socket of sockets) socket.leave()
    await untilOpen(service, 0)
  }
})

t.test('a subscribe counts as a root field, and its events do not', async (t) => {
  const service = await start(t, ['--db', ':memory:', '--auth', 'off', '--rate-limit', '10'])
  const left = async (): Promise<number> => {
    const { headers } = await service.ask('/person/1')
    return Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1])
  }
  const before = await left()
  const socket = await connectSocket(service)
  socket.subscribe('1', changes)
  await untilOpen(service, 1)
  socket.subscribe('2', '{ a: people { id } b: people { id } }')
  await socket.until('2', 2)
  t.equal(await left(), before - 4)
  for (const _ of [1, 2]) await service.send('POST', '/person', { name: 'Ada' })
  await socket.until('1', 2)
  t.equal(await left(), before - 7)
  socket.subscribe('3', '{ a: people { id } b: people { id } c: people { id } }')
  t.match(await socket.until('3', 1), [
    { type: 'error', payload: [{ extensions: { code: 'RATE_LIMITED' } }] },
  ])
  socket.leave()
})

t.test('sockets are measured and logged', async (t) => {
  const { service, writer } = await startWithKeys(t)
  const id = 'of-the-handshake'
  const socket = await connectSocket(service, { ...writer, 'X-Request-Id': id })
  socket.subscribe('1', changes)
  await untilOpen(service, 1)
  t.same(await figures(service, 'people_sockets_open'), ['people_sockets_open 1'])
  await service.send('POST', '/person', { name: 'Ada' }, writer)
  await socket.until('1', 1)
  socket.tell({ type: 'complete', id: '1' })
  const lines = (msg: string) => linesOf(service.said.out).filter((line) => line['msg'] === msg)
  await until(() => lines('stream').length === 1)
  socket.leave()
  await until(async () => (await figures(service, 'people_sockets_open 0')).length === 1)
  t.equal(await refusedWith(service, '/elsewhere', {}), 404)
  t.same(await figures(service, 'people_streams_'), [
    'people_streams_open{transport="websocket"} 0',
    'people_streams_ended_total{transport="websocket",cause="client-complete"} 1',
    'people_streams_stuck_total 0',
  ])
  t.same(
    (await figures(service, 'http_server_request_duration_seconds_count')).filter((line) =>
      /101|404/.test(line),
    ),
    [
      'http_server_request_duration_seconds_count{http_request_method="GET",http_response_status_code="101",http_route="/graphql"} 1',
      'http_server_request_duration_seconds_count{http_request_method="GET",http_response_status_code="404"} 1',
    ],
  )
  t.same(await figures(service, 'graphql_operation_duration_seconds_count'), [
    'graphql_operation_duration_seconds_count{type="subscription",name="other"} 1',
    'graphql_operation_duration_seconds_count{type="mutation",name="CreatePerson"} 1',
  ])
  const [first] = lines('operation')
  t.match(first, {
    id,
    route: '/graphql',
    operation: 'Changes',
    type: 'subscription',
    transport: 'websocket',
    status: 200,
    ms: Number,
    key: 'writer',
  })
  t.match(lines('stream'), [
    {
      id,
      trace_id: first?.['trace_id'],
      span_id: first?.['span_id'],
      route: '/graphql',
      operation: 'Changes',
      field: 'personChanged',
      transport: 'websocket',
      cause: 'client-complete',
      events: 1,
      ms: Number,
      key: 'writer',
    },
  ])
  t.match(
    lines('request').filter(({ status }) => status === 101 || status === 404),
    [
      { id, method: 'GET', route: '/graphql', status: 101 },
      { method: 'GET', status: 404 },
    ],
  )
  t.notMatch(service.said.out, writer['X-API-Key'])
})

t.test('SIGTERM closes sockets so that their clients connect again', async (t) => {
  const { service } = await startWithKeys(t)
  const sockets = await Promise.all([1, 2, 3].map(() => connectSocket(service)))
  for (const socket of sockets) socket.subscribe('1', changes)
  await untilOpen(service, 3)
  t.equal(await service.stop(), 0)
  for (const { closed, messages } of sockets) {
    t.equal(await closed, 1001)
    t.notOk(messages.some(({ type, id }) => type === 'complete' && id === '1'))
  }
  t.match(service.said.err, /\nstopped: \d+ requests finished, 0 cut; 3 sockets closed, 0 cut\n$/)
  const streams = linesOf(service.said.out).filter(({ msg }) => msg === 'stream')
  t.same(
    streams.map(({ cause }) => cause),
    ['shutdown', 'shutdown', 'shutdown'],
  )
})

t.test('a client of graphql-ws follows a service that is killed, or stopped', async (t) => {
  const database = join(t.testdir(), 'people.db')
  const serve = (port: string): Promise<Started> =>
    start(t, ['--db', database, '--auth', 'off', '--port', port])
  let service = await serve('0')
  const { port, host } = new URL(service.origin)
  const names: unknown[] = []
  const codes: unknown[] = []
  const client = createClient({
    url: `ws://${host}/graphql`,
    webSocketImpl: WebSocket,
    retryAttempts: Infinity,
    retryWait: () => new Promise((resolve) => setTimeout(resolve, 50)),
    // By default the client gives up while nothing listens.
    shouldRetry: () => true,
    on: {
      connected: () => void (codes.length = 0),
      closed: (event) => codes.push((event as { code: number }).code),
    },
  })
  const query = 'subscription { personChanged { person { name } } }'
  const sink = {
    next: ({ data }: { data?: unknown }) => {
      names.push(
        (data as { personChanged: { person: { name: string } } }).personChanged.person.name,
      )
    },
    error: (fault: unknown) => t.fail(String(fault)),
    complete: () => undefined,
  }
  client.subscribe({ query }, sink)
  for (const [name, end, code] of [
    ['Ada', () => service.kill(), 1006],
    ['Ben', () => service.stop(), 1001],
    ['Cleo', () => service.stop(), 1001],
  ] as const) {
    await untilOpen(service, 1)
    await service.send('POST', '/person', { name })
    await until(() => names.includes(name))
    await end()
    await until(() => codes.length > 0)
    t.equal(codes[0], code)
    service = await serve(port)
  }
  await untilOpen(service, 1)
  t.same(names, ['Ada', 'Ben', 'Cleo'])
  // Before the service is killed: it would connect again.
  await client.dispose()
})
