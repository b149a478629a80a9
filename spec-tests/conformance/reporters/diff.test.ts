import t from 'tap'
import { diffReports, formatDiff, formatDiffHtml } from '../../../src/conformance/index.js'
import type { Report, ReportDiff, Verdict } from '../../../src/conformance/index.js'
import { caseOf, everything, nasty, reportOf } from '../report-of.js'
import { checkPage } from './check-page.js'

function kindOf(before: Verdict | undefined, after: Verdict | undefined): readonly string[] {
  const { same, ...lists } = diffReports(reportWith(before), reportWith(after))
  const kinds = Object.entries(lists).flatMap(([kind, changes]) => changes.map(() => kind))
  return same === 1 ? [...kinds, 'same'] : kinds
}

function reportWith(verdict: Verdict | undefined): Report {
  return reportOf(...(verdict === undefined ? [] : [caseOf('a', { verdict })]))
}

// oxfmt-ignore
const rows: readonly [before: Verdict | undefined, after: Verdict | undefined, kind: keyof ReportDiff][] = [
  ['pass',    'pass',    'same'],
  ['pass',    'fail',    'worse'],
  ['pass',    'warn',    'worse'],
  ['pass',    'skip',    'inapplicable'],
  ['fail',    'skip',    'inapplicable'],
  ['skip',    'skip',    'same'],
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

void t.test('what an incomplete run skips is worse, not inapplicable', async (t) => {
  const [b, c] = [caseOf('b', { verdict: 'fail' }), caseOf('c', { verdict: 'skip' })]
  const before = reportOf(caseOf('a'), b, c)
  const skipped = ['a', 'b', 'c'].map((id) => caseOf(id, { verdict: 'skip' }))
  const after = { ...reportOf(...skipped), diagnosis: 'stopped' }
  const { worse, ...others } = diffReports(before, after)
  t.match(worse, [{ id: 'a' }, { id: 'b' }])
  t.equal(worse.length, 2)
  t.same(others, { same: 1, better: [], inapplicable: [], new: [], gone: [] })
})

const older = reportOf(caseOf('a'), caseOf('b', { verdict: 'fail' }), caseOf('c'), caseOf('d'))
const newer = reportOf(
  caseOf('a', { verdict: 'fail', message: nasty }),
  caseOf('b'),
  caseOf('c'),
  caseOf('e', { verdict: 'skip' }),
)

void t.test('a difference is shown with both verdicts and the reason', async (t) => {
  const text = formatDiff(diffReports(older, newer))
  const lines = text.split('\n').filter((line) => !line.startsWith('       '))
  t.same(lines.join('\n').split('\n\n'), [
    'worse (1)\n  pass -> fail      a  The title of a',
    'better (1)\n  fail -> pass      b  The title of b',
    'new (1)\n  skip              e  The title of e',
    'gone (1)\n  pass              d  The title of d',
    '1 worse, 1 better, 0 no longer applicable, 1 new, 1 gone, 1 unchanged\n',
  ])
  t.match(text, 'why e is a skip')
  t.notMatch(text, '\u001b')
})

void t.test('a case that a gained capability skips is counted apart', async (t) => {
  const [a, b] = [caseOf('a'), caseOf('b')]
  const skipped = caseOf('a', { verdict: 'skip' })
  const text = formatDiff(diffReports(reportOf(a, b), reportOf(skipped, b)))
  t.match(text, /^no longer applicable \(1\)\n  pass -> skip/)
  t.match(text, '\n0 worse, 0 better, 1 no longer applicable, 0 new, 0 gone, 1 unchanged\n')
  const none = formatDiff(diffReports(reportOf(a), reportOf(a)))
  t.equal(none, '0 worse, 0 better, 0 no longer applicable, 0 new, 0 gone, 1 unchanged\n')
})

void t.test('the page shows each change below its kind, and what got worse is open', async (t) => {
  const text = formatDiffHtml(older, newer)
  const sections = [...text.matchAll(/<section class="suite" id="(\w+)">([^]*?)<\/section>/g)]
  const part = /<code>(\w)<\/code>|<span class="mark (\w+)">|<details (open)?>/g
  const shown = sections.map(([, kind, markup = '']) => {
    const found = [...markup.matchAll(part)]
    return [kind, ...found.map(([, id, verdict, open]) => id ?? verdict ?? open ?? 'closed')]
  })
  t.same(shown, [
    ['worse', 'open', 'a', 'pass', 'fail'],
    ['better', 'closed', 'b', 'fail', 'pass'],
    ['new', 'closed', 'e', 'skip'],
    ['gone', 'closed', 'd', 'pass'],
  ])
  const sum = '1 worse, 1 better, 0 no longer applicable, 1 new, 1 gone, 1 unchanged'
  t.match(text, `<p class="conclusion fail">${sum}</p>`)
  t.match(text, '<p class="message">Before: why b is a fail</p>')
  t.match(text, '<p class="message">After: why e is a skip</p>')
})

void t.test('the page of a difference loads and runs nothing that a target says', async (t) => {
  checkPage(t, formatDiffHtml(older, newer))
  checkPage(t, formatDiffHtml(everything, reportOf()))
  checkPage(t, formatDiffHtml(reportOf(), everything))
})

// oxfmt-ignore
const warnings: readonly [more: Partial<Report>, warnings: readonly string[]][] = [
  [{},                                        []],
  [{ startedAt: '2026-09-01T10:00:00.000Z' }, []],
  [{ target: 'http://localhost:5000/' },      ['The target of the two reports is not the same.']],
  [{ edition: '2025-05', suite: 'get' },      ['The edition of the two reports is not the same.', 'The suite of the two reports is not the same.']],
  [{ diagnosis: 'It stopped.' },              ['It stopped.']],
]

for (const [more, expected] of warnings) {
  void t.test(`a page about ${JSON.stringify(more)} warns ${expected.length} times`, async (t) => {
    const text = formatDiffHtml(reportOf(caseOf('a')), { ...reportOf(caseOf('a')), ...more })
    const found = [...text.matchAll(/<p class="conclusion warn">(.*?)<\/p>/g)].map(([, one]) => one)
    t.same(found, expected)
  })
}
