import t from 'tap'
import { start } from '../service/started.js'
import { figuresOf } from '../service/with-keys.js'

const countOf = (figures: ReadonlyMap<string, number>, name: string) => figures.get(name) ?? 0

const open = ['--db', ':memory:', '--rate-limit', 'off', '--auth', 'off'] as const

t.test('requests are counted by method, route and status', async (t) => {
  const service = await start(t, open)
  // oxfmt-ignore
  const rows: [method: string, status: number, route: string | undefined, path: string, body?: object][] = [
    ['GET',     200, '/person/{id}', '/person/1'],
    ['HEAD',    200, '/person/{id}', '/person/1'],
    ['GET',     404, '/person/{id}', '/person/1000'],
    ['POST',    405, '/person/{id}', '/person/1'],
    ['OPTIONS', 204, '/people',      '/people'],
    ['POST',    201, '/person',      '/person', { name: 'A' }],
    ['POST',    200, '/graphql',     '/graphql', { query: '{ people { id } }' }],
    ['POST',    401, '/login',       '/login', { login: 'a', password: 'b' }],
    ['GET',     200, '/',            '/'],
    ['GET',     404, undefined,      '/favicon.ico'],
  ]
  for (const [method, status, route, path, body] of rows) {
    const before = await figuresOf(service)
    for (const _ of [1, 2]) await (await service.send(method, path, body)).text()
    const after = await figuresOf(service)
    const labels = `http_request_method="${method}",http_response_status_code="${status}"`
    const name = `http_server_request_duration_seconds_count{${labels}${route ? `,http_route="${route}"` : ''}}`
    t.equal(countOf(after, name) - countOf(before, name), 2, name)
    t.equal(countOf(after, 'http_server_active_requests'), 1, 'that of the figures themselves')
  }
})

t.test('a thousand invented paths and methods make no new series', async (t) => {
  const service = await start(t, open)
  const inventions = async (from: number, to: number): Promise<void> => {
    for (let at = from; at < to; at += 1) {
      const method = ['GET', 'PROPFIND', 'MKCOL', 'SEARCH', 'REPORT'][at % 5] ?? 'GET'
      await (await service.ask(`/invented/${at}?${at}=${at}`, { method })).text()
      await (await service.ask(`/person/${at}-${'x'.repeat(at % 50)}`)).text()
    }
  }
  await inventions(0, 10)
  const before = await figuresOf(service)
  await inventions(10, 500)
  const after = await figuresOf(service)
  const ours = [...after.keys()].filter((id) => /^(people_(?!swept)|http_|graphql_)/.test(id))
  const added = ours.filter((id) => !before.has(id))
  t.same(
    added,
    ours.filter((id) => /^http_server_request.*route="\/metrics"/.test(id)),
  )
  const name = 'http_server_request_duration_seconds_count'
  const labels = 'http_request_method="_OTHER",http_response_status_code="404"'
  t.equal(countOf(after, `${name}{${labels}}`), 400)
})

t.test('each stage is counted once a request, and each statement', async (t) => {
  const service = await start(t, open)
  const names = ['graphql_parse', 'graphql_validate', 'graphql_execute', 'statement']
  const counts = async () => {
    const figures = await figuresOf(service)
    return names.map((name) => countOf(figures, `people_${name}_duration_seconds_count`))
  }
  const change = async (work: () => Promise<unknown>): Promise<number[]> => {
    const before = await counts()
    await work()
    return (await counts()).map((count, at) => count - (before[at] ?? 0))
  }
  /** Of three times, the one with the fewest statements: the feed of changes is read in between. */
  const changeBy = async (textOf: (time: number) => string): Promise<unknown> => {
    const changes: number[][] = []
    for (const time of [1, 2, 3]) {
      const query = textOf(time)
      changes.push(
        await change(async () => (await service.send('POST', '/graphql', { query })).text()),
      )
    }
    return changes.toSorted(([, , , one = 0], [, , , other = 0]) => one - other)[0]
  }
  t.same(await changeBy((time) => `{ person(id: ${time}) { name } }`), [1, 1, 1, 1])
  t.same(await changeBy((time) => `{ person(id: ${time}) { name friends { id } } }`), [1, 1, 1, 2])
  t.same(await changeBy((time) => `{ a${time}: __typename }`), [1, 1, 1, 0], 'nothing to wait for')
  t.same(await changeBy(() => '{ a1: __typename }'), [0, 0, 1, 0], 'a document that is known')
  t.same(await changeBy((time) => `{ nobody${time} }`), [1, 1, 0, 0], 'what is not valid')
  t.same(await changeBy((time) => '{'.repeat(time)), [1, 0, 0, 0], 'what is no document')
  const get = async () => (await service.ask('/person/1')).text()
  t.same((await change(get)).slice(0, 3), [0, 0, 1], 'routes are read when the service starts')
})

t.test('the metrics require the token', async (t) => {
  const token = 'a-token-of-the-metrics'
  const env = { METRICS_TOKEN: token }
  const service = await start(t, ['--db', ':memory:', '--auth', 'all'], { env })
  for (const given of [undefined, 'Bearer', `Bearer ${token}x`, `Basic ${token}`, token]) {
    const headers = given === undefined ? {} : { Authorization: given }
    const answer = await service.ask('/metrics', { headers })
    t.equal(answer.status, 401)
    t.equal(answer.headers.get('www-authenticate'), 'Bearer realm="metrics"')
    t.equal(answer.headers.get('content-type'), 'application/problem+json')
  }
  const key = await service.ask('/metrics', { headers: { 'X-API-Key': service.demoKey } })
  t.equal(key.status, 401, 'a key of the service is none of the figures')
  const headers = { Authorization: `bearer ${token}` }
  const good = await service.ask('/metrics', { headers })
  t.equal(good.status, 200)
  t.equal(good.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8')
  t.ok((await figuresOf(service, { headers })).size > 50)
})
