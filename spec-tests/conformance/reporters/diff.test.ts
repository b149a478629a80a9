import t from 'tap'
import {
  diffReports,
  formatDiff,
  type Report,
  type ReportDiff,
  type Verdict,
} from '../../../src/conformance/index.js'
import { caseOf, nasty, reportOf } from '../report-of.js'

type Kind = Exclude<keyof ReportDiff, 'same'> | 'same'

function kindOf(before: Verdict | undefined, after: Verdict | undefined): readonly string[] {
  const { same, ...lists } = diffReports(reportWith(before), reportWith(after))
  const kinds = Object.entries(lists).flatMap(([kind, changes]) => changes.map(() => kind))
  return same === 1 ? [...kinds, 'same'] : kinds
}

function reportWith(verdict: Verdict | undefined): Report {
  return reportOf(...(verdict === undefined ? [] : [caseOf('a', { verdict })]))
}

// oxfmt-ignore
const rows: readonly [before: Verdict | undefined, after: Verdict | undefined, kind: Kind][] = [
  ['pass',    'pass',    'same'],
  ['pass',    'fail',    'worse'],
  ['pass',    'warn',    'worse'],
  ['pass',    'skip',    'worse'],
  ['pass',    'error',   'worse'],
  ['skip',    'fail',    'worse'],
  ['warn',    'fail',    'worse'],
  ['fail',    'error',   'worse'],
  ['fail',    'fail',    'same'],
  ['fail',    'pass',    'better'],
  ['fail',    'info',    'better'],
  ['fail',    'warn',    'better'],
  ['skip',    'pass',    'better'],
  ['error',   'pass',    'better'],
  [undefined, 'pass',    'new'],
  [undefined, 'fail',    'new'],
  ['pass',    undefined, 'gone'],
]

for (const [before, after, kind] of rows) {
  void t.test(`${before ?? 'nothing'} to ${after ?? 'nothing'} is ${kind}`, async (t) => {
    t.same(kindOf(before, after), [kind])
  })
}

void t.test('a difference is shown with both verdicts and the reason', async (t) => {
  const before = reportOf(caseOf('a'), caseOf('b', { verdict: 'fail' }), caseOf('c'), caseOf('d'))
  const after = reportOf(
    caseOf('a', { verdict: 'fail', message: nasty }),
    caseOf('b'),
    caseOf('c'),
    caseOf('e', { verdict: 'skip' }),
  )
  const text = formatDiff(diffReports(before, after))
  const lines = text.split('\n')
  t.same(
    lines.filter((line) => !line.startsWith('       ')),
    [
      'worse (1)',
      '  pass -> fail      a  The title of a',
      '',
      'better (1)',
      '  fail -> pass      b  The title of b',
      '',
      'new (1)',
      '  skip              e  The title of e',
      '',
      'gone (1)',
      '  pass              d  The title of d',
      '',
      '1 worse, 1 better, 1 new, 1 gone, 1 unchanged',
      '',
    ],
  )
  t.match(text, 'why e is a skip')
  t.notMatch(text, '\u001b')
})

void t.test('without a difference there is one line', async (t) => {
  const report = reportOf(caseOf('a'))
  t.equal(
    formatDiff(diffReports(report, report)),
    '0 worse, 0 better, 0 new, 0 gone, 1 unchanged\n',
  )
})
