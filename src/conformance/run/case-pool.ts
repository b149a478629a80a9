import { before, endOfGrace, isOver } from './before.js'
import { judge } from '../judge/judge.js'
import type { CaseSelection, JudgedCase } from '../judge/list-cases.js'
import { stoppedReason } from './pace.js'
import type { Findings } from './probe-target.js'
import type { CaseReport } from '../suite/report.js'
import { reportWithout, runCase, reportOf, type CaseOutcome } from './run-case.js'
import type { Wire } from './run-steps.js'
import { choosePerson, resetName, type StandardNames } from './standard-state.js'
import type { Exchange } from '../wire/exchange.js'

/** Which cases to run, and what is told about them. */
export interface RunSelection extends CaseSelection {
  /** The target serves the standard schema, and its data may be changed and restored. Default: false. */
  readonly standard?: boolean
  /** Capabilities the target is declared to have; it is a failure if one is not found. */
  readonly capabilities?: readonly string[]
  /** Aborting it ends the run early; changed data is restored, and the rest is skipped. */
  readonly signal?: AbortSignal
  /** Called for each case when it is done. */
  readonly onProgress?: (report: CaseReport, done: number, total: number) => void
}

/** What to run, and what the probes found about the target. */
export interface PreparedRun extends Findings {
  readonly cases: readonly JudgedCase[]
  readonly invariants: readonly JudgedCase[]
  readonly wire: Wire
  readonly selection: RunSelection
  readonly concurrency: number
  readonly names: StandardNames
}

/**
 * Runs cases a few at a time, each if those it depends on have passed, until the time is up or the target limits
 * rates. Keeps the report of each.
 */
export class CasePool {
  readonly #run: PreparedRun
  readonly #reports = new Map<string, CaseReport>()
  /** The reports of broken invariants, each with the case that broke it first. */
  readonly #broken = new Map<string, CaseReport>()
  #responses = 0
  /** How many cases were not run, or not to their end, since the time was up. */
  cutOff = 0

  constructor(run: PreparedRun) {
    this.#run = run
  }

  /** Runs all cases: those that wait for others after these, and those that must be alone at the end. */
  async runAll(): Promise<void> {
    const { cases, selection, concurrency } = this.#run
    const free = cases.filter(({ serial }) => !serial)
    const rounds = [
      free.filter(({ dependsOn }) => dependsOn === undefined),
      free.filter(({ dependsOn }) => dependsOn !== undefined),
      ...cases.filter(({ serial }) => serial).map((one) => [one]),
    ]
    for (const round of rounds) {
      const waiting = [...round]
      const work = async (): Promise<void> => {
        for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
          const { report, exchanges } = await this.#runOne(one)
          this.#reports.set(one.id, report)
          this.#watch(one.id, exchanges)
          selection.onProgress?.(report, this.#reports.size, cases.length)
        }
      }
      await Promise.all(Array.from({ length: concurrency }, work))
    }
  }

  reports(): readonly CaseReport[] {
    const { cases, invariants } = this.#run
    return [
      ...cases.flatMap(({ id }) => this.#reports.get(id) ?? []),
      ...invariants.map((one) => this.#broken.get(one.id) ?? this.#reportWhole(one)),
    ]
  }

  async #runOne(one: JudgedCase): Promise<CaseOutcome> {
    const { wire, names, cases } = this.#run
    const skip = (reason: string): CaseOutcome => ({
      report: reportWithout(one, 'skip', reason),
      exchanges: [],
    })
    const reason = this.#reasonToSkip(one)
    if (reason !== undefined) return skip(reason)
    const cut = (when: string): CaseOutcome => {
      if (wire.signal?.aborted) return skip(`the run was aborted${when}`)
      this.cutOff++
      return skip(`the time limit of the run was reached${when}`)
    }
    if (isOver(wire)) return cut('')
    const person = one.cleanup && choosePerson(names, cases.indexOf(one))
    if (one.cleanup && !person) return skip('the name that it may change could not be read')
    const running = runCase(one, { ...wire, values: { ...wire.values, ...person } })
    const counted = (await before(running, wire)) ?? cut(' before the case ended')
    if (person === undefined) return counted
    const ended = await before(running, endOfGrace(wire))
    if (ended?.isRefused) return counted
    try {
      await resetName(wire, person)
      if (ended === undefined) throw new Error('Its change has not ended, and may come later.')
      return counted
    } catch (error) {
      // The target's fault matters more than that its state could not be restored.
      if (counted.report.verdict === 'fail') return counted
      return { ...counted, report: reportWithout(one, 'error', String(error)) }
    }
  }

  #reasonToSkip({ schema, needs = [], dependsOn = [] }: JudgedCase): string | undefined {
    const { wire, selection, capabilities } = this.#run
    if (wire.pace.stopped !== undefined) return stoppedReason
    if (schema === 'standard') {
      if (!selection.standard) {
        return 'needs the standard schema: use --standard if the target serves it'
      }
      if (!capabilities.has('standard')) return 'the target does not serve the standard schema'
    }
    for (const need of needs) {
      const name = need.replace('!', '')
      const isUnwanted = name !== need
      // A declared capability that is missing is a finding already.
      if (isUnwanted && selection.capabilities?.includes(name)) return `the target declares ${name}`
      if (capabilities.has(name) !== isUnwanted) continue
      return isUnwanted ? `the target has ${name}` : `the target has no ${name}`
    }
    const failed = dependsOn.find((id) => this.#reports.get(id)?.verdict !== 'pass')
    return failed === undefined ? undefined : `depends on ${failed}, which did not pass`
  }

  /** Checks the invariants against every response as it comes, so that no body is kept until the end of the run. */
  #watch(id: string, exchanges: readonly Exchange[]): void {
    for (const { sent, responses } of exchanges) {
      for (const response of responses) {
        this.#responses++
        for (const one of this.#run.invariants) {
          if (Date.now() >= this.#run.wire.deadline) return
          if (this.#broken.has(one.id)) continue
          const report = this.#hold(one, id, { sent, responses: [response] })
          if (report !== undefined) this.#broken.set(one.id, report)
        }
      }
    }
  }

  #hold(one: JudgedCase, id: string, exchange: Exchange): CaseReport | undefined {
    try {
      const found = judge(one.expect ?? [], exchange, this.#run.wire).map((finding) =>
        Object.assign(finding, { message: `${finding.message} (first in ${id})` }),
      )
      return found.length === 0 ? undefined : reportOf(one, found, [exchange])
    } catch (error) {
      return reportWithout(one, 'error', `${String(error)} (in ${id})`)
    }
  }

  #reportWhole(one: JudgedCase): CaseReport {
    if (this.#responses > 0) return reportWithout(one, 'pass', '')
    const isStopped = this.#run.wire.pace.stopped !== undefined
    return reportWithout(one, 'skip', isStopped ? stoppedReason : 'no response was received')
  }
}
