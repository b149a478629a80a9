import { request } from 'node:http'
import t from 'tap'
import { start, type Started } from '../service/started.js'

/** What is measured: each series by its name and labels. */
async function figuresOf(service: Started, init?: RequestInit): Promise<Map<string, number>> {
  const answer = await service.ask('/metrics', init)
  return readFigures(await answer.text())
}

/** Reads the text format of Prometheus, and throws at a line that is not of its grammar. */
function readFigures(text: string): Map<string, number> {
  if (!text.endsWith('\n')) throw new Error('The last line has no end')
  const series = new Map<string, number>()
  const types = new Map<string, string>()
  for (const line of text.split('\n')) {
    const [, kind, name = '', rest = ''] =
      /^# (HELP|TYPE) ([a-zA-Z_:][\w:]*) (.+)$/.exec(line) ?? []
    if (line === '' || kind === 'HELP') continue
    if (kind === 'TYPE') {
      if (types.has(name)) throw new Error(`Two types of ${name}`)
      types.set(name, rest)
      continue
    }
    const found = sample.exec(line)
    if (found === null) throw new Error(`This is no sample: ${line}`)
    const [, id = '', family = '', value = ''] = found
    const base = family.replace(/_(?:bucket|sum|count)$/, '')
    if (!types.has(family) && !types.has(base)) throw new Error(`No type of ${line}`)
    if (series.has(id)) throw new Error(`Twice: ${id}`)
    series.set(id, value === '+Inf' ? Number.POSITIVE_INFINITY : Number(value))
  }
  return series
}

const label = String.raw`[a-zA-Z_]\w*="(?:[^"\\\n]|\\["\\n])*"`
// Prometheus reads numbers by Go's ParseFloat, for which `Nan` is one.
const sample = new RegExp(
  String.raw`^(([a-zA-Z_:][\w:]*)(?:\{(?:${label}(?:,${label})*)?\})?) ([+-]Inf|N[Aa][Nn]|-?[\d.]+(?:e[+-]?\d+)?)$`,
)

function countOf(figures: ReadonlyMap<string, number>, name: string): number {
  return figures.get(name) ?? 0
}

const open = ['--db', ':memory:', '--rate-limit', 'off', '--auth', 'off'] as const

t.test('requests are counted by method, route and status', async (t) => {
  const service = await start(t, open)
  // oxfmt-ignore
  const rows: [labels: string, ask: () => Promise<Response>][] = [
    ['method="GET",route="/person/{id}",status="200"',  () => service.ask('/person/1')],
    ['method="HEAD",route="/person/{id}",status="200"', () => service.ask('/person/1', { method: 'HEAD' })],
    ['method="GET",route="/person/{id}",status="404"',  () => service.ask('/person/1000')],
    ['method="PUT",route="/person/{id}",status="415"',  () => service.ask('/person/1', { method: 'PUT', body: 'x' })],
    ['method="POST",route="/person/{id}",status="405"', () => service.ask('/person/1', { method: 'POST' })],
    ['method="OPTIONS",route="/people",status="204"',   () => service.ask('/people', { method: 'OPTIONS' })],
    ['method="POST",route="/person",status="201"',      () => service.send('POST', '/person', { name: 'A' })],
    ['method="POST",route="/graphql",status="200"',     () => service.send('POST', '/graphql', { query: '{ people { id } }' })],
    ['method="POST",route="/login",status="401"',       () => service.send('POST', '/login', { login: 'a', password: 'b' })],
    ['method="GET",route="/",status="200"',             () => service.ask('/')],
    ['method="POST",route="/",status="405"',            () => service.ask('/', { method: 'POST' })],
    ['method="GET",route="/openapi.json",status="200"', () => service.ask('/openapi.json')],
    ['method="GET",route="none",status="404"',          () => service.ask('/favicon.ico')],
  ]
  for (const [labels, ask] of rows) {
    const before = await figuresOf(service)
    for (const _ of [1, 2]) await (await ask()).text()
    const after = await figuresOf(service)
    const name = `people_requests_total{${labels}}`
    t.equal(countOf(after, name) - countOf(before, name), 2, labels)
    const route = /route="[^"]*"/.exec(labels)?.[0]
    const timed = `people_request_duration_seconds_count{${route}}`
    t.equal(countOf(after, timed) - countOf(before, timed), 2)
  }
})

t.test('a thousand invented paths and methods make no new series', async (t) => {
  const service = await start(t, open)
  const { port } = new URL(service.origin)
  const ask = (method: string, path: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const asked = request({ host: 'localhost', port, method, path }, (answer) => {
        answer.resume().on('end', resolve)
      })
      asked.on('error', reject).end()
    })
  const inventions = async (from: number, to: number): Promise<void> => {
    for (let at = from; at < to; at += 1) {
      const method = ['GET', 'PROPFIND', 'MKCOL', 'SEARCH', 'REPORT'][at % 5] ?? 'GET'
      await ask(method, `/invented/${at}?${at}=${at}`)
      await ask('GET', `/person/${at}-${'x'.repeat(at % 50)}`)
    }
  }
  await inventions(0, 10)
  const before = await figuresOf(service)
  await inventions(10, 500)
  const after = await figuresOf(service)
  t.same(
    [...after.keys()].filter((name) => !before.has(name) && name.startsWith('people_')),
    [
      'people_requests_total{method="GET",route="/metrics",status="200"}',
      ...[...after.keys()].filter((name) =>
        /^people_request_duration.*route="\/metrics"/.test(name),
      ),
    ],
  )
  t.equal(countOf(after, 'people_requests_total{method="other",route="none",status="404"}'), 400)
})

t.test('each stage is counted once a request, and each statement', async (t) => {
  const service = await start(t, open)
  const stages = ['parse', 'validate', 'execute'] as const
  const counts = async () => {
    const figures = await figuresOf(service)
    return [
      ...stages.map((stage) => countOf(figures, `people_graphql_${stage}_duration_seconds_count`)),
      countOf(figures, 'people_statement_duration_seconds_count'),
    ]
  }
  const change = async (work: () => Promise<unknown>): Promise<number[]> => {
    const before = await counts()
    await work()
    return (await counts()).map((count, at) => count - (before[at] ?? 0))
  }
  const query = (text: string) => async () =>
    (await service.send('POST', '/graphql', { query: text })).text()
  t.same(await change(query('{ person(id: 1) { name } }')), [1, 1, 1, 1])
  t.same(await change(query('{ person(id: 1) { name friends { id } } }')), [1, 1, 1, 2])
  t.same(await change(query('{ __typename }')), [1, 1, 1, 0], 'where nothing is waited for')
  t.same(await change(query('{ __typename }')), [0, 0, 1, 0], 'a document that is known')
  t.same(await change(query('{ nobody }')), [1, 1, 0, 0], 'what is not valid')
  t.same(await change(query('{')), [1, 0, 0, 0], 'what is no document')
  const get = async () => (await service.ask('/person/1')).text()
  t.same((await change(get)).slice(0, 3), [0, 0, 1], 'routes are read when the service starts')
})

t.test('the figures are read by those who bring the token', async (t) => {
  const token = 'a-token-of-the-metrics'
  const service = await start(t, ['--db', ':memory:', '--auth', 'all'], {
    env: { METRICS_TOKEN: token },
  })
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

t.test('without a token they are open, also where all else needs a credential', async (t) => {
  const service = await start(t, ['--db', ':memory:', '--auth', 'all'])
  t.ok((await figuresOf(service)).has('process_cpu_seconds_total'))
})
