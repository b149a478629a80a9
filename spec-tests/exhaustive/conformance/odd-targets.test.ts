import { createServer } from 'node:http'
import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { toNodeListener } from '../../../src/hosts/node/index.js'
import { createHandler } from '../../../src/index.js'
import { createStandardSchema } from '../../../src/standard/standard-schema.js'
import { listenFor } from '../../hosts/start-node.js'
import { graphqlType, refuse, response, textOf, type When } from './defects/around.js'
import { show, type Layers } from './defects/defect.js'
import { length, server } from './defects/http-defects.js'
import { startServer } from './defects/start-server.js'
import { accusationsOf, goodListener, runAgainst, serveOdd } from './odd-target.js'

/** The URL of our own server, whose responses go out in another way. */
async function serveOddly(t: Test, layers: Layers): Promise<string> {
  const { url, stop } = await startServer(layers)
  t.teardown(stop)
  return url
}

const cookies = 'Set-Cookie: id=1; HttpOnly\r\nSet-Cookie: theme=dark; Path=/\r\n'
const withCookies = server((bytes) => bytes.replace(/^HTTP.*\r\n/, `$&${cookies}`))

const inGzip = response((made) => ({
  headers: { ...made.headers, 'content-encoding': 'gzip' },
  body: gzipSync(textOf(made)),
}))

/** As servers of HTTP/1.0 do: no length, and the connection ends with the body. */
const asHttp10: Layers = {
  wire: () => ({
    client: (bytes) => bytes.replace(/^\w+ \S+ HTTP\/1\.1\r\n/, '$&Connection: close\r\n'),
    server: (bytes) =>
      bytes
        .replace(/^HTTP\/1\.1/, 'HTTP/1.0')
        .replaceAll(/^(?:content-length|connection): .*\r\n/gim, ''),
  }),
}

const withFewAliases: Layers = { options: { maxAliases: 8 } }

/** Closes every connection as soon as it is idle, and says so to none (RFC 9112 section 9.5). */
const closingIdle: Layers = {
  wire: ({ end }) => ({ server: (bytes) => (setTimeout(end, 1), bytes) }),
}

// oxfmt-ignore
const good: readonly [says: string, layers: Layers][] = [
  ['sets cookies',            withCookies],
  ['compresses unasked',      inGzip],
  ['speaks HTTP/1.0 only',    asHttp10],
  ['closes idle connections', closingIdle],
  ['limits aliases',          withFewAliases],
]
for (const [says, layers] of good) {
  void t.test(`a server that ${says} is accused of nothing`, async (t) => {
    const suites = ['core', 'accept', 'get', 'errors']
    const report = await runAgainst(await serveOddly(t, layers), { suites, standard: true })
    for (const { id, message } of accusationsOf(report)) t.equal(message, '', id)
    t.equal(report.diagnosis, undefined)
    t.ok(report.totals.pass > 150, `${report.totals.pass} pass`)
  })
}

void t.test('what cannot be restored is not changed', async (t) => {
  const isReading: When = ({ body }) => /"query \{ \w+: person/.test(body.toString())
  const url = await serveOddly(t, refuse(503, isReading))
  const readNames = async (): Promise<unknown> => {
    const query = encodeURIComponent('{ people { id name } }')
    return (await fetch(`${url}?query=${query}`, { headers: { accept: graphqlType } })).json()
  }
  const before = await readNames()
  t.match(before, { data: { people: [{ id: '1' }] } })
  const cases = ['core.execute.mutation', 'errors.syntax.stops']
  const report = await runAgainst(url, { suites: [], cases, standard: true })
  const message = 'the name that it may change could not be read'
  t.strictSame(
    report.cases.map(show),
    cases.map((id) => `${id}: skip: ${message}`),
  )
  t.strictSame(await readNames(), before)
})

void t.test('answers of 10 MB are read whole', async (t) => {
  const handler = createHandler({ schema: createStandardSchema() })
  const spaces = ' '.repeat(10 * 1024 * 1024)
  const listener = toNodeListener(async (head) => {
    const { body, ...made } = await handler(head)
    return { ...made, body: typeof body === 'string' ? `${spaces}${body}` : body }
  })
  const url = await serveOdd(t, listener)
  const cases = ['core.post', 'core.execute', 'errors.syntax', 'http.limit.json.depth']
  const report = await runAgainst(url, { suites: [], cases, standard: true })
  t.strictSame(accusationsOf(report), [])
  t.ok(report.totals.pass > 8)
})

void t.test('an address of IPv6 can be tested', async (t) => {
  const port = await listenFor(t, createServer(goodListener()), '::1')
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
    const layers = length((size) => size + difference)
    const options = { suites: [], cases: ['core.post'], timeout: 300 }
    const report = await runAgainst(await serveOddly(t, layers), options)
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
