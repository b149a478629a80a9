import t, { type Test } from 'tap'
import { handshake, RawWebSocket, subscribe } from '../../hosts/node/websocket/raw-web-socket.js'
import { checkMetrics, logOf, start, ways } from '../binary.js'

async function serve(t: Test, ...words: readonly string[]) {
  const fixed = ['--standard', '--port=0', '--host=127.0.0.1', '--metrics=/metrics', '--log=json']
  const server = start(['serve', ...fixed, ...words])
  const url = await server.url()
  const open = (head?: string) => RawWebSocket.open(Number(new URL(url).port), head)
  return { server, url, open }
}

async function acknowledged(open: () => Promise<RawWebSocket>): Promise<RawWebSocket> {
  const raw = await open()
  await raw.init()
  return raw
}

function requestsOf(status: number): string {
  const route = status === 404 ? '' : ',http_route="/graphql"'
  const labels = `http_request_method="GET",http_response_status_code="${status}"${route}`
  return `http_server_request_duration_seconds_count{${labels}}`
}

for (const [how, workers] of ways) {
  void t.test(`${how}: handshakes are logged and measured like requests`, async (t) => {
    const { server, url, open } = await serve(t, ...workers)
    const raw = await acknowledged(open)
    const rows: readonly [lines: Parameters<typeof handshake>[0], status: number][] = [
      [{ line: 'GET /elsewhere HTTP/1.1' }, 404],
      [{ 'Sec-WebSocket-Version': '8' }, 426],
      [{ Origin: 'https://evil.example', 'X-Request-Id': 'refused' }, 403],
    ]
    for (const [lines, status] of rows) {
      const refused = await open(handshake(lines))
      t.match(await refused.head(), new RegExp(`^HTTP/1.1 ${status} `))
      await refused.ended()
    }
    await checkMetrics(t, url, [
      `${requestsOf(101)} 1`,
      ...rows.map(([, status]) => `${requestsOf(status)} 1`),
      'graphwire_requests_refused_total{code="UPGRADE_REQUIRED"} 1',
      'http_server_active_requests 0',
      'graphwire_sockets_open 1',
    ])
    const closing = server.stop()
    t.equal((await raw.closed())[0], 1001)
    raw.socket.destroy()
    const lines = logOf((await closing).stderr, 'request')
    const refused = { id: 'refused', method: 'GET', path: '/graphql', status: 403 }
    const logged = lines.find((line) => 'id' in line)
    t.match(logged, refused)
    const statuses = lines.map((line) => ('status' in line ? String(line.status) : ''))
    t.equal(statuses.toSorted().join(), '101,403,404,426')
  })

  void t.test(`${how}: operations are logged and measured like those of requests`, async (t) => {
    const { server, url, open } = await serve(t, ...workers)
    const raw = await acknowledged(open)
    // oxfmt-ignore
    const rows: readonly [query: string, line: object][] = [
      ['query Named { counter }', { operation: 'Named', type: 'query', status: 200, bytes: Number, level: 'info' }],
      ['query Named { counter }', { operation: 'Named', status: 200 }],
      ['{ nope }',                { status: 422, bytes: Number, level: 'info' }],
      ['subscription { countdown(from: 1) }', { type: 'subscription', status: 200 }],
    ]
    const ends = /"type":"(complete|error)"/
    for (const [at, [query]] of rows.entries()) {
      raw.tell(subscribe(String(at), query))
      while (!ends.test(JSON.stringify(await raw.message())));
    }
    await checkMetrics(t, url, [
      'graphql_operation_duration_seconds_count{type="query",name="other"} 2',
      'graphql_operation_duration_seconds_count{type="subscription",name="other"} 1',
      'graphwire_requests_refused_total{code="GRAPHQL_VALIDATION_FAILED"} 1',
      'graphwire_document_cache_hits_total 1',
      'graphwire_document_cache_misses_total 3',
      'graphwire_streams_ended_total{transport="websocket",cause="complete"} 1',
      `${requestsOf(101)} 1`,
      'http_server_active_requests 0',
    ])
    raw.socket.destroy()
    const lines = logOf((await server.stop()).stderr, 'operation')
    const every = { transport: 'websocket', path: '/graphql', ms: Number }
    for (const [at, [, line]] of rows.entries()) t.match(lines[at], { ...line, ...every })
    t.equal(lines.length, rows.length)
  })

  void t.test(`${how}: sockets close at SIGTERM, and the last line counts them`, async (t) => {
    const { server, open } = await serve(t, '--spread=400', ...workers)
    const all = await Promise.all(Array.from({ length: 5 }, () => acknowledged(open)))
    for (const raw of all) raw.tell(subscribe('1', 'subscription { silent }'))
    const [first, ...others] = all
    first?.tell(subscribe('2', '{ __typename }'))
    t.match(await first?.message(), { id: '2' })
    first?.socket.destroy()
    const closing = server.stop()
    for (const raw of others) {
      t.equal((await raw.closed())[0], 1001)
      raw.close(1001)
    }
    const { code, stderr } = await closing
    t.equal(code, 0)
    t.match(stderr, /\nstopped: 0 requests finished, 0 cut; 4 sockets closed, 0 cut$/)
  })
}
