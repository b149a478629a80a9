import { request, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import type { RequestListener, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import type { CheckFinding } from '../../../src/cli/doctor/finding.js'
import { createHandler } from '../../../src/index.js'
import { toNodeListener } from '../../../src/hosts/node/index.js'
import { buildSchema } from '../../../src/graphql/schema/build-schema.js'
import { listen } from '../listen.js'
import { say } from '../say.js'

const many = Array.from({ length: 60 }, (_, at) => `field${at}: String`).join(' ')
const fails = () => Promise.reject(new Error('No.'))
const schema = buildSchema(`type Query { fails: Int, ${many} }`, { Query: { fails } })
const server = toNodeListener(createHandler({ schema, onBug() {} }))

/** What came from the server behind the proxy. */
interface Behind {
  status: number
  headers: OutgoingHttpHeaders
  body: Buffer
}

/** A proxy that passes everything on, after a habit has changed it. */
async function proxy(t: Test, habit: Habit): Promise<string> {
  const { hostname, port } = new URL(await listen(t, server))
  const listener: RequestListener = (incoming, outgoing) => {
    if (habit.refuses?.(incoming, outgoing) === true) return
    const { method, url: path, headers } = incoming
    const onward = request({ hostname, port, method, path, headers }, (reply) => {
      void buffer(reply).then((body) => {
        const behind: Behind = { status: reply.statusCode ?? 0, headers: reply.headers, body }
        for (const own of ['connection', 'keep-alive', 'transfer-encoding', 'content-length'])
          delete behind.headers[own]
        habit.changes?.(behind, incoming)
        outgoing.writeHead(behind.status, behind.headers).end(behind.body)
      })
    })
    incoming.pipe(onward)
  }
  return listen(t, listener, habit.keepAlive)
}

interface Habit {
  /** Answers by itself. */
  readonly refuses?: (incoming: IncomingMessage, outgoing: ServerResponse) => boolean
  readonly changes?: (behind: Behind, incoming: IncomingMessage) => void
  readonly keepAlive?: number
}

function page(outgoing: ServerResponse, status: number): true {
  outgoing.writeHead(status, { 'Content-Type': 'text/html', Connection: 'close' }).end('<html>')
  return true
}

function takesGzip({ headers }: IncomingMessage): boolean {
  return String(headers['accept-encoding']).includes('gzip')
}

function gzip(behind: Behind): void {
  behind.body = gzipSync(behind.body)
  behind.headers['content-encoding'] = 'gzip'
}

// oxfmt-ignore
const rows: readonly [habit: string, proxy: Habit, check: string, state: CheckFinding['state'], found: RegExp][] = [
  ['passes everything',        {},                                                                                                   '294',         'ok',   /passes/],
  ['passes everything',        {},                                                                                                   'QUERY',       'ok',   /passes/],
  ['passes everything',        {},                                                                                                   'Vary',        'ok',   /accept/],
  ['passes everything',        {},                                                                                                   'body limit',  'ok',   /more than 900 KiB/],
  ['compresses nothing',       {},                                                                                                   'compression', 'warn', /none, of \d{4,} bytes/],
  ['replaces 294',             { changes: (behind) => { if (behind.status === 294) behind.status = 200 } },                          '294',         'fail', /^200$/],
  ['has a page for 294',       { changes: (behind) => { if (behind.status === 294) { behind.status = 502; behind.body = Buffer.from('<html>') } } }, '294', 'fail', /^502 without the body/],
  ['knows no QUERY',           { refuses: ({ method }, outgoing) => method === 'QUERY' && page(outgoing, 501) },                     'QUERY',       'warn', /^501$/],
  ['cuts QUERY',               { refuses: ({ method, socket }) => method === 'QUERY' && Boolean(socket.destroy()) },                 'QUERY',       'warn', /./],
  ['loses Vary',               { changes: (behind) => { delete behind.headers['vary'] } },                                      'Vary',        'fail', /^none$/],
  ['replaces Vary',            { changes: (behind) => { behind.headers['vary'] = 'Origin' } },                                       'Vary',        'fail', /^origin$/],
  ['has a small body limit',   { refuses: ({ headers }, outgoing) => Number(headers['content-length']) > 1e5 && page(outgoing, 413) }, 'body limit', 'fail', /: 413$/],
  ['compresses well',          { changes: (behind, incoming) => { if (takesGzip(incoming)) { gzip(behind); behind.headers['vary'] = 'Accept, Accept-Encoding' } } }, 'compression', 'ok', /^gzip$/],
  ['compresses without Vary',  { changes: (behind, incoming) => { if (takesGzip(incoming)) gzip(behind) } },                         'compression', 'warn', /without Vary/],
  ['compresses for everyone',  { changes: gzip },                                                                                    'compression', 'fail', /^gzip, though/],
  ['compresses in name only',  { changes: (behind, incoming) => { if (takesGzip(incoming)) behind.headers['content-encoding'] = 'gzip' } }, 'compression', 'fail', /not valid gzip/],
  ['closes connections',       { changes: (behind) => { behind.headers['connection'] = 'close' } },                                  'keep-alive',  'warn', /close/],
  ['keeps them for 5 s',       {},                                                                                                   'keep-alive',  'fail', /^5 s, not longer than the balancer's 60 s$/],
  ['keeps them for 65 s',      { keepAlive: 65_000 },                                                                                'keep-alive',  'ok',   /^65 s, longer/],
  ['is down',                  { refuses: (_, outgoing) => page(outgoing, 502) },                                                    'server',      'fail', /502/],
]

for (const [habit, own, check, state, found] of rows) {
  void t.test(`a proxy that ${habit}: ${check} is ${state}`, async (t) => {
    const url = await proxy(t, own)
    const words = ['doctor', '--url', url, '--json', '--partial', '{ fails }']
    const { code, out, err } = await say([...words, '--balancer-idle', '60'])
    t.equal(err, '')
    const { findings } = JSON.parse(out) as { findings: readonly CheckFinding[] }
    const finding = findings.find((one) => one.check === check)
    t.match(finding, { state, found })
    t.equal(code, findings.some((one) => one.state === 'fail') ? 1 : 0)
    for (const { state: one, why, remedy } of findings) {
      if (one !== 'ok') t.ok(why !== undefined && remedy !== undefined, 'teaches')
    }
  })
}

void t.test('without a query that is valid and fails, 294 is not checked', async (t) => {
  const url = await proxy(t, {})
  const { out } = await say(['doctor', '--url', url])
  t.match(out, /^warn +294 +not checked$/m)
  t.match(out, /^ok +keep-alive +5 s; use --balancer-idle to compare$/m)
  const invalid = await say(['doctor', '--url', url, '--partial', '{ nope }'])
  t.match(invalid.out, /^warn +294 +not checked: the query of --partial gets 422$/m)
})

void t.test('credentials are sent with each request', async (t) => {
  const refuses: Habit['refuses'] = ({ headers }, outgoing) =>
    headers['authorization'] !== 'Bearer abc' && page(outgoing, 401)
  const url = await proxy(t, { refuses })
  t.equal((await say(['doctor', '--url', url])).code, 1)
  t.equal((await say(['doctor', '--url', url, '--header', 'Authorization: Bearer abc'])).code, 0)
})
