import type { LimitReport } from './engine/limits.js'
import type { Reporter } from './report-bug.js'

/** The embedder's reporter of documents beyond a limit, or console.warn. One that fails is a bug and fails no request. */
export function safeLimitReporter(
  onLimit: ((report: LimitReport) => void) | undefined,
  onBug: Reporter,
): (report: LimitReport) => void {
  if (onLimit === undefined) return printReport
  return (report) => {
    try {
      onLimit(report)
    } catch (bug) {
      onBug(bug, { id: '(onLimit failed)' })
    }
  }
}

function printReport({ limit, allowed, found, document }: LimitReport): void {
  console.warn(`graphwire: ${limit} is ${allowed}, and this document has ${found}:\n${document}`)
}
