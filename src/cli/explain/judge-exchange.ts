import { check } from '../../conformance/judge/check.js'
import { applicableOf, judge } from '../../conformance/judge/judge.js'
import type { EditionName } from '../../conformance/suite/editions.js'
import { fixturesFolder, openFixtures } from '../../conformance/suite/fixture-files.js'
import {
  readSuite,
  resolveChecks,
  type NamedChecks,
  type WrittenFixture,
} from '../../conformance/suite/suite.js'
import type { Exchange } from '../../conformance/wire/exchange.js'
import type { Rule, RuleBook } from './rules.js'

/** A sentence that an exchange is about. */
export interface Touched {
  readonly rule: Rule
  /** `fail` breaks a MUST, `warn` a SHOULD, and `info` is for your information. */
  readonly verdict: 'pass' | 'fail' | 'warn' | 'info'
  /** Why it did not pass. */
  readonly message: string | undefined
}

const order = ['fail', 'warn', 'info', 'pass'] as const

/** Judges an exchange by the invariants of the suite, and by what any request may expect; the worst come first. */
export function judgeExchange(
  exchange: Exchange,
  edition: EditionName,
  rules: RuleBook,
): readonly Touched[] {
  const { statements } = rules
  const text = openFixtures(fixturesFolder).read('checks.json')
  const own = { id: 'explain', title: 'What it may expect', expect: expected }
  const fixtures = [...readSuite().invariants, resolveChecks(own, JSON.parse(text) as NamedChecks)]
  const judged = fixtures.flatMap((fixture) => applicableOf(fixture, statements, edition))
  const touched = judged.flatMap(({ assertion, statement }): Touched[] => {
    const { when } = assertion
    // If its condition does not hold, the assertion is not about this exchange.
    if (when !== undefined && check(when, exchange, edition) !== undefined) return []
    const [finding] = judge([assertion], exchange, statements, edition)
    const { verdict = 'pass', message } = finding ?? {}
    return rules.find([statement?.id ?? '']).map((rule) => ({ rule, verdict, message }))
  })
  const sorted = order.flatMap((one) => touched.filter(({ verdict }) => verdict === one))
  const worst = new Map(sorted.toReversed().map((one) => [one.rule.statement, one]))
  return sorted.filter((one) => worst.get(one.rule.statement) === one)
}

type Expected = NonNullable<WrittenFixture['expect']>

/** If a condition holds, so must a check. A literal with such a member would be taken for a promise. */
function ifSo(statement: string, when: Expected[number], consequence: Expected[number]) {
  return { statement, when, [keywords.consequence]: consequence }
}

const keywords = { consequence: 'then' } as const

/** What every request may expect, in the words of the fixtures. */
const expected: Expected = [
  'content-type-of-body',
  ifSo('R9110-6.6.1', { status: ['2xx', '4xx'] }, 'http-date'),
  ifSo(
    'SC-4',
    { allOf: ['is-graphql-response', 'has-data', { json: { '/errors': { absent: true } } }] },
    { status: 200 },
  ),
  ifSo(
    'SC-5',
    { allOf: ['is-graphql-response', 'errors-present', { json: { '/data': { present: true } } }] },
    'edition-status-294',
  ),
]
