import { closeSync, openSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import Database from 'libsql'
import t, { type Test } from 'tap'
import { lockFile, startWithKeys } from '../service/with-keys.js'
import { linesOf, production, start, until, type Line, type Started } from '../service/started.js'

const password = 'correct horse battery'

/** A service in production with a key and a login of its own. */
async function startWithCredentials(t: Test) {
  const { command, ...started } = await startWithKeys(t, { METRICS_TOKEN: metricsToken })
  await command('logins create --login ann --scope write', password)
  return started
}

const metricsToken = 'a-token-of-the-metrics'

/** The line of the request with this id. */
function lineOf({ said }: Started, id: string): Promise<Line> {
  const isIt = (line: Line) => line['id'] === id && line['msg'] === 'request'
  return until(() => linesOf(said.out).find(isIt))
}

t.test('each request has one line, and no secret is in the log', async (t) => {
  const { service, writer: key } = await startWithCredentials(t)
  const { token } = (await (
    await service.send('POST', '/login', { login: 'ann', password })
  ).json()) as { token: string }
  const bearer = { Authorization: `Bearer ${token}` }
  const figures = { Authorization: `Bearer ${metricsToken}` }
  const query = { query: 'query Names { people { name } }' }
  // oxfmt-ignore
  const rows: [id: string, method: string, path: string, body: unknown, headers: object, line: Line][] = [
    ['rest',    'POST',   '/person',             { name: 'A' },              key,     { route: '/person', operation: 'CreatePerson', status: 201, key: 'writer' }],
    ['graphql', 'POST',   '/graphql',            query,                      bearer,  { route: '/graphql', operation: 'Names', status: 200, login: 'ann' }],
    ['absent',  'GET',    '/person/in-the-path', undefined,                  {},      { route: '/person/{id}', operation: 'GetPerson', status: 404 }],
    ['refused', 'DELETE', '/person/9',           undefined,                  {},      { route: '/person/{id}', status: 401 }],
    ['bad-key', 'GET',    '/people',             undefined, { 'X-API-Key': 'guess' }, { route: '/people', status: 401 }],
    ['method',  'POST',   '/person/9',           undefined,                  key,     { route: '/person/{id}', status: 405 }],
    ['nowhere', 'GET',    '/nowhere/at/all',     undefined,                  {},      { status: 404 }],
    ['login',   'POST',   '/login',              { login: 'ann', password }, {},      { route: '/login', status: 200 }],
    ['figures', 'GET',    '/metrics',            undefined,                  figures, { route: '/metrics', status: 200 }],
  ]
  for (const [id, method, path, body, headers, line] of rows) {
    const answer = await service.send(method, path, body, { ...headers, 'X-Request-Id': id })
    await answer.text()
    t.equal(answer.headers.get('x-request-id'), id)
    const trace = { trace_id: /^[\da-f]{32}$/, span_id: /^[\da-f]{16}$/ }
    const common = { method, ms: Number, level: 'info', time: /^\d{4}-.*Z$/, ...trace }
    t.match(await lineOf(service, id), { ...line, ...common })
  }
  t.equal(await service.stop(), 0)
  const all = linesOf(service.said.out)
  for (const [id] of rows) t.equal(all.filter((line) => line['id'] === id).length, 1, id)
  t.equal((await lineOf(service, 'nowhere'))['route'], undefined)
  const allowed = 'level time msg id trace_id span_id method route operation status ms key login'
  const names = new Set(all.flatMap((line) => Object.keys(line)))
  for (const name of names) t.ok(allowed.split(' ').includes(name), name)
  const secrets = [key['X-API-Key'], token, password, metricsToken, production.JWT_KEY]
  for (const secret of [...secrets, 'guess', 'in-the-path']) {
    t.notOk((service.said.out + service.said.err).includes(secret))
  }
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
  const { demoKey: key, said } = service
  t.match(said.err, new RegExp(`^demo key: ${key}\\n.*\\ndemo page: .*#key=${key}\\n`))
  t.equal(said.err.split(key).length, 3, 'the key is printed at the start only')
})

t.test('an id of a client is kept if it is safe, and replaced if not', async (t) => {
  const service = await start(t, ['--db', ':memory:'], { env: production })
  const idFor = async (id: string, path = '/people') => {
    const sent = { 'X-Request-Id': Buffer.from(id).toString('latin1') }
    return (await service.ask(path, { headers: sent })).headers.get('x-request-id')
  }
  for (const path of '/ /graphql /login /metrics'.split(' ')) t.equal(await idFor('a', path), 'a')
  for (const safe of ['A-z_0.9', 'x'.repeat(128)]) t.equal(await idFor(safe), safe)
  for (const other of ['x'.repeat(129), 'a b', 'a"b', 'ä', '']) {
    t.match(await idFor(other), /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/, other)
  }
})

t.test('a client that disconnects is 499', async (t) => {
  const { service, database, writer: key } = await startWithKeys(t, { METRICS_TOKEN: metricsToken })
  const { port } = new URL(service.origin)
  const half = connect(Number(port), 'localhost')
  half.end(
    `POST /person HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${key['X-API-Key']}\r\nContent-Type: application/json\r\nContent-Length: 9\r\nX-Request-Id: half\r\n\r\n{"na`,
  )
  half.on('error', () => {})
  t.match(await lineOf(service, 'half'), { status: 499, route: '/person', level: 'info' })

  const unlock = lockFile(t, database)
  const asked = request(`${service.origin}/person`, {
    method: 'POST',
    headers: { ...key, 'Content-Type': 'application/json', 'X-Request-Id': 'waiting' },
  })
  asked.on('error', () => {})
  await new Promise<void>((resolve) => asked.end('{"name":"A"}', resolve))
  asked.destroy()
  t.match(await lineOf(service, 'waiting'), { status: 499, route: '/person' })
  unlock()
  const headers = { Authorization: `Bearer ${metricsToken}` }
  const figures = await (await service.ask('/metrics', { headers })).text()
  t.match(
    figures,
    'http_server_request_duration_seconds_count{http_request_method="POST",http_response_status_code="499",http_route="/person"} 2\n',
  )
  await service.stop()
  t.equal(linesOf(service.said.out).filter(({ status }) => status === 499).length, 2, 'once each')
})

t.test('a bug is logged with its stack, its trace and the id that the client saw', async (t) => {
  const { service, database, writer: key } = await startWithCredentials(t)
  const other = new Database(database)
  for (const table of ['messages', 'logins']) other.exec(`drop table ${table}`)
  other.close()
  const [trace, span] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331']
  // oxfmt-ignore
  const rows: [method: string, path: string, body: unknown, status: number, parent: string, isTaken: boolean][] = [
    ['GET',  '/message/1', undefined,                           500, `00-${trace}-${span}-01`,            true],
    ['POST', '/graphql',   { query: '{ message(id: 1) { id } }' }, 294, `00-${trace}-${span}-01","key":"x`,  false],
    ['POST', '/login',     { login: 'ann', password },          500, `00-${trace.slice(1)}-${span}-01`,   false],
  ]
  for (const [method, path, sent, status, traceparent, isTaken] of rows) {
    const answer = await service.send(method, path, sent, { ...key, traceparent })
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
    t.equal(line['trace_id'] === trace, isTaken)
    t.match(line, { trace_id: /^[\da-f]{32}$/, span_id: /^[\da-f]{16}$/ })
    t.not(line['span_id'], span)
    if (isTaken) t.match(bug, { trace_id: trace, span_id: line['span_id'] })
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
