import t from 'tap'
import { formatKnownFailures, readKnownFailures } from '../../../src/conformance/index.js'
import type { Verdict } from '../../../src/conformance/index.js'
import { applyKnownFailures } from '../../../src/conformance/run/known-failures.js'
import { caseOf } from '../report-of.js'

void t.test('a list has an id and a reason a line', async (t) => {
  const text = '\ufeff# ours\r\n\r\nget.a  issue 12, see #3\r\n\tcore.b.c: no\n   # more\nraw.d x\n'
  const read = { 'get.a': 'issue 12, see #3', 'core.b.c:': 'no', 'raw.d': 'x' }
  t.same(Object.fromEntries(readKnownFailures(text)), read)
  t.equal(readKnownFailures('').size, 0)
})

void t.test('a list that was written can be read', async (t) => {
  const known = { 'core.b': '# a reason\nof \u001b two lines', 'get.mutation': 'x'.repeat(300) }
  const text = formatKnownFailures(new Map(Object.entries(known)))
  t.equal(text.split('\n').length, 4)
  const reasons = ['# a reason of \\x1b two lines', `${'x'.repeat(160)}...`]
  t.same([...readKnownFailures(text).values()], reasons)
  t.equal(readKnownFailures(formatKnownFailures(new Map())).size, 0)
})

// oxfmt-ignore
const refused: readonly [text: string, message: string][] = [
  ['a.b',                 'Line 1: a.b has no reason.'],
  ['# one\n\na.b   \n',   'Line 3: a.b has no reason.'],
  ['a.b x\nc.d y\na.b z', 'Line 3: a.b is listed twice.'],
]

for (const [text, message] of refused) {
  void t.test(`${JSON.stringify(text)} is refused`, async (t) => {
    t.throws(() => readKnownFailures(text), { name: 'TypeError', message })
  })
}

// oxfmt-ignore
const judged: readonly [found: Verdict, verdict: Verdict, message: RegExp][] = [
  ['fail',  'info',  /^why a.b is a fail$/],
  ['warn',  'info',  /^why a.b is a warn$/],
  ['pass',  'fail',  /^listed as a known failure \(ours\), but passes$/],
  ['skip',  'skip',  /^why a.b is a skip$/],
  ['info',  'info',  /^why a.b is a info$/],
  ['error', 'error', /^why a.b is a error$/],
]

for (const [found, verdict, message] of judged) {
  void t.test(`a known failure that is a ${found} counts as ${verdict}`, async (t) => {
    const [one, other, ...more] = applyKnownFailures(
      [caseOf('a.b', { verdict: found }), caseOf('c.d', { verdict: 'fail' })],
      new Map([['a.b', 'ours']]),
    )
    t.match(one, { verdict, message })
    t.equal(one?.known, found === verdict ? undefined : 'ours')
    t.same(other, caseOf('c.d', { verdict: 'fail' }), 'and what is not listed stays')
    t.same(more, [])
  })
}

// oxfmt-ignore
const strays: readonly [id: string, selection: { suites?: readonly string[]; cases?: readonly string[] }, fails: boolean][] = [
  ['get.gone', {},                                     true],
  ['get.gone', { suites: [], cases: [] },              true],
  ['get.gone', { suites: ['get'] },                    true],
  ['get.gone', { suites: ['core'] },                   false],
  ['get.gone', { suites: ['core', 'get'] },            true],
  ['get.gone', { cases: ['get.gone'] },                true],
  ['get.gone', { cases: ['get'] },                     true],
  ['get.gone', { cases: ['get.go'] },                  false],
  ['get.gone', { cases: ['core.a'] },                  false],
  ['get.gone', { suites: ['get'], cases: ['core.a'] }, false],
  ['nonsense', {},                                     true],
  ['nonsense', { suites: ['get'] },                    false],
]

for (const [id, selection, fails] of strays) {
  const name = `${id} without a case ${fails ? 'fails' : 'does not fail'} a run of `
  void t.test(name + JSON.stringify(selection), async (t) => {
    const cases = applyKnownFailures([], new Map([[id, 'ours']]), selection)
    t.match(cases, fails ? [{ id, suite: 'known-failures', verdict: 'fail' }] : [])
    t.equal(cases.length, fails ? 1 : 0)
  })
}
