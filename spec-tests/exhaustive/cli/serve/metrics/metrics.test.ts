import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import * as samples from '../../../../../src/cli/serve/metrics/samples.js'
import { ServerMetrics } from '../../../../../src/cli/serve/metrics/server-metrics.js'
import { ask, logOf, run, start, ways } from '../../binary.js'

const nothingOpen = { open: 0, returning: 0, stuck: [], sockets: 0 }

void t.test('the metrics of several processes are one', async (t) => {
  const masked = 'graphwire_errors_masked_total'
  const lag = 'nodejs_eventloop_lag_max_seconds'
  const begun = 'process_start_time_seconds'
  const one = { [masked]: { x: 1, y: 2 }, [lag]: { '': 5 }, [begun]: { '': 5 } }
  const other = { [masked]: { y: 3, z: 4 }, [lag]: { '': 7 }, [begun]: { '': 7 } }
  const merged = { [masked]: { x: 1, y: 5, z: 4 }, [lag]: { '': 7 }, [begun]: { '': 5 } }
  t.same(samples.mergeSamples([one, other]), merged)
  t.same(samples.countsOf(one), { [masked]: { x: 1, y: 2 } })
})

void t.test('the text is that of Prometheus, its labels escaped', async (t) => {
  const tally = new samples.Tally()
  tally.add('graphwire_streams_ended_total', { label: 'a"b\\c\nd', other: undefined })
  t.match(
    samples.formatSamples(tally.samples),
    '# HELP graphwire_streams_ended_total Streams that have ended, by cause.\n' +
      '# TYPE graphwire_streams_ended_total counter\n' +
      'graphwire_streams_ended_total{label="a\\"b\\\\c\\nd"} 1\n',
  )
})

void t.test('what clients invent makes no labels without end', async (t) => {
  const metrics = new ServerMetrics('/graphql', '1.0.0')
  for (let at = 0; at < 200; at += 1) {
    metrics.observe({ kind: 'begun' })
    metrics.observe({
      kind: 'request',
      head: { method: `M${at}`, target: `/${at}`, headers: [], raw: undefined },
      response: { status: 400, headers: [], body: '' },
      duration: 1,
      operation: undefined,
      codes: [`CODE_${at}`],
    })
  }
  const lines = samples.formatSamples(metrics.measure(nothingOpen, undefined)).split('\n')
  const labels = 'http_request_method="_OTHER",http_response_status_code="400"'
  const name = 'http_server_request_duration_seconds_count'
  t.same(
    lines.filter((line) => line.startsWith(name)),
    [`${name}{${labels}} 200`],
  )
  const refused = lines.filter((line) => line.startsWith('graphwire_requests_refused_total{'))
  t.equal(refused.length, 65)
  t.equal(refused.at(-1), 'graphwire_requests_refused_total{code="other"} 136')
})

function requestsOf(suffix: string, method: string, status: number, more = ''): string {
  const labels = `http_request_method="${method}",http_response_status_code="${status}"`
  return `http_server_request_duration_seconds${suffix}{${labels},http_route="/graphql"${more}}`
}

