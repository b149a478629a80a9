import { check } from '../../../conformance/judge/check.js'
import { applicableOf, judge, type Judged } from '../../../conformance/judge/judge.js'
import type { EditionName } from '../../../conformance/suite/editions.js'
import type { Fixture } from '../../../conformance/suite/fixture.js'
import { fixturesFolder, openFixtures } from '../../../conformance/suite/fixture-files.js'
import { readSuite, resolveChecks, type NamedChecks } from '../../../conformance/suite/suite.js'
import type { Exchange } from '../../../conformance/wire/exchange.js'
import type { WireRequest } from '../../../conformance/wire/to-wire-request.js'
import type { Rule, RuleBook } from '../rules/rules.js'
import { expectationsOf, readSent } from './habits.js'

/** A sentence that an exchange is about. */
export interface Touched {
  readonly rule: Rule
  /** `fail` breaks a MUST, `warn` a SHOULD, and `info` is for your information. */
  readonly verdict: 'pass' | 'fail' | 'warn' | 'info'
  /** Why it did not pass. */
  readonly message: string | undefined
}

/** Judges an exchange by the invariants of the suite, and by what a request of its kind may expect. */
export function judgeExchange(
  request: WireRequest,
  exchange: Exchange,
  edition: EditionName,
  rules: RuleBook,
): readonly Touched[] {
  const found = new Map<string, Touched>()
  for (const fixture of listFixtures(request)) {
    for (const judged of applicableOf(fixture, rules.statements, edition)) {
      const touched = touch(judged, exchange, edition, rules)
      if (touched === undefined) continue
      const { statement } = touched.rule
      const before = found.get(statement)
      if (before === undefined || rank(touched) < rank(before)) found.set(statement, touched)
    }
  }
  return [...found.values()].toSorted((one, other) => rank(one) - rank(other))
}

function listFixtures(request: WireRequest): readonly Fixture[] {
  const text = openFixtures(fixturesFolder).read('checks.json')
  const expect = expectationsOf(readSent(request))
  const own = { id: 'explain', title: 'What the request may expect', expect }
  return [...readSuite().invariants, resolveChecks(own, JSON.parse(text) as NamedChecks)]
}

/** Undefined if the assertion is not about this exchange: its condition does not hold. */
function touch(
  { assertion, statement }: Judged,
  exchange: Exchange,
  edition: EditionName,
  rules: RuleBook,
): Touched | undefined {
  const [rule] = rules.find([statement?.id ?? ''])
  if (rule === undefined) return undefined
  const { when } = assertion
  if (when !== undefined && check(when, exchange, edition) !== undefined) return undefined
  const [finding] = judge([assertion], exchange, rules.statements, edition)
  return { rule, verdict: finding?.verdict ?? 'pass', message: finding?.message }
}

const order = ['fail', 'warn', 'info', 'pass'] as const

function rank({ verdict }: Touched): number {
  return order.indexOf(verdict)
}
