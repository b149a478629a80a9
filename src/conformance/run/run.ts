import { resolveNumbers, shapesOf } from '../../shapes/number-row.js'
import { checkOptions, listOf, objectOf, required, type Shape } from '../../shapes/shape.js'
import { aBoolean, aFunction, aString, names, oneOf, wholeNumberFrom } from '../../shapes/shapes.js'
import { Connections } from '../wire/connections.js'
import { controlRequest } from './diagnose.js'
import { defaultEdition, editionNames, findEdition, type EditionName } from '../suite/editions.js'
import type { FieldLine } from '../wire/exchange.js'
import { applyKnownFailures, type KnownFailures } from './known-failures.js'
import { Pace } from './pace.js'
import { checkReachable } from '../wire/reachable.js'
import { countLayers, countVerdicts, type CaseReport, type Report } from '../suite/report.js'
import { runRows, type RunNumbers } from './run-numbers.js'
import { runSuite } from './run-suite.js'
import { sendRequest } from '../wire/send-request.js'
import { readStatements } from '../suite/statements.js'
import { fixturesFolder, readSuite } from '../suite/suite.js'
import { toTarget } from '../wire/target.js'
import { toWireRequest } from '../wire/to-wire-request.js'

/** What to run against which target. */
export interface ConformanceOptions extends RunNumbers {
  /** The target's GraphQL endpoint. No request goes anywhere else. */
  readonly url: string
  /** Default: '2026-09'. */
  readonly edition?: EditionName
  /** Suites by name; default: all. */
  readonly suites?: readonly string[]
  /** Ids of cases, or beginnings of ids; default: all. */
  readonly cases?: readonly string[]
  /** The target serves the standard schema, and its data may be changed and restored. Default: false. */
  readonly standard?: boolean
  /** Capabilities the target is declared to have; it is a failure if one is not found. */
  readonly capabilities?: readonly string[]
  /** Headers for every request, such as credentials. */
  readonly headers?: readonly FieldLine[]
  readonly knownFailures?: KnownFailures
  /** Whether to accept an untrusted certificate. Default: false. */
  readonly insecure?: boolean
  /** Aborting it ends the run early; changed data is restored, and the rest is skipped. */
  readonly signal?: AbortSignal
  /** Called for each case when it is done. */
  readonly onProgress?: (report: CaseReport, done: number, total: number) => void
}

function isEdition(value: unknown): boolean {
  return typeof value === 'string' && findEdition(value) !== undefined
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
  edition: { ...oneOf(editionNames), fits: isEdition },
  suites: names,
  cases: names,
  standard: aBoolean,
  capabilities: names,
  headers: { ...listOf('a list of header lines', fieldLine), isSecret: true },
  knownFailures: {
    expected: 'a Map of reasons by the id of the case',
    fits: (value) => value instanceof Map,
  },
  ...shapesOf(runRows, wholeNumberFrom),
  insecure: aBoolean,
  signal: { expected: 'an AbortSignal', fits: (value) => value instanceof AbortSignal },
  onProgress: aFunction,
})

/** Replays the suite against a target. Throws if no connection can be made at all. */
export async function runConformance(options: ConformanceOptions): Promise<Report> {
  checkOptions('runConformance', options, conformanceShape)
  const { url, insecure = false, knownFailures } = options
  const { timeout, concurrency, maxDuration } = resolveNumbers<RunNumbers>(runRows, options)
  const edition = findEdition(options.edition ?? defaultEdition) as EditionName
  const startedAt = new Date()
  const target = toTarget(url)
  await checkReachable(target, timeout)
  const connections = new Connections(target, { insecure, timeout })
  const statements = readStatements(fixturesFolder, edition)
  const headers = options.headers ?? []
  const control = toWireRequest(controlRequest, target, headers)
  const pace = new Pace(() => sendRequest(connections, target, control, timeout))
  const deadline = startedAt.getTime() + maxDuration
  const limits = { timeout, deadline }
  const wire = { target, connections, edition, statements, insecure, headers, pace, ...limits }
  try {
    const { cases, capabilities, diagnosis } = await runSuite(
      readSuite(),
      wire,
      { ...options, concurrency },
      maxDuration,
    )
    const judged = applyKnownFailures(cases, knownFailures ?? new Map(), options)
    return {
      target: url,
      edition,
      suite: [...(options.suites ?? []), ...(options.cases ?? [])].join(', ') || 'all',
      startedAt: startedAt.toISOString(),
      durationMs: Date.now() - startedAt.getTime(),
      capabilities,
      ...(diagnosis !== undefined && { diagnosis }),
      totals: countVerdicts(judged),
      layers: countLayers(judged),
      cases: judged,
    }
  } finally {
    await connections.destroy()
  }
}
