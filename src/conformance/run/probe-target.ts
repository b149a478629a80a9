import { before, isOver } from './before.js'
import type { FieldLine } from '../wire/exchange.js'
import { toLines } from '../wire/to-wire-request.js'
import type { JudgedCase } from '../judge/list-cases.js'
import type { CaseReport } from '../suite/report.js'
import { reportWithout } from './run-case.js'
import { runSteps, type Wire } from './run-steps.js'

export interface Findings {
  readonly capabilities: ReadonlySet<string>
  /** The headers that the target requires for a GET. */
  readonly getHeaders: readonly FieldLine[]
  /** The time was up before every probe had run. */
  readonly isCutOff: boolean
  /** Probes in which the runner itself failed. */
  readonly faults: readonly CaseReport[]
}

/** Runs the probes, each if those it needs have succeeded. */
export async function probeTarget(probes: readonly JudgedCase[], wire: Wire): Promise<Findings> {
  const capabilities = new Set<string>()
  const faults: CaseReport[] = []
  let { getHeaders } = wire
  const waiting = [...probes]
  const next = (): JudgedCase | undefined => {
    const at = waiting.findIndex(({ needs = [] }) => needs.every((need) => capabilities.has(need)))
    return at < 0 ? undefined : waiting.splice(at, 1)[0]
  }
  for (let probe = next(); probe !== undefined; probe = next()) {
    for (const headers of probe.variants?.map(toLines) ?? [getHeaders]) {
      if (isOver(wire) || wire.pace.stopped !== undefined) break
      const running = runSteps(probe.steps ?? [], { ...wire, getHeaders: headers })
      const outcomes = await before(running, wire).catch((error: unknown) => {
        faults.push(reportWithout(probe, 'error', String(error)))
        return undefined
      })
      if (!outcomes?.every(({ findings }) => findings.length === 0)) continue
      for (const name of probe.yields ?? []) capabilities.add(name)
      if (probe.variants !== undefined) getHeaders = headers
      break
    }
  }
  return { capabilities, getHeaders, isCutOff: Date.now() >= wire.deadline, faults }
}
