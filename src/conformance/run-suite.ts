import type { Exchange } from './exchange.js'
import { before } from './before.js'
import { applicableOf, judge, worst } from './judge.js'
import { probeTarget, type Findings } from './probe-target.js'
import type { CaseReport } from './report.js'
import { reportOf, reportWithout, runCase, type CaseOutcome } from './run-case.js'
import type { Wire } from './run-steps.js'
import {
  readStandardNames,
  resetName,
  standardValues,
  type StandardNames,
} from './standard-state.js'
import { isSelected, type CaseSelection } from './select-cases.js'
import type { Case, Suite } from './suite.js'
import type { TemplateValues } from './fill.js'

/** What of the suite is to run. */
export interface Selection extends CaseSelection {
  readonly standard?: boolean
  readonly capabilities?: readonly string[]
  readonly concurrency?: number
  readonly signal?: AbortSignal
  readonly onProgress?: (report: CaseReport, done: number, total: number) => void
}

/** What a run came to. */
export interface SuiteOutcome {
  readonly cases: readonly CaseReport[]
  readonly capabilities: readonly string[]
}

interface Prepared extends Findings {
  readonly names: StandardNames
  readonly values: TemplateValues
}

/** Probes the target, runs the cases, holds the invariants against every response. */
export async function runSuite(
  suite: Suite,
  wire: Wire,
  selection: Selection,
  deadline: number,
): Promise<SuiteOutcome> {
  const { target, headers } = wire
  const values = {
    'url.path': target.path,
    'url.query': target.search,
    'url.scheme': target.protocol.slice(0, -1),
    host: target.host,
    headers: headers.map(([name, value]) => `${name}: ${value}\r\n`).join(''),
  }
  // A third of the time is enough for the probes of any target that answers.
  const limits = { deadline: Date.now() + (deadline - Date.now()) / 3, signal: selection.signal }
  const probed = await probeTarget(suite.probes, wire, values, limits)
  const yielded = new Set(suite.probes.flatMap(({ yields = [] }) => yields))
  // What no probe can find, a limit of time for instance, is believed.
  const believed = (selection.capabilities ?? []).filter((name) => !yielded.has(name))
  const found = { ...probed, capabilities: new Set([...probed.capabilities, ...believed]) }
  const names =
    probed.capabilities.has('standard') && selection.standard
      ? await readStandardNames(wire)
      : new Map<string, string>()
  const prepared = { ...found, names, values }
  const chosen = suite.cases.filter((one) => isSelected(one, selection) && isPart(one, wire))
  const run = new CaseRun(chosen, wire, selection, prepared, deadline)
  const free = chosen.filter(({ serial }) => !serial)
  const workers = selection.concurrency ?? 4
  await run.inPool(free.filter(isIndependent), workers)
  await run.inPool(
    free.filter((one) => !isIndependent(one)),
    workers,
  )
  await run.inPool(
    chosen.filter(({ serial }) => serial),
    1,
  )
  const invariants = suite.invariants
    .filter((one) => isSelected(one, selection) && isPart(one, wire))
    .map((one) => holdInvariant(one, wire, run.outcomes))
  return {
    cases: [...missing(selection, found), ...chosen.map((one) => run.reportOf(one)), ...invariants],
    capabilities: [...found.capabilities].toSorted(),
  }
}

function isIndependent({ dependsOn }: Case): boolean {
  return dependsOn === undefined
}

function isPart(one: Case, wire: Wire): boolean {
  return applicableOf(one, wire.statements, wire.edition).length > 0
}

/** Runs cases, each when those it depends on have passed, until time is up. */
class CaseRun {
  readonly outcomes = new Map<string, CaseOutcome>()
  readonly #cases: readonly Case[]
  readonly #wire: Wire
  readonly #selection: Selection
  readonly #prepared: Prepared
  readonly #deadline: number

