import { closeSync, openSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import Database from 'libsql'
import t, { type Test } from 'tap'
import { runToEnd } from '../service-process.js'
import { linesOf, production, start, until, type Line, type Started } from '../service/started.js'

/** A service in production with a key and a login of its own. */
async function startWithCredentials(t: Test) {
  const database = join(t.testdir(), 'people.db')
  const args = ['--db', database]
  const made = await runToEnd(['keys', 'create', '--name', 'ci', '--scope', 'write', ...args])
  const password = 'correct horse battery'
  await runToEnd(['logins', 'create', '--login', 'ann', '--scope', 'write', ...args], {
    stdin: password,
  })
  const service = await start(t, args, { env: { ...production, METRICS_TOKEN: metricsToken } })
  return { service, database, password, key: { 'X-API-Key': made.out.trim() } }
}

const metricsToken = 'a-token-of-the-metrics'

/** The line of the request with this id. */
function lineOf({ said }: Started, id: string): Promise<Line> {
  return until(() =>
    linesOf(said.out).find((line) => line['id'] === id && line['msg'] === 'request'),
  )
}

t.test('each request has one line, and no secret is in the log', async (t) => {
  const { service, key, password } = await startWithCredentials(t)
  const { token } = (await (
    await service.send('POST', '/login', { login: 'ann', password })
  ).json()) as { token: string }
  const bearer = { Authorization: `Bearer ${token}` }
  const query = { query: 'query Names { people { name } }' }
  // oxfmt-ignore
  const rows: [id: string, asked: () => Promise<Response>, line: Line][] = [
    [
      'rest',
      () => service.send('POST', '/person', { name: 'A' }, { ...key, 'X-Request-Id': 'rest' }),
      { method: 'POST', route: '/person', operation: 'CreatePerson', status: 201, key: 'ci' },
    ],
    [
      'graphql',
      () => service.send('POST', '/graphql', query, { ...bearer, 'X-Request-Id': 'graphql' }),
      { method: 'POST', route: '/graphql', operation: 'Names', status: 200, login: 'ann' },
    ],
    [
      'absent',
      () => service.ask('/person/in-the-path', { headers: { 'X-Request-Id': 'absent' } }),
      { method: 'GET', route: '/person/{id}', operation: 'GetPerson', status: 404 },
    ],
    [
      'refused',
      () => service.ask('/person/9', { method: 'DELETE', headers: { 'X-Request-Id': 'refused' } }),
      { method: 'DELETE', route: '/person/{id}', status: 401 },
    ],
    [
      'bad-key',
      () => service.ask('/people', { headers: { 'X-API-Key': 'guess', 'X-Request-Id': 'bad-key' } }),
      { method: 'GET', route: '/people', status: 401 },
    ],
    [
      'method',
      () => service.ask('/person/9', { method: 'POST', headers: { ...key, 'X-Request-Id': 'method' } }),
      { method: 'POST', route: '/person/{id}', status: 405 },
    ],
    ['nowhere', () => service.ask('/nowhere/at/all', { headers: { 'X-Request-Id': 'nowhere' } }), { method: 'GET', status: 404 }],
    ['login', () => service.send('POST', '/login', { login: 'ann', password }, { 'X-Request-Id': 'login' }), { method: 'POST', route: '/login', status: 200 }],
    [
      'figures',
      () => service.ask('/metrics', { headers: { Authorization: `Bearer ${metricsToken}`, 'X-Request-Id': 'figures' } }),
      { method: 'GET', route: '/metrics', status: 200 },
    ],
  ]
  for (const [id, ask, expected] of rows) {
    const answer = await ask()
    await answer.text()
    t.equal(answer.headers.get('x-request-id'), id)
    t.match(await lineOf(service, id), {
      ...expected,
      ms: Number,
      level: 'info',
      time: /^\d{4}-.*Z$/,
      trace_id: /^[\da-f]{32}$/,
      span_id: /^[\da-f]{16}$/,
    })
  }
  t.equal(await service.stop(), 0)
  const all = linesOf(service.said.out)
  for (const [id] of rows) t.equal(all.filter((line) => line['id'] === id).length, 1, id)
  t.equal((await lineOf(service, 'nowhere'))['route'], undefined)
  const allowed = new Set([
    'level',
    'time',
    'msg',
    'id',
    'trace_id',
    'span_id',
    'method',
    'route',
    'operation',
    'status',
    'ms',
    'key',
    'login',
  ])
  t.same(
    all.flatMap((line) => Object.keys(line).filter((name) => !allowed.has(name))),
    [],
  )
  const secrets = [key['X-API-Key'], token, password, metricsToken, production.JWT_KEY]
  for (const secret of [...secrets, 'guess', 'in-the-path']) {
    t.notOk((service.said.out + service.said.err).includes(secret))
  }
})

t.test('lines carry the trace of the caller, or a new one', async (t) => {
  const { service, key, database } = await startWithCredentials(t)
  const [traceId, spanId] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']
  const rows: [id: string, traceparent: string, isTaken: boolean][] = [
    ['taken', `00-${traceId}-${spanId}-01`, true],
    ['too-short', `00-${traceId.slice(1)}-${spanId}-01`, false],
    ['forged', `00-${traceId}-${spanId}-01","key":"x`, false],
  ]
  for (const [id, traceparent, isTaken] of rows) {
    const headers = { ...key, traceparent, 'X-Request-Id': id }
    await (await service.ask('/people', { headers })).text()
    const line = await lineOf(service, id)
    t.equal(line['trace_id'] === traceId, isTaken, id)
    t.match(line, { trace_id: /^[\da-f]{32}$/, span_id: /^[\da-f]{16}$/ })
    t.not(line['span_id'], spanId)
  }
  const other = new Database(database)
  other.exec('drop table messages')
  other.close()
  const headers = { traceparent: `00-${traceId}-${spanId}-01`, 'X-Request-Id': 'bug' }
  await (await service.ask('/message/1', { headers: { ...key, ...headers } })).text()
  const { span_id } = await lineOf(service, 'bug')
  const bug = linesOf(service.said.out).find((line) => line['msg'] === 'bug')
  t.match(bug, { trace_id: traceId, span_id })
})

t.test('outside production the log is for people, on stderr', async (t) => {
  const service = await start(t, ['--db', ':memory:'])
  await (await service.ask('/people', { headers: { 'X-Request-Id': 'a' } })).text()
  await (await service.send('POST', '/person', { name: 'B' })).text()
  t.equal(await service.stop(), 0)
  t.equal(service.said.out, '')
  const [, ...lines] = service.said.err.split(/^listening .*\n/m)
  t.match(
    lines.join(''),
    /^\[\d\d:\d\d:\d\d\.\d{3}\] INFO: request \{"id":"a",.*\}\n\[.*"key":"demo"\}\nstopped: .*\n$/,
  )
  const atStart = new RegExp(
    `^demo key: ${service.demoKey}\\n.*\\ndemo page: .*#key=${service.demoKey}\\n`,
  )
  t.match(service.said.err, atStart)
  t.equal(service.said.err.split(service.demoKey).length, 3, 'the key is told at the start only')
})

t.test('an id of a client is kept if it is safe, and replaced if not', async (t) => {
  const service = await start(t, ['--db', ':memory:'], { env: production })
  // oxfmt-ignore
  const rows: [given: string, isKept: boolean][] = [
    ['a',             true],
    ['A-z_0.9',       true],
    ['x'.repeat(128), true],
    ['x'.repeat(129), false],
    ['a b',           false],
    ['a"b',           false],
    ['ä',             false],
    ['',              false],
  ]
  for (const [given, isKept] of rows) {
    for (const path of ['/', '/people', '/graphql', '/login', '/metrics', '/openapi.json']) {
      const headers = { 'X-Request-Id': Buffer.from(given).toString('latin1') }
      const answer = await service.ask(path, { headers })
      await answer.text()
      const id = answer.headers.get('x-request-id') ?? ''
      if (isKept) t.equal(id, given)
      else t.match(id, /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/)
    }
  }
})

t.test('a client that disconnects is 499', async (t) => {
  const { service, database, key } = await startWithCredentials(t)
  const { port } = new URL(service.origin)
  const head = (id: string, length: number): string =>
    [
      'POST /person HTTP/1.1',
      'Host: localhost',
      `X-API-Key: ${key['X-API-Key']}`,
      'Content-Type: application/json',
      `Content-Length: ${length}`,
      `X-Request-Id: ${id}`,
      '\r\n',
    ].join('\r\n')

  const half = connect(Number(port), 'localhost')
  half.end(`${head('half', 100)}{"na`)
  half.on('error', () => {})
  t.match(await lineOf(service, 'half'), { status: 499, route: '/person', level: 'info' })

  // The write waits for the lock, which is ours.
  const lock = new Database(database)
  lock.exec('begin immediate')
  const asked = request(`${service.origin}/person`, {
    method: 'POST',
    headers: { ...key, 'Content-Type': 'application/json', 'X-Request-Id': 'waiting' },
  })
  asked.on('error', () => {})
  await new Promise<void>((resolve) => asked.end('{"name":"A"}', resolve))
  asked.destroy()
  t.match(await lineOf(service, 'waiting'), { status: 499, route: '/person' })
  lock.exec('rollback')
  lock.close()
  const figures = await service.ask('/metrics', {
    headers: { Authorization: `Bearer ${metricsToken}` },
  })
  t.match(
    await figures.text(),
    'http_server_request_duration_seconds_count{http_request_method="POST",http_response_status_code="499",http_route="/person"} 2\n',
  )
  await service.stop()
  t.equal(linesOf(service.said.out).filter(({ status }) => status === 499).length, 2, 'once each')
})

t.test('a bug is logged with its stack and the id that the client saw', async (t) => {
  const { service, database, key, password } = await startWithCredentials(t)
  const other = new Database(database)
  for (const table of ['messages', 'logins']) other.exec(`drop table ${table}`)
  other.close()
  // oxfmt-ignore
  const rows: [ask: () => Promise<Response>, status: number][] = [
    [() => service.send('GET', '/message/1', undefined, key),                        500],
    [() => service.send('POST', '/graphql', { query: '{ message(id: 1) { id } }' }), 294],
    [() => service.send('POST', '/login', { login: 'ann', password }),               500],
  ]
  for (const [ask, status] of rows) {
    const answer = await ask()
    t.equal(answer.status, status)
    const body = (await answer.json()) as { id?: string; errors?: { extensions: { id: string } }[] }
    const id = body.id ?? body.errors?.[0]?.extensions.id
    t.type(id, 'string')
    t.notMatch(JSON.stringify(body), 'no such table')
    const bug = await until(() =>
      linesOf(service.said.out).find((line) => line['msg'] === 'bug' && line['bug'] === id),
    )
    t.match(bug, { level: 'error', err: { message: /no such table/, stack: /\n +at / } })
    const line = await lineOf(service, answer.headers.get('x-request-id') ?? '')
    t.match(line, { status, level: status === 500 ? 'error' : 'info' })
  }
  t.equal((await service.ask('/readyz')).status, 200, 'and it goes on')
})

t.test('the service continues if the log cannot be written', async (t) => {
  const full = openSync('/dev/full', 'w')
  t.teardown(() => closeSync(full))
  const service = await start(t, ['--db', ':memory:'], { env: production, stdout: full })
  for (let at = 0; at < 20; at += 1) t.equal((await service.ask('/people')).status, 200)
  t.equal(await service.stop(), 0)
})
