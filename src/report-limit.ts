import { cutText } from './cut-text.js'
import type { LimitReport } from './engine/limits.js'
import { isPromise } from './promise.js'
import type { Reporter } from './report-bug.js'

/** The embedder's reporter of documents beyond a limit, or console.warn. One that fails is a bug and fails no request. */
export function safeLimitReporter(
  onLimit: ((report: LimitReport) => void) | undefined,
  onBug: Reporter,
): (report: LimitReport) => void {
  if (onLimit === undefined) return printReport
  const failed = (bug: unknown): void => onBug(bug, { id: '(onLimit failed)' })
  return (report) => {
    try {
      // An async function is one, too; whatever it gives is of no interest.
      const reported: unknown = onLimit(report)
      if (isPromise(reported)) reported.then(undefined, failed)
    } catch (bug) {
      failed(bug)
    }
  }
}

function printReport({ limit, allowed, found, document }: LimitReport): void {
  // Quoted, since a client chooses what it says, and cut, since it may come with each request.
  const text = JSON.stringify(cutText(document, 200))
  console.warn(`graphwire: ${limit} is ${allowed}, and this document has ${found}: ${text}`)
}
