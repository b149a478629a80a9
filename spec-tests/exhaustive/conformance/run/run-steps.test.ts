import t, { type Test } from 'tap'
import { Pace } from '../../../../src/conformance/run/pace.js'
import { reportOf } from '../../../../src/conformance/run/run-case.js'
import { runSteps, type Wire } from '../../../../src/conformance/run/run-steps.js'
import { readStatements } from '../../../../src/conformance/suite/statements.js'
import { readSuite } from '../../../../src/conformance/suite/suite.js'
import { Client } from '../../../../src/conformance/wire/send-request.js'
import { toTarget } from '../../../../src/conformance/wire/target.js'
import { serveOdd, serveTcp } from '../odd-target.js'

function wireTo(t: Test, url: string, deadline: number): Wire {
  const target = toTarget(url)
  const client = new Client(target)
  t.teardown(() => client.destroy())
  const pace = new Pace(() => Promise.resolve({ sent: '', responses: [] }))
  const statements = readStatements('2026-09')
  const options = { edition: '2026-09', timeout: 5000 } as const
  const none = { headers: [], getHeaders: [], values: {}, signal: undefined }
  return { ...options, ...none, target, client, statements, pace, deadline }
}

const step = { request: { json: {} }, expect: [{ statement: 'SC-6', status: 400 }] }

const rows: readonly [says: string, left: number, findings: readonly number[]][] = [
  ['before the end of the run are judged', 600_000, [1, 1]],
  ['after the end of the run are not judged, and are the last', 0, [0]],
]
for (const [says, left, findings] of rows) {
  void t.test(`responses ${says}`, async (t) => {
    const url = await serveOdd(t, (incoming, outgoing) => {
      incoming.resume()
      outgoing.end('{}')
    })
    const outcomes = await runSteps([step, step], wireTo(t, url, Date.now() + left))
    const counts = outcomes.map((outcome) => outcome.findings.length)
    t.strictSame(counts, findings)
  })
}

void t.test('of a thousand responses at once a report shows twenty', async (t) => {
  const url = await serveTcp(t, (socket) => {
    socket.once('data', () =>
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'.repeat(1000)),
    )
  })
  const raw = { raw: [{ text: 'GET / HTTP/1.1\r\n\r\n' }], responses: 1, expect: step.expect }
  const [outcome] = await runSteps([raw], wireTo(t, url, Date.now() + 600_000))
  t.equal(outcome?.exchange.responses.length, 1000)
  const one = { id: 'a', title: 'A', suite: 'raw', judged: [] }
  const report = reportOf(one, outcome?.findings ?? [], [])
  t.equal(report.evidence?.received.split('HTTP 200').length, 21)
  t.match(report.evidence?.received, /\n\n\(980 responses more\)$/)
})

// oxfmt-ignore
const reservations: readonly [says: string, status: number, body: string, tokens: readonly string[]][] = [
  ['is a token is sent back',           201, 'f1-x',         ['f1-x']],
  ['refuses is not sent',              405, 'no',           []],
  ['has two lines adds no header',       200, 'a\r\nX: y',    ['']],
  ['is not ASCII adds no header',        200, 'a\u{10d}\u{10a}X: y', ['']],
]
for (const [says, status, body, tokens] of reservations) {
  void t.test(`the body of a reservation that ${says}`, async (t) => {
    const received: unknown[] = []
    const url = await serveOdd(t, ({ method, headers }, outgoing) => {
      if (method === 'GET') received.push(headers['x-graphql-event-stream-token'])
      outgoing.writeHead(status).end(body)
    })
    const probe = readSuite().probes.find(({ id }) => id === 'probe.sse-single')
    await runSteps(probe?.steps ?? [], wireTo(t, url, Date.now() + 600_000))
    t.strictSame(received, tokens)
  })
}
