import t from 'tap'
import { connectSocket, refusedWith } from './socket-client.js'
import { linesOf, until, type Headers } from './started.js'
import { figureLines, signToken, startWithKeys, untilOpen } from './with-keys.js'

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
  const token = { Authorization: `Bearer ${await signToken(Math.floor(Date.now() / 1_000) + 600)}` }
  const lowerCase = { authorization: token.Authorization }
  const unknown = { 'X-API-Key': 'gw_none' }
  // oxfmt-ignore
  const rows: [name: string, headers: Headers, payload: Headers | undefined, isIn: boolean][] = [
    ['none',                                   {},      undefined,                         false],
    ['a key in the handshake',                 reader,  undefined,                         true],
    ['a token in the handshake',               token,   undefined,                         true],
    ['a token in the payload',                 {},      token,                             true],
    ['its name in lower case',                 {},      lowerCase,                         true],
    ['a key in the payload, which is ignored', {},      reader,                            false],
    ['a key, and a bad token in the payload',  reader,  { Authorization: 'Bearer a.b.c' }, false],
    ['an unknown key',                         unknown, undefined,                         false],
    ['an unknown key, and a token beside',     unknown, token,                             false],
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
  const elsewhere = { ...writer, Origin: 'https://evil.example' }
  t.equal(await refusedWith(service, '/graphql', elsewhere), 403)
  t.equal(await refusedWith(service, '/people/changes', writer), 404)
})

t.test('sockets are measured and logged', async (t) => {
  const { service, writer } = await startWithKeys(t)
  const id = 'of-the-handshake'
  const socket = await connectSocket(service, { ...writer, 'X-Request-Id': id })
  socket.subscribe('1', 'subscription Changes { personChanged { kind id } }')
  await untilOpen(service, 1)
  t.same(await figureLines(service, 'people_sockets_open'), ['people_sockets_open 1'])
  await service.send('POST', '/person', { name: 'Ada' }, writer)
  await socket.until('1', 1)
  socket.tell({ type: 'complete', id: '1' })
  const lines = (msg: string) => linesOf(service.said.out).filter((line) => line['msg'] === msg)
  await until(() => lines('stream').length === 1)
  socket.leave()
  await until(async () => (await figureLines(service, 'people_sockets_open 0')).length === 1)
  t.equal(await refusedWith(service, '/elsewhere', {}), 404)
  t.same(await figureLines(service, 'people_streams_'), [
    'people_streams_open{transport="websocket"} 0',
    'people_streams_ended_total{transport="websocket",cause="client-complete"} 1',
    'people_streams_stuck_total 0',
  ])
  const requests = await figureLines(service, 'http_server_request_duration_seconds_count')
  const handshake = '{http_request_method="GET",http_response_status_code='
  const counted = requests.flatMap((line) => /\{.*(?:101|404).*/.exec(line) ?? [])
  t.same(counted, [`${handshake}"101",http_route="/graphql"} 1`, `${handshake}"404"} 1`])
  t.same(await figureLines(service, 'graphql_operation_duration_seconds_count'), [
    'graphql_operation_duration_seconds_count{type="subscription",name="other"} 1',
    'graphql_operation_duration_seconds_count{type="mutation",name="CreatePerson"} 1',
  ])
  const common = { id, route: '/graphql', operation: 'Changes', transport: 'websocket' }
  const [first] = lines('operation')
  t.match(first, { ...common, type: 'subscription', status: 200, ms: Number, key: 'writer' })
  const { trace_id, span_id } = first ?? {}
  const ended = { field: 'personChanged', cause: 'client-complete', events: 1, ms: Number }
  t.match(lines('stream'), [{ ...common, trace_id, span_id, ...ended, key: 'writer' }])
  const handshakes = lines('request').filter(({ method }) => method === 'GET')
  const [accepted, refused] = handshakes.filter((line) => line['route'] !== '/metrics')
  t.match(accepted, { id, route: '/graphql', status: 101 })
  t.match(refused, { status: 404 })
  t.notMatch(service.said.out, writer['X-API-Key'])
})
