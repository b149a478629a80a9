import { check } from './check.js'
import { isBetween, isInRange, type EditionName } from '../suite/editions.js'
import type { Exchange } from '../wire/exchange.js'
import type { Assertion, CitedAssertion, Level } from '../suite/checks.js'
import type { Fixture } from '../suite/fixture.js'
import type { Broken, SpecReference, Verdict } from '../suite/report.js'
import type { Statement, Statements } from '../suite/statements.js'

/** By what responses are judged. */
export interface Rules {
  readonly edition: EditionName
  readonly statements: Statements
}

/** An assertion with the level that it has in the chosen edition. */
export interface Judged {
  readonly assertion: CitedAssertion
  readonly statement: Statement | undefined
  readonly level: Level
}

/** What assertions are about. */
type Citation = Pick<Broken, 'level' | 'layer' | 'spec'>

/** An assertion that did not hold. */
export interface Finding extends Citation {
  readonly verdict: Exclude<Verdict, 'pass' | 'skip' | 'error'>
  readonly message: string
  readonly exchange: Exchange
  /** Which of the assertions it is, counted from 1. */
  readonly at: number
}

/** The assertions that apply in an edition: it has their statement, or they only record. */
export function applicable(
  assertions: readonly CitedAssertion[],
  { edition, statements }: Rules,
): readonly Judged[] {
  return assertions.flatMap((assertion): Judged[] => {
    if (!demands(assertion, edition)) return []
    if (assertion.info) return [{ assertion, statement: undefined, level: 'MAY' }]
    const statement = statements.get(assertion.statement ?? '')
    if (statement === undefined) return []
    return [{ assertion, statement, level: assertion.level ?? statement.level }]
  })
}

/** Whether an assertion checks anything in an edition: maybe no range of its `by` includes it. */
export function demands(assertion: Assertion, edition: EditionName): boolean {
  const { when, then, by, allOf = [], oneOf = [] } = assertion
  if (when !== undefined && demands(then ?? {}, edition)) return true
  const chosen = Object.entries(by ?? {}).find(([range]) => isInRange(edition, range))
  const nested = [...allOf, ...oneOf, ...(chosen === undefined ? [] : [chosen[1]])]
  const own = [
    ...(['status', 'header', 'json', 'body', 'connection', 'responses', 'not'] as const),
    ...(['events', 'framing', 'incremental'] as const),
  ]
  return (
    own.some((name) => assertion[name] !== undefined) ||
    nested.some((inner) => demands(inner, edition))
  )
}

/** All assertions of a case that apply in an edition. If there are none, the case is not part of it. */
export function applicableOf(fixture: Fixture, rules: Rules): readonly Judged[] {
  const { editions: { from, until } = {}, expect = [], steps = [] } = fixture
  if (!isBetween(rules.edition, from, until)) return []
  const all = [...expect, ...steps.flatMap((step) => step.expect ?? [])]
  return applicable(all, rules)
}

/** Checks assertions against an exchange; gives a finding for each that does not hold. */
export function judge(
  assertions: readonly CitedAssertion[],
  exchange: Exchange,
  rules: Rules,
): readonly Finding[] {
  return assertions.flatMap((assertion, at) =>
    applicable([assertion], rules).flatMap((judged): Finding[] => {
      const problem = check(assertion, exchange, rules.edition)
      if (problem === undefined) return []
      const { note } = assertion
      const isSaid = note === undefined || problem.includes(note)
      const message = isSaid ? problem : `${problem} (${note})`
      const verdict = weigh(judged, rules.edition)
      return [{ verdict, message, ...cite([judged]), exchange, at: at + 1 }]
    }),
  )
}

/** `next` has proposals, whose findings are only information. */
function weigh({ level, statement }: Judged, edition: EditionName): Finding['verdict'] {
  if (edition === 'next' && statement?.id.startsWith('NX-') !== false) return 'info'
  return level.startsWith('MUST') ? 'fail' : level.startsWith('SHOULD') ? 'warn' : 'info'
}

/** The most severe finding; of two with the same verdict, the one that breaks the edition. */
export function worst(findings: readonly Finding[]): Finding | undefined {
  for (const verdict of ['fail', 'warn', 'info'] as const) {
    const found = findings.filter((finding) => finding.verdict === verdict)
    const own = found.find(({ layer }) => layer === 'edition')
    if (found.length > 0) return own ?? found[0]
  }
  return undefined
}

const levels: readonly Level[] = ['MUST', 'MUST NOT', 'SHOULD', 'SHOULD NOT', 'MAY']

/** The strongest level, the layer of the sentences (the edition, if one of them is from it), and the first of them. */
export function cite(judged: readonly Judged[]): Citation {
  const layers = judged.flatMap(({ statement }) => statement?.layer ?? [])
  const layer = layers.includes('edition') ? 'edition' : layers[0]
  return {
    level: levels.find((level) => judged.some((one) => one.level === level)) ?? 'MAY',
    ...(layer && { layer }),
    spec: referTo(judged[0]),
  }
}

function referTo(judged: Judged | undefined): SpecReference | null {
  if (judged?.statement === undefined) return null
  const { id, level, section, source, quote, paraphrase } = judged.statement
  const heldAs = judged.level === level ? {} : { heldAs: judged.level }
  const words = quote === undefined ? { quote: paraphrase } : { quote, rule: paraphrase }
  return { statement: id, level, ...heldAs, section, source, ...words }
}
