import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { toFetch } from '../../../src/hosts/fetch.js'
import { createHandler } from '../../../src/index.js'
import { createStandardSchema } from '../../../src/standard/standard-schema.js'
import { accusationsOf, goodListener, listen, runAgainst, serveOdd } from './odd-target.js'

/** An answer of our own handler, to be sent oddly. */
interface OddResponse {
  readonly status: number
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Buffer
}

type Send = (answer: OddResponse, outgoing: ServerResponse) => void

/** Our own handler, whose answers go out in another way. */
function relay(send: Send): RequestListener {
  const serve = toFetch(createHandler({ schema: createStandardSchema() }))
  const answer = async (incoming: IncomingMessage): Promise<OddResponse> => {
    const { method = 'GET', url = '/', rawHeaders } = incoming
    const headers = new Headers()
    for (let at = 0; at < rawHeaders.length; at += 2) {
      headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '')
    }
    const sent = await buffer(incoming)
    const body = method === 'GET' || method === 'HEAD' ? null : sent
    const response = await serve(new Request(`http://localhost${url}`, { method, headers, body }))
    return {
      status: response.status,
      headers: [...response.headers],
      body: Buffer.from(await response.arrayBuffer()),
    }
  }
  return (incoming, outgoing) => void answer(incoming).then((given) => send(given, outgoing))
}

const asItIs: Send = ({ status, headers, body }, outgoing) => {
  outgoing.writeHead(status, headers.flat()).end(body)
}

const withCookies: Send = ({ status, headers, body }, outgoing) => {
  const cookies = ['set-cookie', 'id=1; HttpOnly', 'set-cookie', 'theme=dark; Path=/']
  outgoing.writeHead(status, [...headers.flat(), ...cookies]).end(body)
}

const inGzip: Send = ({ status, headers, body }, outgoing) => {
  const zipped = gzipSync(body)
  const lines = ['content-encoding', 'gzip', 'content-length', String(zipped.length)]
  const kept = headers.filter(([name]) => name !== 'content-length')
  outgoing.writeHead(status, [...kept.flat(), ...lines]).end(zipped)
}

/** As servers of HTTP/1.0 do: no length, and the connection ends with the body. */
const asHttp10: Send = ({ status, headers, body }, { socket }) => {
  const kept = headers.filter(([name]) => name !== 'content-length')
  const lines = kept.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  socket?.write(`HTTP/1.0 ${status} Answer\r\n${lines}\r\n`)
  socket?.end(body)
}

/** White space that JSON allows makes an answer of 10 MB. */
const large: Send = ({ status, headers, body }, outgoing) => {
  const kept = headers.filter(([name]) => name !== 'content-length')
  outgoing.writeHead(status, kept.flat())
  outgoing.write(Buffer.alloc(10 * 1024 * 1024, ' '))
  outgoing.end(body)
}

/** Closes every connection as soon as it is idle, and says so to none (RFC 9112 section 9.5). */
const closingIdle: Send = (answer, outgoing) => {
  asItIs(answer, outgoing)
  const { socket } = outgoing
  outgoing.on('close', () => setTimeout(() => socket?.end(), 1))
}

// oxfmt-ignore
const good: readonly [says: string, send: Send][] = [
  ['answers as it is',        asItIs],
  ['sets cookies',            withCookies],
  ['compresses unasked',      inGzip],
  ['speaks HTTP/1.0 only',    asHttp10],
  ['closes idle connections', closingIdle],
]
for (const [says, send] of good) {
  void t.test(`a server that ${says} is accused of nothing`, async (t) => {
    const suites = ['core', 'accept', 'get', 'errors']
    const report = await runAgainst(await serveOdd(t, relay(send)), { suites, standard: true })
    for (const { id, message } of accusationsOf(report)) t.equal(message, '', id)
    t.equal(report.diagnosis, undefined)
    t.ok(report.totals.pass > 150, `${report.totals.pass} pass`)
  })
}

void t.test('answers of 10 MB are read whole', async (t) => {
  const url = await serveOdd(t, relay(large))
  const cases = ['core.post', 'core.execute', 'errors.syntax', 'http.limit.json.depth']
  const report = await runAgainst(url, { suites: [], cases, standard: true })
  t.strictSame(accusationsOf(report), [])
  t.ok(report.totals.pass > 8)
})

void t.test('an address of IPv6 can be tested', async (t) => {
  const port = await listen(t, createServer(goodListener()), '::1')
  const cases = ['core.post', 'raw.host', 'raw.target', 'raw.connection.persists']
  const report = await runAgainst(`http://[::1]:${port}/graphql`, { suites: [], cases })
  t.strictSame(accusationsOf(report), [])
  t.ok(report.totals.pass > 3)
})

// oxfmt-ignore
const framed: readonly [says: string, difference: number, diagnosis: RegExp][] = [
  ['too long',  1,  /began to respond with 200, but no client can read the response: no complete response/],
  ['too short', -1, /in application\/graphql-response\+json, but the body is not JSON. Is it complete/],
]
for (const [says, difference, diagnosis] of framed) {
  void t.test(`a Content-Length that is ${says} is diagnosed, and is a failure`, async (t) => {
    const send: Send = ({ status, headers, body }, { socket }) => {
      const kept = headers.filter(([name]) => name !== 'content-length')
      const length = ['content-length', String(body.length + difference)] as const
      const lines = [...kept, length].map(([name, value]) => `${name}: ${value}\r\n`).join('')
      socket?.write(`HTTP/1.1 ${status} Answer\r\n${lines}\r\n`)
      socket?.write(body)
    }
    const url = await serveOdd(t, relay(send))
    const report = await runAgainst(url, { suites: [], cases: ['core.post'], timeout: 300 })
    t.match(report.diagnosis, diagnosis)
    t.match(report.cases[0], { id: 'core.post', verdict: 'fail' })
  })
}

// oxfmt-ignore
const nested: readonly [says: string, body: (deep: string) => string][] = [
  ['data',       (deep) => `{"data":${deep}}`],
  ['a member',   (deep) => `{"data":{"__typename":${deep}}}`],
  ['extensions', (deep) => `{"data":{"__typename":"Query"},"extensions":{"x":${deep}}}`],
  ['errors',     (deep) => `{"errors":${deep}}`],
]
for (const [says, toBody] of nested) {
  void t.test(`a target whose ${says} is nested deeply breaks no runner`, async (t) => {
    const body = toBody(`${'['.repeat(20_000)}${']'.repeat(20_000)}`)
    const url = await serveOdd(t, (incoming, outgoing) => {
      incoming.resume()
      outgoing.writeHead(200, { 'content-type': 'application/json; charset=utf-8' }).end(body)
    })
    const cases = ['core.post', 'core.execute', 'invariant']
    const report = await runAgainst(url, { suites: [], cases })
    t.equal(report.totals.error, 0)
    t.ok(report.totals.fail > 0)
  })
}
