import { before } from './before.js'
import type { TemplateValues } from './fill.js'
import { applicableOf, judge, worst } from '../judge/judge.js'
import { stoppedReason } from './pace.js'
import type { Findings } from './probe-target.js'
import type { CaseReport } from '../suite/report.js'
import { reportWithout, runCase, reportOf, type CaseOutcome } from './run-case.js'
import type { Wire } from './run-steps.js'
import type { CaseSelection } from '../judge/list-cases.js'
import { resetName, standardValues, type StandardNames } from './standard-state.js'
import type { Case } from '../suite/suite.js'
import type { Exchange } from '../wire/exchange.js'

/** Which cases to run, and how. */
export interface SelectedCases extends CaseSelection {
  readonly standard?: boolean
  readonly capabilities?: readonly string[]
  readonly concurrency: number
  readonly signal?: AbortSignal
  readonly onProgress?: (report: CaseReport, done: number, total: number) => void
}

/** What is known about the target before the cases run. */
export interface Prepared extends Findings {
  readonly names: StandardNames
  readonly values: TemplateValues
}

/**
 * Runs cases a few at a time, each if those it depends on have passed, until the time is up or the target limits
 * rates. Keeps the report of each.
 */
export class CasePool {
  readonly #reports = new Map<string, CaseReport>()
  readonly invariants: InvariantWatch
  readonly #cases: readonly Case[]
  readonly #wire: Wire
  readonly #selection: SelectedCases
  readonly #prepared: Prepared
  #cutOff = 0

  constructor(
    cases: readonly Case[],
    invariants: readonly Case[],
    wire: Wire,
    selection: SelectedCases,
    prepared: Prepared,
  ) {
    this.#cases = cases
    this.invariants = new InvariantWatch(invariants, wire)
    this.#wire = wire
    this.#selection = selection
    this.#prepared = prepared
  }

  reportOf({ id }: Case): CaseReport {
    const report = this.#reports.get(id)
    if (report === undefined) throw new Error(`The case ${id} was not run.`)
    return report
  }

  /** How many cases were not run, or not to their end, since the time was up. */
  get cutOff(): number {
    return this.#cutOff
  }

  async run(cases: readonly Case[], workers: number): Promise<void> {
    const waiting = [...cases]
    const work = async (): Promise<void> => {
      for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
        const { report, exchanges } = await this.#runOne(one)
        this.#reports.set(one.id, report)
        this.invariants.watch(one.id, exchanges)
        this.#selection.onProgress?.(report, this.#reports.size, this.#cases.length)
      }
    }
    await Promise.all(Array.from({ length: workers }, work))
  }

  async #runOne(one: Case): Promise<CaseOutcome> {
    const judged = applicableOf(one, this.#wire.statements, this.#wire.edition)
    const skip = (reason: string): CaseOutcome => ({
      report: reportWithout(one, judged, 'skip', reason),
      exchanges: [],
    })
    const reason = this.#reasonToSkip(one)
    if (reason !== undefined) return skip(reason)
    const { signal } = this.#selection
    if (signal?.aborted) return skip('the run was aborted')
    const left = this.#wire.deadline - Date.now()
    if (left <= 0) {
      this.#cutOff++
      return skip('the time limit of the run was reached')
    }
    const { names, values, getHeaders } = this.#prepared
    const ids = standardValues(names, this.#cases.indexOf(one))
    const late = skip('the time limit of the run was reached before the case ended')
    const running = runCase(one, this.#wire, { ...values, ...ids }, getHeaders)
    const outcome = await before(running, left, signal, late)
    // A timer is late where judging takes long.
    const isLate = outcome === late || Date.now() >= this.#wire.deadline
    if (isLate && !signal?.aborted) this.#cutOff++
    const counted = isLate ? late : outcome
    if (one.cleanup !== 'standard.reset' || outcome.isRefused) return counted
    try {
      await resetName(this.#wire, names, ids['standard.id'] ?? '')
      return counted
    } catch (error) {
      // The target's fault matters more than that its state could not be restored.
      if (counted.report.verdict === 'fail') return counted
      return { ...counted, report: reportWithout(one, judged, 'error', String(error)) }
    }
  }

  #reasonToSkip({ schema, needs = [], dependsOn = [] }: Case): string | undefined {
    const { stopped } = this.#wire.pace
    if (stopped !== undefined) return stoppedReason
    const { capabilities } = this.#prepared
    if (schema === 'standard') {
      if (!this.#selection.standard)
        return 'needs the standard schema: use --standard if the target serves it'
      if (!capabilities.has('standard')) return 'the target does not serve the standard schema'
    }
    for (const need of needs) {
      const unwanted = need.startsWith('!')
      // A declared capability that is missing is a finding already.
      if (unwanted && this.#selection.capabilities?.includes(need.slice(1))) {
        return `the target declares ${need.slice(1)}`
      }
      if (capabilities.has(unwanted ? need.slice(1) : need) === unwanted) {
        return unwanted ? `the target has ${need.slice(1)}` : `the target has no ${need}`
      }
    }
    const failed = dependsOn.find((id) => this.#reports.get(id)?.verdict !== 'pass')
    return failed === undefined ? undefined : `depends on ${failed}, which did not pass`
  }
}

/** Checks the invariants against every response as it comes, so that no body is kept until the end of the run. */
class InvariantWatch {
  readonly #invariants: readonly Case[]
  readonly #wire: Wire
  /** The report of each broken invariant, with the case that broke it first. */
  readonly #broken = new Map<Case, CaseReport>()
  #seen = 0

  constructor(invariants: readonly Case[], wire: Wire) {
    this.#invariants = invariants
    this.#wire = wire
  }

  /** Checks what a case has received. */
  watch(id: string, exchanges: readonly Exchange[]): void {
    for (const exchange of exchanges.flatMap(single)) {
      this.#seen++
      for (const invariant of this.#invariants) {
        if (Date.now() >= this.#wire.deadline) return
        if (!this.#broken.has(invariant)) this.#tryHold(invariant, id, exchange)
      }
    }
  }

  /** The reports of all invariants, in their order. */
  reports(): readonly CaseReport[] {
    return this.#invariants.map(
      (invariant) => this.#broken.get(invariant) ?? this.#whole(invariant),
    )
  }

  #tryHold(invariant: Case, id: string, exchange: Exchange): void {
    try {
      this.#hold(invariant, id, exchange)
    } catch (error) {
      const judged = applicableOf(invariant, this.#wire.statements, this.#wire.edition)
      this.#broken.set(
        invariant,
        reportWithout(invariant, judged, 'error', `${String(error)} (in ${id})`),
      )
    }
  }

  #hold(invariant: Case, id: string, exchange: Exchange): void {
    const { statements, edition } = this.#wire
    const found = worst(judge(invariant.expect ?? [], exchange, statements, edition))
    if (found === undefined) return
    const report = reportOf(invariant, applicableOf(invariant, statements, edition), found)
    this.#broken.set(
      invariant,
      Object.assign(report, { message: `${report.message} (first in ${id})` }),
    )
  }

  #whole(invariant: Case): CaseReport {
    const judged = applicableOf(invariant, this.#wire.statements, this.#wire.edition)
    if (this.#seen > 0) return reportWithout(invariant, judged, 'pass', '')
    const reason =
      this.#wire.pace.stopped === undefined ? 'no response was received' : stoppedReason
    return reportWithout(invariant, judged, 'skip', reason)
  }
}

/** One exchange for each of its responses. */
function single(exchange: Exchange): readonly Exchange[] {
  const { sent, responses } = exchange
  return responses.map((response) => ({ sent, responses: [response] }))
}
