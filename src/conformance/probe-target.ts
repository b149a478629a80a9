import { before } from './before.js'
import type { HeaderLines } from './fixture.js'
import { applicableOf } from './judge.js'
import { runSteps, type Wire } from './run-steps.js'
import type { Case } from './suite.js'
import type { TemplateValues } from './fill.js'

/** What the probes found out about a target. */
export interface Findings {
  readonly capabilities: ReadonlySet<string>
  /** The headers without which the target refuses a GET. */
  readonly getHeaders: HeaderLines
}

/** When probing ends, done or not. */
export interface ProbeLimits {
  readonly deadline: number
  readonly signal: AbortSignal | undefined
}

/** Runs the probes, each once those it needs have found something, until the deadline. */
export async function probeTarget(
  probes: readonly Case[],
  wire: Wire,
  values: TemplateValues,
  { deadline, signal }: ProbeLimits,
): Promise<Findings> {
  const capabilities = new Set<string>()
  let getHeaders: HeaderLines = {}
  for (const probe of inOrder(probes)) {
    if (!(probe.needs ?? []).every((need) => capabilities.has(need))) continue
    if (applicableOf(probe, wire.statements, wire.edition).length === 0) continue
    for (const headers of probe.variants ?? [getHeaders]) {
      const left = deadline - Date.now()
      if (left <= 0 || signal?.aborted) return { capabilities, getHeaders }
      const running = runSteps(probe.steps ?? [], wire, values, headers)
      const outcomes = await before(running, left, signal, undefined)
      if (!outcomes?.every(({ findings }) => findings.length === 0)) continue
      for (const name of probe.yields ?? []) capabilities.add(name)
      if (probe.variants !== undefined) getHeaders = headers
      break
    }
  }
  return { capabilities, getHeaders }
}

/** A probe comes after those that yield what it needs. */
function inOrder(probes: readonly Case[]): readonly Case[] {
  const done: Case[] = []
  const visit = (probe: Case, path: readonly Case[]): void => {
    if (done.includes(probe)) return
    if (path.includes(probe)) throw new Error(`The probe ${probe.id} needs itself.`)
    for (const need of probe.needs ?? []) {
      for (const giver of probes) if (giver.yields?.includes(need)) visit(giver, [...path, probe])
    }
    done.push(probe)
  }
  for (const probe of probes) visit(probe, [])
  return done
}
