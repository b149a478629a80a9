import { before } from './before.js'
import { CasePool, type Selection } from './case-pool.js'
import { controlRequest, diagnose, type Diagnosis } from './diagnose.js'
import { applicableOf } from '../judge/judge.js'
import { probeTarget, type Findings } from './probe-target.js'
import type { CaseReport } from '../suite/report.js'
import { runSteps, type Wire } from './run-steps.js'
import { readStandardNames } from './standard-state.js'
import { isSelected } from '../judge/list-cases.js'
import type { Case, Suite } from '../suite/suite.js'

/** The outcome of a run. */
export interface SuiteOutcome {
  /** Why the target cannot be tested, or why the run stopped early. */
  readonly diagnosis: string | undefined
  readonly cases: readonly CaseReport[]
  readonly capabilities: readonly string[]
}

/** Diagnoses the target, probes it, runs the cases, and checks the invariants against every response. */
export async function runSuite(
  suite: Suite,
  wire: Wire,
  selection: Selection,
  maxDuration: number,
): Promise<SuiteOutcome> {
  const { target, headers, deadline } = wire
  const values = {
    'url.path': target.path,
    'url.query': target.search,
    'url.scheme': target.protocol.slice(0, -1),
    host: target.host,
    headers: headers.map(([name, value]) => `${name}: ${value}\r\n`).join(''),
  }
  const diagnosis = await diagnoseTarget(wire, selection)
  if (diagnosis?.isFinal) wire.pace.stop(diagnosis.message)
  // A third of the time is enough for the probes of any target that responds.
  const limits = { deadline: Date.now() + (deadline - Date.now()) / 3, signal: selection.signal }
  const probed = await probeTarget(suite.probes, wire, values, limits)
  const yielded = new Set(suite.probes.flatMap(({ yields = [] }) => yields))
  // If no probe can find a capability, such as a time limit, the declaration is enough.
  const believed = (selection.capabilities ?? []).filter((name) => !yielded.has(name))
  const found = { ...probed, capabilities: new Set([...probed.capabilities, ...believed]) }
  const names =
    probed.capabilities.has('standard') && selection.standard
      ? await readStandardNames(wire)
      : new Map<string, string>()
  const prepared = { ...found, names, values }
  const chosen = suite.cases.filter((one) => isSelected(one, selection) && isPart(one, wire))
  const invariants = suite.invariants.filter(
    (one) => isSelected(one, selection) && isPart(one, wire),
  )
  const pool = new CasePool(chosen, invariants, wire, selection, prepared)
  const free = chosen.filter(({ serial }) => !serial)
  const workers = selection.concurrency
  await pool.run(free.filter(isIndependent), workers)
  await pool.run(
    free.filter((one) => !isIndependent(one)),
    workers,
  )
  await pool.run(
    chosen.filter(({ serial }) => serial),
    1,
  )
  const { stopped } = wire.pace
  const cutOff = describeCutOff(pool.cutOff, probed.isCutOff, maxDuration)
  return {
    diagnosis: stopped ?? joinSentences(diagnosis?.message, cutOff),
    cases: [
      ...(stopped === undefined ? missing(selection, found) : []),
      ...probed.faults,
      ...chosen.map((one) => pool.reportOf(one)),
      ...pool.invariants.reports(),
    ],
    capabilities: [...found.capabilities].toSorted(),
  }
}

/** Cases that were left out must not look as if the target had passed them. */
function describeCutOff(
  cases: number,
  areProbesCutOff: boolean,
  maxDuration: number,
): string | undefined {
  const advice = 'use --max-duration to give it more time'
  const limit = `${maxDuration / 1000} s`
  if (cases > 0) {
    const left = cases === 1 ? '1 case was' : `${cases} cases were`
    return `The run ended after ${limit}; ${left} not run: ${advice}.`
  }
  if (!areProbesCutOff) return undefined
  return `The probes ended after a third of the ${limit} of the run, so that cases may be skipped without need: ${advice}.`
}

function joinSentences(...sentences: readonly (string | undefined)[]): string | undefined {
  return sentences.filter((sentence) => sentence !== undefined).join(' ') || undefined
}

/** No response ends the run, so wait longer than a slow start takes. */
const minControlMs = 5000

async function diagnoseTarget(wire: Wire, { signal }: Selection): Promise<Diagnosis | undefined> {
  // A target that has just started may be slower than the time-out for its later responses.
  const patient = { ...wire, timeout: Math.max(wire.timeout, minControlMs) }
  const running = runSteps([{ request: controlRequest }], patient, {})
  const outcomes = await before(running, wire.deadline - Date.now(), signal, undefined)
  const exchange = outcomes?.[0]?.exchange
  return exchange === undefined || exchange.isRateLimited ? undefined : diagnose(exchange)
}

function isIndependent({ dependsOn }: Case): boolean {
  return dependsOn === undefined
}

function isPart(one: Case, wire: Wire): boolean {
  return applicableOf(one, wire.statements, wire.edition).length > 0
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
      message: 'declared for the target, but no probe finds it',
      spec: null,
    }))
}
