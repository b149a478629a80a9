import { resolveNumbers, shapesOf, type Resolved } from '../../shapes/number-row.js'
import { checkOptions, listOf, objectOf, required, type Shape } from '../../shapes/shape.js'
import { aBoolean, aFunction, aString, names } from '../../shapes/shapes.js'
import { countOf } from '../../base/prose.js'
import { controlRequest, diagnose, type Diagnosis } from './diagnose.js'
import { anEdition, defaultEdition, findEdition, type EditionName } from '../suite/editions.js'
import type { FieldLine } from '../wire/exchange.js'
import { applyKnownFailures, type KnownFailures } from './known-failures.js'
import { Pace } from './pace.js'
import { checkReachable } from '../wire/connection.js'
import {
  countLayers,
  countVerdicts,
  failureOf,
  type CaseReport,
  type Report,
} from '../suite/report.js'
import { runRows, type RunNumbers } from './run-numbers.js'
import { Client } from '../wire/send-request.js'
import { readStatements } from '../suite/statements.js'
import { readSuite } from '../suite/suite.js'
import { toTarget } from '../wire/target.js'
import { toWireRequest } from '../wire/to-wire-request.js'
import { before } from './before.js'
import { CasePool, type RunSelection } from './case-pool.js'
import { probeTarget, type Findings } from './probe-target.js'
import { runSteps, type Wire } from './run-steps.js'
import { readStandardNames } from './standard-state.js'
import { selectCases } from '../judge/list-cases.js'

/** The target, and what to run against it. */
export interface ConformanceOptions extends RunNumbers, RunSelection {
  /** The target's GraphQL endpoint. No request goes anywhere else. */
  readonly url: string
  /** Default: '2026-09'. */
  readonly edition?: EditionName
  /** Headers for every request, such as credentials. */
  readonly headers?: readonly FieldLine[]
  readonly knownFailures?: KnownFailures
  /** Whether to accept an untrusted certificate. Default: false. */
  readonly insecure?: boolean
}

/** The values may be credentials. */
const fieldLine: Shape = {
  expected: "a name and a value, such as ['Authorization', 'Bearer ...']",
  fits: (value) =>
    Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'string'),
  isSecret: true,
}

/** The valid values of each option. An option without a row does not compile. */
const conformanceShape = objectOf<ConformanceOptions>('{ url }', {
  url: required({ ...aString, isSecret: true }), // `toTarget` says more about it
  edition: anEdition,
  suites: names,
  cases: names,
  standard: aBoolean,
  capabilities: names,
  headers: { ...listOf('a list of header lines', fieldLine), isSecret: true },
  knownFailures: {
    expected: 'a Map of reasons by the id of the case',
    fits: (value) => value instanceof Map,
  },
  ...shapesOf(runRows),
  insecure: aBoolean,
  signal: { expected: 'an AbortSignal', fits: (value) => value instanceof AbortSignal },
  onProgress: aFunction,
})

/** Replays the suite against a target. Throws if no connection can be made at all. */
export async function runConformance(options: ConformanceOptions): Promise<Report> {
  checkOptions('runConformance', options, conformanceShape)
  const { url, headers = [], suites = [], cases: ids = [] } = options
  const numbers = resolveNumbers(runRows, options)
  const { timeout } = numbers
  const edition = findEdition(options.edition ?? defaultEdition) as EditionName
  const startedAt = new Date()
  const target = toTarget(url, options.insecure)
  await checkReachable(target, timeout)
  const client = new Client(target)
  const statements = readStatements(edition)
  const control = toWireRequest(controlRequest, target, headers)
  const pace = new Pace(() => client.send(control, timeout))
  const deadline = startedAt.getTime() + numbers.maxDuration
  const values = {
    'url.path': target.path,
    'url.query': target.search,
    'url.scheme': target.protocol.slice(0, -1),
    host: target.host,
    headers: headers.map(([name, value]) => `${name}: ${value}\r\n`).join(''),
  }
  const sending = { target, client, headers, getHeaders: [], pace, timeout }
  const wire = { ...sending, edition, statements, values, signal: options.signal, deadline }
  try {
    const { cases, ...found } = await runSuite(wire, options, numbers)
    const judged = applyKnownFailures(cases, options.knownFailures, options)
    return {
      target: url,
      edition,
      suite: [...suites, ...ids].join(', ') || 'all',
      startedAt: startedAt.toISOString(),
      durationMs: Date.now() - startedAt.getTime(),
      ...found,
      totals: countVerdicts(judged),
      layers: countLayers(judged),
      cases: judged,
    }
  } finally {
    client.destroy()
  }
}