async function read(url: string): Promise<Map<string, number>> {
  const answer = await fetch(new URL('/metrics', url))
  t.equal(answer.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8')
  const lines = (await answer.text()).split('\n').filter((line) => /^[a-z]/.test(line))
  return new Map(lines.map((line) => [line.replace(/ .*/, ''), Number(line.replace(/.* /, ''))]))
}

for (const [how, workers] of ways) {
  void t.test(`${how} --metrics counts what all processes answer`, async (t) => {
    const words = ['serve', '--standard', '--port=0', '--metrics=/metrics', '--log=json']
    const server = start([...words, ...workers])
    const url = await server.url()
    for (let at = 0; at < 4; at += 1) await ask(url, 'query Named { counter }')
    await ask(url, '{ nope }')
    const aliases = Array.from({ length: 100 }, (_, at) => `a${at}: counter`)
    await ask(url, `{ ${aliases.join(' ')} }`)
    await fetch(new URL('/nowhere', url))
    const metrics = await read(url)
    // oxfmt-ignore
    const rows: readonly [name: string, value: number][] = [
      [requestsOf('_count', 'POST', 200),                      4],
      [requestsOf('_count', 'POST', 422),                      2],
      ['http_server_request_duration_seconds_count{http_request_method="GET",http_response_status_code="404"}', 1],
      [requestsOf('_bucket', 'POST', 200, ',le="+Inf"'),       4],
      ['graphql_operation_duration_seconds_count{type="query",name="other"}', 4],
      ['graphwire_requests_refused_total{code="NOT_FOUND"}',   1],
      ['graphwire_limits_exceeded_total{limit="maxAliases",action="refused"}', 1],
      ['http_server_active_requests',                          0],
      ['graphwire_errors_masked_total',                        0],
      ['graphwire_connections_refused_total',                  0],
      ['graphwire_processes',                                  workers.length === 0 ? 1 : 2],
    ]
    for (const [name, value] of rows) t.equal(metrics.get(name), value, name)
    // Each worker counts the uses of an operation by itself.
    if (workers.length === 0) {
      t.equal(metrics.get('graphwire_document_cache_hits_total'), 3)
      t.equal(metrics.get('graphwire_document_cache_misses_total'), 3)
    }
    for (const kind of workers.length === 0 ? ['few-uses', 'compiled'] : []) {
      const name = `graphwire_operations_executed_total{execution="${kind}"}`
      t.equal(metrics.get(name), 2, name)
    }
    for (const name of ['process_resident_memory_bytes', 'process_cpu_seconds_total']) {
      t.ok((metrics.get(name) ?? 0) > 0, name)
    }
    if (workers.length > 0) {
      server.child.kill('SIGHUP')
      await server.line(/^reloaded /)
      t.equal((await read(url)).get(requestsOf('_count', 'POST', 200)), 4, 'no count is lost')
    }
    const page = new URL('/metrics', url)
    t.equal((await fetch(page, { method: 'HEAD' })).status, 200)
    t.equal((await fetch(page, { method: 'DELETE' })).headers.get('allow'), 'GET, HEAD')
    const { stderr, stdout, code } = await server.stop()
    t.equal(code, 0)
    t.equal(stdout, '')
    const lines = logOf(stderr, 'request')
    t.equal(lines.length, 7, 'a line for each request, and none for the metrics')
    const operation = { operation: 'Named', type: 'query' }
    const request = { level: 'info', method: 'POST', path: '/graphql', status: 200 }
    t.match(lines[0], { ...request, ...operation })
  })
}

void t.test('a request whose client leaves while it sends the body ends as 499', async (t) => {
  const server = start(['serve', '--standard', '--port=0', '--metrics=/metrics', '--log=json'])
  const url = await server.url()
  const untilInFlight = async (count: number): Promise<void> => {
    while ((await read(url)).get('http_server_active_requests') !== count) await pause(5)
  }
  const { hostname, port } = new URL(url)
  const client = connect(Number(port), hostname)
  const fields = 'Host: x\r\nContent-Type: application/json\r\nContent-Length: 9'
  client.write(`POST /graphql HTTP/1.1\r\n${fields}\r\n\r\n{`)
  await untilInFlight(1)
  client.destroy()
  await untilInFlight(0)
  await ask(url, '{ counter }')
  const metrics = await read(url)
  t.equal(metrics.get('http_server_active_requests'), 0)
  t.equal(metrics.get(requestsOf('_count', 'POST', 499)), 1)
  t.equal(metrics.get('graphwire_requests_refused_total{code="CANCELLED"}'), 1)
  const { stderr } = await server.stop()
  const left = { level: 'info', status: 499, codes: ['CANCELLED'], bytes: 0 }
  t.match(logOf(stderr, 'request')[0], left)
})

void t.test('masked errors are counted', async (t) => {
  const cwd = t.testdir({
    'fails.mjs': `
      import { buildSchema } from 'graphql'
      export default {
        schema: buildSchema('type Query { a: Int }'),
        rootValue: { a() { throw new Error('secret') } },
        onBug() {},
      }`,
  })
  const server = start(['serve', 'fails.mjs', '--port=0', '--metrics=/metrics'], { cwd })
  const url = await server.url()
  t.notMatch((await ask(url, '{ a }')).body, 'secret')
  t.equal((await read(url)).get('graphwire_errors_masked_total'), 1)
  await server.stop()
})

for (const [words, message] of [
  [['--metrics=/graphql'], /^serve: path: \/graphql is the path of the metrics/],
  [['--metrics=/livez'], /^serve: --metrics: \/livez is already a health check/],
] as const) {
  void t.test(`${words.join(' ')} ends with 3 and says why`, async (t) => {
    const ended = await run(['serve', '--standard', '--port=0', ...words])
    t.match(ended, { code: 3, stderr: message })
  })
}
