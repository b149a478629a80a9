import { formatResponse } from '../wire/content.js'
import type { Exchange } from '../wire/exchange.js'
import { cite, worst, type Finding } from '../judge/judge.js'
import type { JudgedCase } from '../judge/list-cases.js'
import { findRateLimit, stoppedReason } from './pace.js'
import type { Broken, CaseReport, Evidence, Verdict, TimelineEntry } from '../suite/report.js'
import { runSteps, type StepOutcome, type Wire } from './run-steps.js'
import { describeEvent } from '../judge/check-events.js'

/** The report of a case, and its exchanges, which the invariants are checked against. */
export interface CaseOutcome {
  readonly report: CaseReport
  readonly exchanges: readonly Exchange[]
  /** All requests of the case were refused by a rate limit, so nothing has changed in the target. */
  readonly isRefused?: true
}

/** Runs the steps of a case and reports the verdict. A failure of the runner is an `error`. */
export async function runCase(one: JudgedCase, wire: Wire): Promise<CaseOutcome> {
  const startedAt = performance.now()
  try {
    const outcomes = await runSteps(one.steps ?? [], wire)
    const conclusive = outcomes.filter(({ exchange }) => !exchange.isRateLimited)
    const findings = conclusive.flatMap((outcome) => outcome.findings)
    const exchanges = conclusive.map(({ exchange }) => exchange)
    const limited = outcomes.find(({ exchange }) => exchange.isRateLimited)
    if (findings.length === 0 && limited !== undefined) {
      const reason = wire.pace.stopped === undefined ? reasonOf(limited) : stoppedReason
      if (reason !== undefined) {
        const report = reportWithout(one, 'skip', reason)
        return { report, exchanges, ...(exchanges.length === 0 && { isRefused: true }) }
      }
    }
    const durationMs = Math.round(performance.now() - startedAt)
    return { report: { ...reportOf(one, findings, exchanges), durationMs }, exchanges }
  } catch (error) {
    return { report: reportWithout(one, 'error', String(error)), exchanges: [] }
  }
}

/** A 429 can satisfy a case that expects a refusal; for any other it proves nothing. */
function reasonOf({ exchange, findings }: StepOutcome): string | undefined {
  if (findings.length === 0) return undefined
  return `the target answered ${findRateLimit(exchange)?.status}, a rate limit that proves nothing about the case`
}

/** The worst finding gives the verdict; the others are told beside it. */
export function reportOf(
  one: JudgedCase,
  findings: readonly Finding[],
  exchanges: readonly Exchange[],
): CaseReport {
  const finding = worst(findings)
  const passed = reportWithout(one, 'pass', '')
  if (finding === undefined) return passed
  const toBroken = ({ exchange, at, verdict, message, spec, ...cited }: Finding): Broken => ({
    place: `${exchanges.indexOf(exchange) + 1}.${at}`,
    ...cited,
    verdict,
    message,
    spec,
    ...(exchange !== finding.exchange && { evidence: evidenceOf(exchange) }),
  })
  const also = findings.filter((other) => other !== finding).map(toBroken)
  const { layer: _, ...rest } = passed
  const evidence = evidenceOf(finding.exchange)
  return { ...rest, ...toBroken(finding), evidence, ...(also.length > 0 && { also }) }
}

/** The report of a case without a finding: passed, skipped, or not run. */
export function reportWithout(one: JudgedCase, verdict: Verdict, message: string): CaseReport {
  const { id, title, suite, judged } = one
  const statements = [...new Set(judged.flatMap(({ statement }) => statement?.id ?? []))]
  const { spec, ...cited } = cite(judged)
  return { id, title, suite, ...cited, statements, verdict, message, spec }
}

/** A target can send a hundred thousand responses at once; a report shows no more than these. */
const maxShownResponses = 20

function evidenceOf(exchange: Exchange): Evidence {
  const timeline = toTimeline(exchange)
  const received = exchange.responses.slice(0, maxShownResponses).map((response) => {
    const text = formatResponse(response)
    return timeline === undefined ? text : text.trimEnd()
  })
  if (timeline !== undefined) received.push(formatTimeline(timeline))
  const more = exchange.responses.length - maxShownResponses
  if (more > 0) received.push(`(${more} responses more)`)
  if (exchange.failure !== undefined) received.push(`(${exchange.failure})`)
  const { sent, command } = exchange
  return {
    sent,
    received: received.join('\n\n'),
    ...(command !== undefined && { command }),
    ...(timeline && { timeline }),
  }
}

/** How many entries of a stream a report shows at its beginning, and at its end. */
const shown = 30

/** The events with their times, and what the runner did; undefined if the exchange is not a stream. */
export function toTimeline({ history }: Exchange): readonly TimelineEntry[] | undefined {
  if (history === undefined) return undefined
  const received = history.events.map((event): TimelineEntry => ({
    at: event.at,
    by: 'target',
    text: describeEvent(event),
  }))
  const all = [...history.notes, ...received]
    .toSorted((one, other) => one.at - other.at)
    .map(({ at, by, text }): TimelineEntry => ({ at: Math.round(at), by, text }))
  const left = all.length - 2 * shown
  if (left <= 0) return all
  const gap = { at: all[shown]?.at ?? 0, by: 'target', text: `(${left} more)` } as const
  return [...all.slice(0, shown), gap, ...all.slice(-shown)]
}

export function formatTimeline(timeline: readonly TimelineEntry[]): string {
  const lines = timeline.map(
    ({ at, by, text }) => `${String(at).padStart(6)} ms ${by === 'runner' ? '>' : '<'} ${text}`,
  )
  return lines.join('\n')
}
