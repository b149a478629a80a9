import type { Exchange } from './exchange.js'
import { fieldOf } from './exchange.js'
import type { TemplateValues } from './fill.js'
import type { HeaderLines } from './fixture.js'
import { applicableOf, referTo, strongest, worst, type Finding, type Judged } from './judge.js'
import type { CaseReport, Evidence, Verdict } from './report.js'
import { runSteps, type Wire } from './run-steps.js'
import type { Case } from './suite.js'
import { formatBytes } from './to-wire-request.js'

/** The report of a case, and its exchanges, against which the invariants are held. */
export interface CaseOutcome {
  readonly report: CaseReport
  readonly exchanges: readonly Exchange[]
}

/** Runs the steps of a case and says what they came to. A fault of the runner is an `error`. */
export async function runCase(
  one: Case,
  wire: Wire,
  values: TemplateValues,
  getHeaders: HeaderLines,
): Promise<CaseOutcome> {
  const judged = applicableOf(one, wire.statements, wire.edition)
  try {
    const outcomes = await runSteps(one.steps ?? [], wire, values, getHeaders)
    const finding = worst(outcomes.flatMap(({ findings }) => findings))
    const exchanges = outcomes.map(({ exchange }) => exchange)
    return { report: reportOf(one, judged, finding), exchanges }
  } catch (error) {
    return { report: reportWithout(one, judged, 'error', String(error)), exchanges: [] }
  }
}

/** The report of a case that was held against responses. */
export function reportOf(
  one: Case,
  judged: readonly Judged[],
  finding: Finding | undefined,
): CaseReport {
  if (finding === undefined) return reportWithout(one, judged, 'pass', '')
  return {
    ...reportWithout(one, judged, finding.verdict, finding.message),
    spec: referTo(finding.judged) ?? referTo(judged[0]),
    evidence: evidenceOf(finding.exchange),
  }
}

/** The report of a case that has no finding: passed, skipped, or not run. */
export function reportWithout(
  one: Case,
  judged: readonly Judged[],
  verdict: Verdict,
  message: string,
): CaseReport {
  return {
    id: one.id,
    title: one.title,
    suite: one.suite,
    level: strongest(judged),
    statements: [...new Set(judged.flatMap(({ statement }) => statement?.id ?? []))],
    verdict,
    message,
    spec: referTo(judged[0]),
  }
}

function evidenceOf(exchange: Exchange): Evidence {
  const received = exchange.responses.map((response) => {
    const lines = response.headers.map(([name, value]) => `${name}: ${value}`)
    return [`HTTP ${response.status}`, ...lines, '', formatBody(response)].join('\n')
  })
  if (exchange.failure !== undefined) received.push(`(${exchange.failure})`)
  return { sent: exchange.sent, received: received.join('\n\n') }
}

function formatBody(response: Exchange['responses'][number]): string {
  const coding = fieldOf(response, 'content-encoding')
  return coding === undefined
    ? formatBytes(response.body)
    : `(${coding}, ${response.body.length} bytes)`
}
