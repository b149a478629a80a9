import t from 'tap'
import type { CitedAssertion } from '../../../src/conformance/suite/checks.js'
import { reportOf } from '../../../src/conformance/run/run-case.js'
import { applicable, cite, judge } from '../../../src/conformance/judge/judge.js'
import { readStatements } from '../../../src/conformance/suite/statements.js'

const statements = readStatements('2026-09')
const response = { status: 200, headers: [], body: new Uint8Array() }
const status = 400
// R9110-5.1 and SC-6 are a MUST, SC-7 a SHOULD.
const http: CitedAssertion = { statement: 'R9110-5.1', status }
const edition: CitedAssertion = { statement: 'SC-6', status }
const weakened: CitedAssertion = { statement: 'SC-6', level: 'SHOULD', status }
const should: CitedAssertion = { statement: 'SC-7', status }
const info: CitedAssertion = { info: true, status }

// oxfmt-ignore
const rows: readonly [name: string, broken: readonly CitedAssertion[], report: object][] = [
  ['a sentence of HTTP',                         [http],          { verdict: 'fail', layer: 'http', level: 'MUST' }],
  ['a sentence of the edition',                  [edition],       { verdict: 'fail', layer: 'edition' }],
  ['both',                                       [http, edition], { verdict: 'fail', layer: 'edition', spec: { statement: 'SC-6' } }],
  ['a MUST of HTTP and a SHOULD of the edition', [should, http],  { verdict: 'fail', layer: 'http' }],
  ['a MUST that is held as a SHOULD',            [weakened],      { verdict: 'warn', level: 'SHOULD', spec: { level: 'MUST', heldAs: 'SHOULD' } }],
  ['what cites nothing',                         [info],          { verdict: 'info', level: 'MAY', layer: undefined, spec: null }],
]

for (const [name, broken, report] of rows) {
  void t.test(`a case that breaks ${name} says so`, async (t) => {
    // Something that holds stands first: it must not be accused.
    const all: readonly CitedAssertion[] = [{ statement: 'RQ-1', status: 200 }, ...broken]
    const rules = { statements, edition: '2026-09' } as const
    const judged = applicable(all, rules)
    const exchange = { sent: '', responses: [response] }
    const findings = judge(all, exchange, rules)
    const one = { id: 'a', title: 'A', suite: 'core' }
    t.match(reportOf({ ...one, judged }, findings, [exchange]), report)
    t.equal(cite(judged).layer, 'edition', 'and one of the edition decides where it counts else')
  })
}

void t.test('a case tells all that it breaks, and where', async (t) => {
  const rules = { statements, edition: '2026-09' } as const
  const [first, second] = ['a', 'b'].map((sent) => ({ sent, responses: [response] }))
  if (first === undefined || second === undefined) throw new Error('There are two.')
  const all = [{ statement: 'RQ-1', status: 200 }, should, edition]
  const findings = [...judge(all, first, rules), ...judge([info], second, rules)]
  const judged = applicable([...all, info], rules)
  const one = { id: 'a', title: 'A', suite: 'core', judged }
  const report = reportOf(one, findings, [first, second])
  t.match(report, { verdict: 'fail', level: 'MUST', place: '1.3', spec: { statement: 'SC-6' } })
  t.match(report.also, [
    {
      verdict: 'warn',
      level: 'SHOULD',
      place: '1.2',
      layer: 'edition',
      spec: { statement: 'SC-7' },
    },
    {
      verdict: 'info',
      level: 'MAY',
      place: '2.1',
      layer: undefined,
      spec: null,
      evidence: { sent: 'b' },
    },
  ])
  t.equal(report.also?.[0]?.evidence, undefined, 'the response is that of the worst')
  t.notHas(
    reportOf(one, findings.slice(1, 2), [first]),
    { also: [] },
    'nothing stands beside a single finding',
  )
})
