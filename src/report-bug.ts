import type { BugDetails } from './engine/format-errors.js'
import { isPromise } from './promise.js'

/** Gets a bug and where it happened. */
export type Reporter = (bug: unknown, details: BugDetails) => void

/**
 * The embedder's reporter, or console.error. A report that fails, at once or later, must not become
 * the failure of the request or of the process.
 */
export function safeReporter(
  onBug: ((bug: unknown, details: BugDetails) => unknown) | undefined,
): Reporter {
  if (onBug === undefined) return printBug
  return (bug, details) => {
    const failed = (reason: unknown): void => {
      printBug(bug, details)
      printBug(reason, { id: `${details.id} (onBug failed)` })
    }
    try {
      const reported = onBug(bug, details)
      if (isPromise(reported)) reported.then(undefined, failed)
    } catch (reason) {
      failed(reason)
    }
  }
}

/** The embedder's ids, or random ones, also where the embedder's function fails. */
export function safeIdMaker(createId: (() => string) | undefined): () => string {
  if (createId === undefined) return () => crypto.randomUUID()
  return () => {
    try {
      return createId()
    } catch {
      return crypto.randomUUID()
    }
  }
}

function printBug(bug: unknown, { id, operationName, path }: BugDetails): void {
  const where = [operationName && `operation ${operationName}`, path && `path ${path.join('.')}`]
  const line = ['graphwire: bug', id, ...where.filter(Boolean)].join(' ')
  try {
    console.error(line, bug)
  } catch {
    // An error can be made so that printing it throws.
    console.error(line, '(it cannot be printed)')
  }
}
