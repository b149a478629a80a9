import { check } from './check.js'
import { demands } from './demands.js'
import { isBetween, type EditionName } from './editions.js'
import type { Exchange } from './exchange.js'
import type { CitedAssertion, Fixture, Level } from './fixture.js'
import type { SpecReference, Verdict } from './report.js'
import type { Statement, Statements } from './statements.js'

/** An assertion with the level that it has in the chosen edition. */
export interface Judged {
  readonly assertion: CitedAssertion
  readonly statement: Statement | undefined
  readonly level: Level
}

/** Something that did not hold. */
export interface Finding {
  readonly verdict: Exclude<Verdict, 'pass' | 'skip' | 'error'>
  readonly message: string
  readonly judged: Judged
  readonly exchange: Exchange
}

/** The assertions that apply in an edition: those whose statement it has, and those that only record. */
export function applicable(
  assertions: readonly CitedAssertion[],
  statements: Statements,
  edition: EditionName,
): readonly Judged[] {
  return assertions.flatMap((assertion): Judged[] => {
    if (!demands(assertion, edition)) return []
    if (assertion.info) return [{ assertion, statement: undefined, level: 'MAY' }]
    const statement = statements.get(assertion.statement ?? '')
    if (statement === undefined) return []
    return [{ assertion, statement, level: assertion.level ?? statement.level }]
  })
}

/** All the assertions of a case that apply in an edition. None: the case is not part of it. */
export function applicableOf(
  fixture: Fixture,
  statements: Statements,
  edition: EditionName,
): readonly Judged[] {
  const { from, until } = fixture.editions ?? {}
  if (!isBetween(edition, from, until)) return []
  const all = [
    ...(fixture.expect ?? []),
    ...(fixture.steps ?? []).flatMap((step) => step.expect ?? []),
  ]
  return applicable(all, statements, edition)
}

/** Holds assertions against an exchange; what does not hold is found, each with its weight. */
export function judge(
  assertions: readonly CitedAssertion[],
  exchange: Exchange,
  statements: Statements,
  edition: EditionName,
): readonly Finding[] {
  return applicable(assertions, statements, edition).flatMap((judged): Finding[] => {
    const problem = check(judged.assertion, exchange, edition)
    if (problem === undefined) return []
    const { note } = judged.assertion
    const message = note === undefined ? problem : `${problem} (${note})`
    return [{ verdict: weigh(judged, edition), message, judged, exchange }]
  })
}

/** `next` holds drafts: what they say is information. */
function weigh({ level, statement }: Judged, edition: EditionName): Finding['verdict'] {
  if (edition === 'next' && statement?.id.startsWith('NX-') !== false) return 'info'
  return level.startsWith('MUST') ? 'fail' : level.startsWith('SHOULD') ? 'warn' : 'info'
}

/** The strongest level of assertions. */
export function strongest(judged: readonly Judged[]): Level {
  const order: readonly Level[] = ['MUST', 'MUST NOT', 'SHOULD', 'SHOULD NOT', 'MAY']
  return order.find((level) => judged.some((one) => one.level === level)) ?? 'MAY'
}

/** The weightiest of what was found. */
export function worst(findings: readonly Finding[]): Finding | undefined {
  const order = ['fail', 'warn', 'info'] as const
  for (const verdict of order) {
    const found = findings.find((finding) => finding.verdict === verdict)
    if (found !== undefined) return found
  }
  return undefined
}

/** Where a statement stands and what it says. */
export function referTo(judged: Judged | undefined): SpecReference | null {
  if (judged?.statement === undefined) return null
  const { id, section, source, quote, paraphrase } = judged.statement
  return { statement: id, level: judged.level, section, source, quote: quote ?? paraphrase }
}
