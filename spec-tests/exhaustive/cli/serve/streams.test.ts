import t, { type Test } from 'tap'
import { http1Streams } from '../../../hosts/streams/stream-client.js'
import { checkMetrics, logOf, metricsOf, start, ways } from '../binary.js'

const module = `
  import { buildSchema } from 'graphwire'
  const idle = () => {
    let wake, at = 0
    return {
      [Symbol.asyncIterator]() { return this },
      next: () => at++ === 0 ? Promise.resolve({ value: { tick: 1 } }) : new Promise((resolve) => (wake = resolve)),
      async return() { wake?.({ done: true }); return { done: true } },
    }
  }
  async function* flood() {
    for (;;) yield { flood: 'x'.repeat(9_000_000) } // more than the buffers of the system
  }
  export default {
    schema: buildSchema('type Query { a: Int } type Subscription { tick: Int flood: String }', {
      Subscription: { tick: { subscribe: idle }, flood: { subscribe: flood } },
    }),
  }`

async function serve(t: Test, ...words: readonly string[]) {
  const file = `${t.testdir({ 'streams.mjs': module })}/streams.mjs`
  const server = start(['serve', file, '--port=0', '--metrics=/metrics', '--log=json', ...words])
  const url = await server.url()
  return { server, url, send: http1Streams(new URL(url).origin) }
}

async function untilMetrics(url: string, line: string): Promise<void> {
  while (!(await metricsOf(url)).includes(line));
}

const tick = { query: 'subscription Named { tick }' }

for (const [how, workers] of ways) {
  void t.test(`${how}: open streams end at SIGTERM, and the last line counts them`, async (t) => {
    const { server, url, send } = await serve(t, '--spread=400', ...workers)
    const responses = await Promise.all(Array.from({ length: 5 }, () => send(tick)))
    for (const response of responses) await response.until('"tick":1')
    await untilMetrics(url, 'graphwire_streams_open 5')
    const [first, ...others] = responses
    first?.leave()
    await untilMetrics(url, 'graphwire_streams_open 4')
    await checkMetrics(t, url, [
      'graphwire_streams_ended_total{transport="event-stream",cause="client-gone"} 1',
      'graphwire_stream_events_total 1',
      'graphwire_streams_returning 0',
      'graphwire_streams_stuck 0',
    ])
    const ended = server.stop()
    for (const response of others) {
      const { body, isCut } = await response.whole()
      t.match(body, /retry: \d{4}\n\n$/)
      t.notOk(isCut)
    }
    const { code, stderr } = await ended
    t.equal(code, 0)
    t.ok(stderr.endsWith('stopped: 0 requests finished, 0 cut; 4 streams ended, 0 cut'), stderr)
    const stream = { transport: 'event-stream', field: 'tick', operation: 'Named', events: 1 }
    const causes = ['client-gone', 'shutdown', 'shutdown', 'shutdown', 'shutdown']
    const lines = causes.map((cause) => ({ cause, level: 'info', ...stream }))
    t.match(logOf(stderr, 'stream'), lines)
  })

  void t.test(`${how}: a stream that is not read is cut, and the exit code says so`, async (t) => {
    const { server, send } = await serve(t, '--deadline=1500', ...workers)
    const response = await send({ query: 'subscription { flood }' })
    response.pause()
    const { code, stderr } = await server.stop()
    t.equal(code, 5)
    t.ok(stderr.endsWith('stopped: 0 requests finished, 0 cut; 0 streams ended, 1 cut'), stderr)
  })
}

void t.test('a worker that is replaced ends its streams, and the new one takes them', async (t) => {
  const { server, send } = await serve(t, '--workers=1', '--spread=0')
  const response = await send(tick)
  await response.until('"tick":1')
  server.child.kill('SIGHUP')
  t.match((await response.whole()).body, /retry: \d{4}\n\n$/)
  const again = await send(tick)
  await again.until('"tick":1')
  const { code, stderr } = await server.stop()
  t.equal(code, 0)
  // The worker that was replaced may still be closing, and is then counted as well.
  t.match(stderr, /[12] streams? ended, 0 cut$/)
})