  constructor(
    cases: readonly Case[],
    wire: Wire,
    selection: Selection,
    prepared: Prepared,
    deadline: number,
  ) {
    this.#cases = cases
    this.#wire = wire
    this.#selection = selection
    this.#prepared = prepared
    this.#deadline = deadline
  }

  reportOf({ id }: Case): CaseReport {
    const outcome = this.outcomes.get(id)
    if (outcome === undefined) throw new Error(`The case ${id} was not run.`)
    return outcome.report
  }

  /** A few workers take the cases from one list. */
  async inPool(cases: readonly Case[], workers: number): Promise<void> {
    const waiting = [...cases]
    const work = async (): Promise<void> => {
      for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
        const outcome = await this.#runOne(one)
        this.outcomes.set(one.id, outcome)
        this.#selection.onProgress?.(outcome.report, this.outcomes.size, this.#cases.length)
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
    if (signal?.aborted) return skip('the run was ended early')
    const left = this.#deadline - Date.now()
    if (left <= 0) return skip('the time of the run is over')
    const { names, values, getHeaders } = this.#prepared
    const ids = standardValues(names, this.#cases.indexOf(one))
    const late = skip('the time of the run was over before it was done')
    const running = runCase(one, this.#wire, { ...values, ...ids }, getHeaders)
    const outcome = await before(running, left, signal, late)
    if (one.cleanup !== 'standard.reset') return outcome
    try {
      await resetName(this.#wire, names, ids['standard.id'] ?? '')
      return outcome
    } catch (error) {
      // What the target did wrong weighs more than that it could not be mended.
      if (outcome.report.verdict === 'fail') return outcome
      return { ...outcome, report: reportWithout(one, judged, 'error', String(error)) }
    }
  }

  #reasonToSkip({ schema, needs = [], dependsOn = [] }: Case): string | undefined {
    const { capabilities } = this.#prepared
    if (schema === 'standard') {
      if (!this.#selection.standard) return 'needs the standard schema (--standard)'
      if (!capabilities.has('standard')) return 'the target does not serve the standard schema'
    }
    for (const need of needs) {
      const unwanted = need.startsWith('!')
      if (capabilities.has(unwanted ? need.slice(1) : need) === unwanted) {
        return unwanted ? `the target has ${need.slice(1)}` : `the target has no ${need}`
      }
    }
    const failed = dependsOn.find((id) => this.outcomes.get(id)?.report.verdict !== 'pass')
    return failed === undefined ? undefined : `depends on ${failed}, which did not pass`
  }
}

/** Reports an invariant once, with the case in which it broke first. */
function holdInvariant(
  invariant: Case,
  wire: Wire,
  outcomes: ReadonlyMap<string, CaseOutcome>,
): CaseReport {
  const judged = applicableOf(invariant, wire.statements, wire.edition)
  let seen = 0
  for (const [id, { exchanges }] of outcomes) {
    for (const exchange of exchanges.flatMap(single)) {
      seen++
      const found = worst(judge(invariant.expect ?? [], exchange, wire.statements, wire.edition))
      if (found === undefined) continue
      const report = reportOf(invariant, judged, found)
      return Object.assign(report, { message: `${report.message} (first in ${id})` })
    }
  }
  if (seen > 0) return reportWithout(invariant, judged, 'pass', '')
  return reportWithout(invariant, judged, 'skip', 'no response came')
}

/** One exchange for each of its responses. */
function single(exchange: Exchange): readonly Exchange[] {
  const { sent, responses } = exchange
  return responses.map((response) => ({ sent, responses: [response] }))
}

/** A capability that is declared and not found is a failure of its own. */
function missing({ capabilities: declared = [] }: Selection, found: Findings): CaseReport[] {
  return declared
    .filter((name) => !found.capabilities.has(name))
    .map((name) => ({
      id: `declared.${name}`,
      title: `The declared capability ${name} is found`,
      suite: 'declared',
      level: 'MUST',
      statements: [],
      verdict: 'fail',
      message: `the target file declares ${name}, and no probe finds it`,
      spec: null,
    }))
}
