import type { RequestListener, ServerResponse } from 'node:http'
import t from 'tap'
import { findRateLimit, Pace, toMilliseconds } from '../../../../src/conformance/run/pace.js'
import type { Exchange } from '../../../../src/conformance/wire/exchange.js'
import { accusationsOf, goodListener, runAgainst, serveOdd } from '../odd-target.js'

function limit(response: ServerResponse, retryAfter: string | undefined, status = 429): void {
  if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter)
  response.writeHead(status).end('Slow down.')
}

/** Takes some requests, and after that refuses as many. */
function limitAfter(taken: number, refused: number, retryAfter?: string, status = 429) {
  const serve = goodListener()
  let count = 0
  const listener: RequestListener = (request, response) => {
    count++
    if (count > taken && count <= taken + refused) limit(response, retryAfter, status)
    else serve(request, response)
  }
  return listener
}

// oxfmt-ignore
const stops: readonly [says: string, listener: RequestListener, diagnosis: RegExp][] = [
  ['429 after 50 requests', limitAfter(50, Infinity, '3600'), /limits the rate of requests: it answered 429 with Retry-After: 3600 to request 5\d of/],
  ['503 with Retry-After after 50 requests', limitAfter(50, Infinity, '3600', 503), /limits the rate of requests: it answered 503 with Retry-After: 3600/],
  ['429 from the first request on',          limitAfter(0, Infinity, '60'),         /to request 1 of/],
]
for (const [says, listener, diagnosis] of stops) {
  void t.test(`${says} stops the run and is not held against the target`, async (t) => {
    const report = await runAgainst(await serveOdd(t, listener), { capabilities: ['get'] })
    t.match(report.diagnosis, diagnosis)
    t.strictSame(accusationsOf(report), [])
    t.ok(report.totals.skip > 0)
    const reasons = report.cases.flatMap((one) => (one.verdict === 'skip' ? one.message : []))
    t.ok(reasons.includes('the run was stopped: see the diagnosis'), 'the skips say why')
  })
}

/** Serves some requests, and is silent after that, or sends a body that is shorter than its Content-Length. */
function silentAfter(served: number, begins: boolean): RequestListener {
  const serve = goodListener()
  let count = 0
  return (request, response) => {
    count++
    if (count <= served) return serve(request, response)
    if (begins) response.writeHead(200, { 'content-length': 500 }).write('{"data":{}}')
  }
}

// oxfmt-ignore
const silences: readonly [what: string, listener: RequestListener, diagnosis: RegExp][] = [
  ['no response from some request on', silentAfter(40, false), /^The target sent no complete response to 6 requests in a row, nor to a plain query after them \(no complete response within 100 ms\)\. Is it stuck, or has it ended\?$/],
  ['a wrong Content-Length',           silentAfter(0, true),   /to 6 requests in a row, .* It began to respond with 200: is its Content-Length right, or does its response never end\?$/],
]
for (const [what, listener, diagnosis] of silences) {
  void t.test(`${what} ends the run`, async (t) => {
    const report = await runAgainst(await serveOdd(t, listener), { timeout: 100 })
    t.match(report.diagnosis, diagnosis)
    const skipped = report.cases.filter(({ message }) => message.startsWith('the run was stopped'))
    t.ok(skipped.length > 50, `${skipped.length} cases were not run`)
  })
}

void t.test('a short wait is waited, and every case runs', async (t) => {
  const url = await serveOdd(t, limitAfter(50, 3, '0'))
  const report = await runAgainst(url)
  t.equal(report.diagnosis, undefined)
  t.strictSame(accusationsOf(report), [])
  const whole = await runAgainst(await serveOdd(t, goodListener()))
  t.strictSame(report.totals, whole.totals)
})

void t.test('a mutation that was refused for the rate leaves nothing to give back', async (t) => {
  const serve = goodListener()
  let isLimiting = false
  const url = await serveOdd(t, (request, response) => {
    isLimiting ||= request.method === 'GET' && /renamed/.test(request.url ?? '')
    if (isLimiting) limit(response, '3600')
    else serve(request, response)
  })
  const cases = ['get.mutation.stops']
  const report = await runAgainst(url, { suites: [], cases, standard: true })
  t.match(report.diagnosis, 'limits the rate of requests')
  t.match(report.cases, [{ id: 'get.mutation.stops', verdict: 'skip' }])
})

void t.test('a request that alone is refused is skipped, and the run goes on', async (t) => {
  const serve = goodListener()
  const url = await serveOdd(t, (request, response) => {
    if (request.headers['content-type'] === 'Application/JSON') limit(response, '3600')
    else serve(request, response)
  })
  const cases = ['core.content-type.upper-case', 'core.post']
  const report = await runAgainst(url, { cases })
  t.equal(report.diagnosis, undefined)
  const message = 'the target answered 429, a rate limit that proves nothing about the case'
  const [refused, taken] = cases.map((id) => report.cases.find((one) => one.id === id))
  t.match([refused, taken], [{ verdict: 'skip', message }, { verdict: 'pass' }])
})

void t.test('a 503 without Retry-After is held against the target', async (t) => {
  const report = await runAgainst(await serveOdd(t, limitAfter(30, Infinity, undefined, 503)))
  t.ok(report.totals.fail > 0)
})

function answered(status: number, ...headers: Exchange['responses'][number]['headers']): Exchange {
  return { sent: '', responses: [{ status, headers, body: new Uint8Array(0) }] }
}

// oxfmt-ignore
const limits: readonly [says: string, exchange: Exchange, isLimit: boolean][] = [
  ['429',                  answered(429),                                      true],
  ['503',                  answered(503),                                      false],
  ['503 with Retry-After', answered(503, ['Retry-After', '1']),                true],
  ['200 with Retry-After', answered(200, ['Retry-After', '1']),                false],
  ['silence',              { sent: '', responses: [], failure: 'time is up' }, false],
]
for (const [says, exchange, isLimit] of limits) {
  void t.test(`${says} ${isLimit ? 'limits' : 'does not limit'} rates`, async (t) => {
    t.equal(findRateLimit(exchange) !== undefined, isLimit)
  })
}

const now = Date.parse('2026-01-01T00:00:00Z')
// oxfmt-ignore
const waits: readonly [field: string | undefined, ms: number | undefined][] = [
  [undefined,                       undefined],
  ['0',                             0],
  ['7',                             7000],
  ['Thu, 01 Jan 2026 00:00:05 GMT', 5000],
  ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
  ['soon',                          undefined],
]
for (const [field, ms] of waits) {
  void t.test(`Retry-After: ${field} is ${ms} ms`, async (t) => {
    t.equal(toMilliseconds(field, now), ms)
  })
}

void t.test('one request is sent six times at most', async (t) => {
  let sent = 0
  const pace = new Pace(async () => answered(200))
  const exchange = await pace.send(async () => {
    sent++
    return answered(429, ['retry-after', '0'])
  })
  t.strictSame([sent, exchange.isRateLimited, pace.stopped], [6, true, undefined])
})
