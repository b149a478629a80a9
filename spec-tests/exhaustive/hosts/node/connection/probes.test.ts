import t from 'tap'
import { serve, type ConnectionOptions } from '../../../../../src/hosts/node/index.js'
import { buildSchema } from 'graphql'
import { thrower } from '../../../../base/thrower.js'
import { jsonOf, valueOf } from '../../../../hosts/exchange.js'
import { host } from '../../hosted.js'
import { http1Client } from '../../../../hosts/http1-client.js'

const never = new Promise<boolean>(() => {})
type Row = [request: string, status: number, json: object | undefined, options?: ConnectionOptions]
// oxfmt-ignore
const rows: readonly Row[] = [
  ['GET /readyz',                   200, { status: 'ok' }],
  ['HEAD /livez',                   200, undefined],
  ['HEAD /readyz',                  200, undefined],
  ['GET /livez?verbose=1',          200, { status: 'ok' }],
  ['GET http://localhost/readyz?x', 200, { status: 'ok' }],
  ['GET /livez',                    200, { status: 'ok' },          { ready: () => false }],
  ['GET /readyz',                   503, { status: 'unavailable' }, { ready: () => false }],
  ['GET /readyz',                   200, { status: 'ok' },          { ready: async () => true }],
  ['GET /readyz',                   503, { status: 'unavailable' }, { ready: async () => false }],
  ['GET /readyz',                   503, { status: 'unavailable' }, { ready: () => never }],
  ['HEAD /readyz',                  503, undefined,                 { ready: () => false }],
  ['GET /alive',                    200, { status: 'ok' },          { livePath: '/alive' }],
  ['GET /health',                   200, { status: 'ok' },          { readyPath: '/health', livePath: false }],
]

for (const [request, status, json, options] of rows) {
  const how = options === undefined ? '' : ` with ${Object.keys(options).join(' and ')}`
  void t.test(`${request}${how} answers ${status}`, async (t) => {
    const hosted = await host(t, options, (_incoming, outgoing) => void outgoing.end('not a probe'))
    const [method = '', target = ''] = request.split(' ')
    const client = await hosted.connect()
    client.write(`${method} ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    const text = await client.ended()
    t.match(text, new RegExp(`^HTTP/1.1 ${status} `))
    const [head = '', body = ''] = text.split('\r\n\r\n')
    t.match(head, 'Content-Type: application/json')
    t.match(head, 'X-Content-Type-Options: nosniff')
    t.match(head, 'Cache-Control: no-store')
    if (json === undefined) {
      t.equal(body, '')
      t.match(head, /Content-Length: [1-9]/, 'HEAD has the length of GET')
    } else {
      t.same(JSON.parse(body), json)
      t.match(head, `Content-Length: ${body.length}`)
    }
  })
}

void t.test('another method is refused', async (t) => {
  const { at } = await host(t)
  for (const path of ['/livez', '/readyz']) {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const answer = await at(path)({ method, headers: { 'content-length': '0' } })
      t.equal(answer.status, 405)
      t.equal(valueOf(answer, 'allow'), 'GET, HEAD')
      t.match(jsonOf(answer), { errors: [{ extensions: { code: 'METHOD_NOT_ALLOWED' } }] })
    }
  }
})

const fail = (message: string) => thrower(new Error(message))

for (const [name, ready] of [
  ['throws', fail('no database')],
  ['rejects', () => Promise.reject(new Error('no database'))],
] as const) {
  void t.test(`a check that ${name} is unavailable, and a bug`, async (t) => {
    const bugs: unknown[] = []
    const onBug = (bug: unknown, { id }: { id: string }) => bugs.push([String(bug), id])
    const { at } = await host(t, { ready, createId: () => 'id-1', onBug })
    const answer = await at('/readyz')({})
    t.equal(answer.status, 503)
    t.same(jsonOf(answer), { status: 'unavailable' })
    t.same(bugs, [['Error: no database', 'id-1']])
  })
}

void t.test('requests share a check that runs', async (t) => {
  let calls = 0
  const ready = async (): Promise<boolean> => {
    calls += 1
    await new Promise((resolve) => setTimeout(resolve, 100))
    return calls === 1
  }
  const send = (await host(t, { ready })).at('/readyz')
  const ok = { status: 200 }
  t.match(await Promise.all([send({}), send({}), send({})]), [ok, ok, ok])
  t.equal((await send({})).status, 503, 'the next one is checked again')
  t.equal(calls, 2)
})

void t.test('a request that is not a probe goes to the listener', async (t) => {
  const off = { livePath: false, readyPath: false } as const
  for (const [options, paths] of [
    [{}, ['/', '/livez/', '/livezz', '/LIVEZ', '/?/livez']],
    [off, ['/livez', '/readyz']],
  ] as const) {
    const { at } = await host(t, options, (_incoming, outgoing) => void outgoing.end('mine'))
    for (const path of paths) {
      t.match(await at('/')({ query: path.slice(1) }), { body: Buffer.from('mine') }, path)
    }
  }
})

void t.test('a path cannot be that of a probe, too', async (t) => {
  const schema = buildSchema('type Query { hi: String }')
  for (const [options, message] of /* oxfmt-ignore */ [
    [{ path: '/livez' },                    /^serve: path: \/livez is already a health check/],
    [{ path: '/here', readyPath: '/here' }, /^serve: path: \/here is already a health check/],
    [{ readyPath: '/livez' },               /^serve: readyPath and livePath must differ, both are "\/livez"/],
    [{ livePath: 'livez' },                 /^serve: livePath: expected false or an absolute path/],
    [{ readyPath: '/ready?z' },             /^serve: readyPath: expected false or an absolute path/],
    [{ livePath: true as never },           /^serve: livePath: expected false or an absolute path/],
  ] as const) {
    await t.rejects(serve({ schema, port: 0, ...options }), { name: 'TypeError', message })
  }
  const served = await serve({ schema, port: 0, path: '/livez', livePath: false })
  const answer = await http1Client(`http://localhost:${served.port}/livez`)({
    query: '?query={hi}',
  })
  t.same(jsonOf(answer), { data: { hi: null } })
  await served.close()
})

void t.test('a reporter that fails ends neither the probe nor the process', async (t) => {
  t.capture(console, 'error', () => {})
  const failing = { ready: fail('no database'), onBug: fail('no log') }
  const { connect } = await host(t, failing, fail('no listener'))
  const client = await connect()
  t.equal((await client.ask('GET /readyz HTTP/1.1\r\nHost: x\r\n\r\n')).status, 503)
  t.equal((await client.ask('GET / HTTP/1.1\r\nHost: x\r\n\r\n')).status, 500)
})
