import { Agent } from 'undici'
import { editionNames, isEditionName, type EditionName } from './editions.js'
import type { FieldLine } from './exchange.js'
import { applyKnownFailures, type KnownFailures } from './known-failures.js'
import { checkReachable } from './reachable.js'
import { countVerdicts, type CaseReport, type Report } from './report.js'
import { runSuite } from './run-suite.js'
import { readStatements } from './statements.js'
import { fixturesFolder, readSuite } from './suite.js'
import { toTarget } from './target.js'

/** What to run, and against what. */
export interface ConformanceOptions {
  /** Where the target takes GraphQL requests. Traffic goes nowhere else. */
  readonly url: string
  /** Default: '2026-08'. */
  readonly edition?: EditionName
  /** Suites by name; default: all. */
  readonly suites?: readonly string[]
  /** Ids of cases, or beginnings of ids; default: all. */
  readonly cases?: readonly string[]
  /** The target serves the standard schema, and its state may be changed and given back. Default: false. */
  readonly standard?: boolean
  /** Capabilities that the target says it has; not finding one is a failure. */
  readonly capabilities?: readonly string[]
  /** Headers for every request, such as credentials. */
  readonly headers?: readonly FieldLine[]
  readonly knownFailures?: KnownFailures
  /** How long one answer may take, in milliseconds. Default: 5,000. */
  readonly timeout?: number
  /** How many cases run at once. Default: 4. */
  readonly concurrency?: number
  /** Whether a certificate that nobody vouches for is taken. Default: false. */
  readonly insecure?: boolean
  /** The run ends in this time, even when every answer hangs, in milliseconds. Default: 55,000. */
  readonly maxDuration?: number
  /** Aborting it ends the run early; what was changed is given back, and the rest is skipped. */
  readonly signal?: AbortSignal
  /** Hears of each case when it is done. */
  readonly onProgress?: (report: CaseReport, done: number, total: number) => void
}

/** Replays the suite against a target. Throws where no connection can be made at all. */
export async function runConformance(options: ConformanceOptions): Promise<Report> {
  const { url, timeout = 5000, insecure = false, concurrency = 4, knownFailures } = options
  const edition = checkEdition(options.edition ?? '2026-08')
  const startedAt = new Date()
  const target = toTarget(url)
  await checkReachable(target, timeout)
  const dispatcher = new Agent({
    connections: concurrency,
    connect: { rejectUnauthorized: !insecure, timeout },
  })
  const statements = readStatements(fixturesFolder, edition)
  const headers = options.headers ?? []
  const wire = { target, dispatcher, edition, statements, timeout, insecure, headers }
  try {
    const deadline = startedAt.getTime() + (options.maxDuration ?? 55_000)
    const { cases, capabilities } = await runSuite(readSuite(), wire, options, deadline)
    const judged = applyKnownFailures(cases, knownFailures ?? new Map(), options)
    return {
      target: url,
      edition,
      suite: [...(options.suites ?? []), ...(options.cases ?? [])].join(', ') || 'all',
      startedAt: startedAt.toISOString(),
      durationMs: Date.now() - startedAt.getTime(),
      capabilities,
      totals: countVerdicts(judged),
      cases: judged,
    }
  } finally {
    await dispatcher.destroy()
  }
}

function checkEdition(name: string): EditionName {
  if (isEditionName(name)) return name
  throw new TypeError(`edition: expected one of ${editionNames.join(', ')}, got ${name}.`)
}
