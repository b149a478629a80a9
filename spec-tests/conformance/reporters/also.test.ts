import t from 'tap'
import { diffReports, formatDiff, readReport, reporters } from '../../../src/conformance/index.js'
import type { Broken, ReporterName } from '../../../src/conformance/index.js'
import { applyKnownFailures } from '../../../src/conformance/run/known-failures.js'
import { caseOf, nasty, reportOf, schemaFaults } from '../report-of.js'
import { checkPage, unclosed } from './check-page.js'

const { spec } = caseOf('a')
const cited = spec && { ...spec, statement: 'SC-15', level: 'SHOULD' as const }
const refused = { verdict: 'fail', message: 'the status is 200', place: '1.1' } as const
const status: Broken = {
  place: '1.2',
  level: 'SHOULD',
  layer: 'edition',
  verdict: 'warn',
  message: 'the status is 200, not 422',
  spec: cited,
}
const evidence = { sent: 'POST /', received: 'HTTP 200' }
const both = caseOf('core.both', { ...refused, evidence, also: [status] })
const report = reportOf(both, caseOf('core.one', { ...status, message: status.message }))

const rows: { readonly [name in ReporterName]?: readonly (string | RegExp)[] } = {
  json: ['"also"'],
  pretty: [
    /  FAIL   core\.both [^]*  WARN   core\.both  The title of core\.both\n         core\.one  The title/,
    'Does not conform to GraphQL over HTTP, September 2026: 1 finding; 1 warning.',
  ],
  tap: ['also: "warn: the status is 200, not 422 (SHOULD SC-15)"'],
  junit: [/<failure message="the status is 200" [^]*warn: the status is 200, not 422\n/],
  markdown: [/### fail: `core.both`[^]*### warn: `core.both`[^]*Same finding in `core.one`/],
  html: ['Findings (2)', 'id="case-core.both"', 'id="case-core.both-1.2"'],
}

for (const [name, parts] of Object.entries(rows)) {
  void t.test(`${name} has the warning that a failure does not hide`, async (t) => {
    const text = reporters[name as ReporterName](report)
    for (const part of parts) t.match(text, part)
    if (name === 'html') checkPage(t, text)
    if (name === 'junit') t.same(unclosed(text.replace(/^<\?.*\?>/, '')), [])
  })
}

void t.test('json is what the schema says, and can be read back', async (t) => {
  const text = reporters.json(report)
  t.equal(schemaFaults(text), null)
  t.same(readReport(text), report)
  for (const wrong of [{}, [null], [{ ...status, verdict: 'good' }], [{ ...status, spec: 1 }]]) {
    const other = JSON.stringify({ ...report, cases: [{ ...both, also: wrong }] })
    t.throws(() => readReport(other), { message: /: cases\[0\] has no valid also$/ })
  }
})

void t.test('no response is one finding, whatever it breaks', async (t) => {
  const message = 'no response was received: ECONNRESET'
  const also = [
    { ...status, message },
    { ...status, message: nasty, place: '2.1' },
  ]
  const silent = reportOf(caseOf('core.both', { ...refused, message, also }))
  t.same(reporters.pretty(silent).match(/^  [A-Z]+ /gm), ['  FAIL ', '  WARN '])
  t.notMatch(reporters.pretty(silent), '\u001b')
})

void t.test('a known failure is known with all that it breaks', async (t) => {
  const [one] = applyKnownFailures([both], new Map([['core.both', 'ours']]))
  t.match(one, { verdict: 'info', known: 'ours', also: [{ verdict: 'info' }] })
})

const only = caseOf('core.both', { ...status })
const other = { ...status, place: '1.3', message: 'the response has data' }

// oxfmt-ignore
const changes: readonly [name: string, before: typeof both, after: typeof both, worse: readonly string[], better: number][] = [
  ['nothing',                     both, both,                           [],                             0],
  ['a warning beside a failure',  caseOf('core.both', refused), both,   ['the status is 200, not 422'], 0],
  ['one warning less',            both, caseOf('core.both', refused),   [],                             1],
  ['another warning',             only, caseOf('core.both', other),     ['the response has data'],      0],
  ['a failure instead',           only, both,                           ['the status is 200'],          0],
  ['a place that was not noted',  caseOf('core.both', { verdict: 'fail' }), both, [],                   0],
]
for (const [name, before, after, worse, better] of changes) {
  void t.test(`diff sees what hides behind one verdict: ${name}`, async (t) => {
    const diff = diffReports(reportOf(before), reportOf(after))
    t.same(
      diff.worse.map(({ message }) => message),
      worse,
    )
    t.equal(diff.better.length, better)
    t.equal(diff.same, worse.length + better === 0 ? 1 : 0)
    for (const message of worse) t.match(formatDiff(diff), message)
  })
}
