import type { OutgoingHttpHeaders, RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:https'
import t from 'tap'
import { reporters, type ReporterName } from '../../../../src/conformance/index.js'
import { certificate, listenFor } from '../../../hosts/start-node.js'
import { accusationsOf, goodListener, runAgainst, serveOdd, serveTcp } from '../odd-target.js'

const result = '{"data":{"__typename":"Query"}}'
const errors = '{"errors":[{"message":"no"}]}'
const json = { 'content-type': 'application/json' }

/** Answers that are the same whatever was asked, and what the report says first. */
// oxfmt-ignore
const rows: readonly [says: string, status: number, headers: OutgoingHttpHeaders, body: string, diagnosis: RegExp | undefined][] = [
  ['401',                  401, {},                               '',            /answered 401: pass a credential with --header/],
  ['401 with errors',      401, json,                             errors,        /answered 401: pass a/],
  ['403 without a result', 403, {},                               'no',          /answered 403 without a Content-Type: is the credential/],
  ['404',                  404, { 'content-type': 'text/html' },  '<p>',         /answered 404: is this the path/],
  ['302',                  302, { location: '/login' },           '',            /redirects with 302 to \/login: use the URL/],
  ['405',                  405, { allow: 'GET' },                 '',            /does not accept POST here/],
  ['502',                  502, { 'content-type': 'text/html' },  '<p>',         /answered 502 in text\/html: it is failing/],
  ['HTML',                 200, { 'content-type': 'text/html' },  '<p>',         /200 in text\/html, which is not a GraphQL/],
  ['plain text',           200, { 'content-type': 'text/plain' }, 'hello',       /200 in text\/plain, which is not/],
  ['other JSON',           200, json,                             '{"hello":1}', /200 in application\/json, which is not a GraphQL result/],
  ['nothing',              200, {},                               '',            /200 without a Content-Type, which is not a GraphQL result/],
  [
    'a body that is not in gzip as it says',
    200,
    { ...json, 'content-encoding': 'gzip' },
    result,
    /no client can read: Content-Encoding is gzip, but the body is not valid gzip/,
  ],
  ['a result',                 200, json,                             result, undefined],
  ['a result in another type', 200, { 'content-type': 'text/plain' }, result, undefined],
  ['errors with 400',          400, json,                             errors, undefined],
  ['errors with 403',          403, json,                             errors, undefined],
  ['406',                      406, {},                               '',     undefined],
  ['415',                      415, {},                               '',     undefined],
]
for (const [says, status, headers, body, diagnosis] of rows) {
  void t.test(`a target that always answers ${says}`, async (t) => {
    const send: RequestListener = (_, response) => response.writeHead(status, headers).end(body)
    const report = await runAgainst(await serveOdd(t, send), { capabilities: ['get'] })
    if (diagnosis === undefined) {
      t.equal(report.diagnosis, undefined)
      t.ok(report.totals.fail > 0, 'is one for the cases')
      return
    }
    t.match(report.diagnosis, diagnosis)
    t.strictSame(accusationsOf(report), [], 'is not accused')
    t.equal(report.totals.pass, 0)
  })
}

// oxfmt-ignore
const mute: readonly [says: string, behave: (socket: Socket) => void, timeout: number, diagnosis: string][] = [
  ['silence', (socket) => socket.resume(), 50, 'accepts connections but does not respond (no complete response within 5000 ms)'],
  ['two framings of each body', (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'), 20_000, 'responds, but no client can read the response: broken HTTP: Content-Length beside Transfer-Encoding.'],
  ['what is not HTTP', (socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'), 20_000, 'does not respond (the connection was closed)'],
]
for (const [says, behave, timeout, diagnosis] of mute) {
  void t.test(`${says} is diagnosed`, async (t) => {
    const report = await runAgainst(await serveTcp(t, behave), { timeout })
    t.match(report.diagnosis, diagnosis)
    t.strictSame(accusationsOf(report), [])
  })
}

void t.test('a body that is broken is diagnosed, and the cases judge it', async (t) => {
  const broken = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n'
  const report = await runAgainst(await serveTcp(t, (socket) => void socket.end(broken)))
  t.match(report.diagnosis, /began to respond with 200, .*: broken HTTP: a chunk has no size/)
  t.ok(report.totals.fail > 0)
})

void t.test('what no probe was sent for is not missing', async (t) => {
  const begun = 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{'
  const url = await serveTcp(t, (socket) => void socket.end(begun))
  const declared = { standard: true, capabilities: ['get'] }
  const { cases } = await runAgainst(url, { suites: [], cases: ['core.post'], ...declared })
  t.notOk(cases.some(({ suite }) => suite === 'declared'))
})

void t.test('an answer without an end is diagnosed', async (t) => {
  const piece = Buffer.alloc(64 * 1024, 'a')
  const url = await serveOdd(t, (_, response) => {
    const pour = (): void => {
      while (!response.destroyed && response.write(piece)) continue
    }
    response.on('drain', pour)
    pour()
  })
  const report = await runAgainst(url)
  t.match(report.diagnosis, /began to respond with 200, .* the response is larger than \d+ bytes/)
  t.strictSame(accusationsOf(report), [])
})

void t.test('a self-signed certificate is diagnosed, and taken with insecure', async (t) => {
  const port = await listenFor(t, createTlsServer(certificate, goodListener()))
  const url = `https://127.0.0.1:${port}/graphql`
  const strict = await runAgainst(url)
  t.match(strict.diagnosis, /is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT: .*Use --insecure/)
  t.strictSame(accusationsOf(strict), [])
  const insecure = await runAgainst(url, { insecure: true })
  t.equal(insecure.diagnosis, undefined)
  t.strictSame(accusationsOf(insecure), [])
  t.ok(insecure.totals.pass > 0)
})

void t.test('https to a server without TLS, and http to one with it, are diagnosed', async (t) => {
  const plain = await serveOdd(t, goodListener())
  t.match((await runAgainst(plain.replace('http:', 'https:'))).diagnosis, 'does not speak TLS')
  const port = await listenFor(t, createTlsServer(certificate, goodListener()))
  const { diagnosis } = await runAgainst(`http://127.0.0.1:${port}/graphql`)
  t.match(diagnosis, 'does it expect HTTPS')
})

void t.test('every reporter says the diagnosis before anything that it found', async (t) => {
  const url = await serveOdd(t, (_, response) => void response.writeHead(404).end())
  const report = await runAgainst(url)
  const wanted = 'The target answered 404: is this the path of its GraphQL endpoint?'
  for (const name of Object.keys(reporters) as ReporterName[]) {
    const text = reporters[name](report)
    t.match(text, name === 'badge' ? 'incomplete' : wanted, name)
    const first = text.indexOf('core.')
    t.ok(first < 0 || text.indexOf(wanted) < first, `${name} says it first`)
  }
})