/** Diagnoses the target, probes it, runs the cases, and checks the invariants against every response. */
async function runSuite(
  wire: Wire,
  selection: RunSelection,
  { concurrency, maxDuration }: Resolved<RunNumbers>,
): Promise<Pick<Report, 'cases' | 'capabilities' | 'diagnosis'>> {
  const suite = readSuite()
  const diagnosis = await diagnoseTarget(wire)
  if (diagnosis?.isFinal) wire.pace.stop(diagnosis.message)
  // A third of the time is enough for the probes of any target that responds.
  const deadline = Date.now() + (wire.deadline - Date.now()) / 3
  const probes = diagnosis?.isSilent ? [] : selectCases(suite.probes, wire)
  const probed = await probeTarget(probes, { ...wire, deadline })
  const yielded = new Set(suite.probes.flatMap(({ yields = [] }) => yields))
  // If no probe can find a capability, such as a time limit, the declaration is enough.
  const needed = new Set(suite.cases.flatMap(({ needs = [] }) => needs))
  const { capabilities: declared = [] } = selection
  const believed = declared.filter((name) => needed.has(name) && !yielded.has(name))
  const found = { ...probed, capabilities: new Set([...probed.capabilities, ...believed]) }
  const isStandard = probed.capabilities.has('standard') && selection.standard
  const standardNames = isStandard ? await readStandardNames(wire) : new Map<string, string>()
  const cases = selectCases(suite.cases, wire, selection)
  const invariants = selectCases(suite.invariants, wire, selection)
  const own = { ...wire, getHeaders: probed.getHeaders }
  const prepared = { ...found, cases, invariants, wire: own, selection, concurrency }
  const pool = new CasePool({ ...prepared, names: standardNames })
  await pool.runAll()
  const { stopped } = wire.pace
  const isProbed = probes.length > 0 && !stopped && !probed.isCutOff && !wire.signal?.aborted
  const cutOff = describeCutOff(pool.cutOff, probed.isCutOff, maxDuration)
  const reasons = new Set([diagnosis?.message, stopped ?? cutOff])
  const reason = [...reasons].filter((one) => one !== undefined).join(' ')
  return {
    cases: [...(isProbed ? missing(selection, found) : []), ...probed.faults, ...pool.reports()],
    capabilities: [...found.capabilities].toSorted(),
    ...(reason !== '' && { diagnosis: reason }),
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
    const left = countOf(cases, 'case was', 'cases were')
    return `The run ended after ${limit}; ${left} not run: ${advice}.`
  }
  if (!areProbesCutOff) return undefined
  return `The probes ended after a third of the ${limit} of the run, so that cases may be skipped without need: ${advice}.`
}

/** No response ends the run, so wait longer than a slow start takes. */
const minControlMs = 5000

async function diagnoseTarget(wire: Wire): Promise<Diagnosis | undefined> {
  // A target that has just started may be slower than the time-out for its later responses.
  const patient = { ...wire, timeout: Math.max(wire.timeout, minControlMs) }
  const running = runSteps([{ request: controlRequest }], patient)
  const outcomes = await before(running, patient)
  const exchange = outcomes?.[0]?.exchange
  return exchange === undefined || exchange.isRateLimited ? undefined : diagnose(exchange)
}

/** A capability that is declared, as `standard` is by its option, and not found is a failure of its own. */
function missing({ capabilities = [], standard }: RunSelection, found: Findings): CaseReport[] {
  const message = 'declared for the target, but no probe finds it'
  return [...new Set([...(standard ? ['standard'] : []), ...capabilities])]
    .filter((name) => !found.capabilities.has(name))
    .map((name) => {
      const title = `The declared capability ${name} is found`
      return failureOf('declared', `declared.${name}`, title, message)
    })
}
