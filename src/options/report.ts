import { cutText } from '../base/cut-text.js'
import { callApart, isPromise } from '../base/promise.js'
import type { BugDetails } from '../graphql/errors/format-errors.js'
import type { LimitReport } from '../graphql/limits/limits.js'
import type { RequestHead } from '../http/message.js'
import type { StuckSource } from '../streams/streams.js'
import { createBugPrinter } from './print-bug.js'
import type { BugReporter, RequestInfo } from './request-info.js'

/**
 * The `onBug` option, or one that prints. If the reporter throws or rejects, neither the request nor the
 * process fails.
 */
export function safeReporter(
  onBug: ((bug: unknown, details: BugDetails, request?: RequestInfo) => unknown) | undefined,
): BugReporter {
  const printBug = createBugPrinter()
  if (onBug === undefined) return printBug
  return (bug, details, request) =>
    callApart(
      () => onBug(bug, details, request),
      (reason) => {
        printBug(bug, details, request)
        printBug(reason, { id: `${details.id} (onBug failed)` }, request)
      },
    )
}

/** The `createId` option, or random ids; also if that function throws or does not return a string. */
export function safeIdMaker(
  createId: ((head?: RequestHead) => string) | undefined,
): (request?: RequestInfo) => string {
  if (createId === undefined) return () => crypto.randomUUID()
  return (request) => {
    try {
      const id: unknown = createId(request?.head)
      // The id is not awaited, so a promise that rejects must be handled here.
      if (isPromise(id)) void Promise.resolve(id).catch(() => undefined)
      return typeof id === 'string' && id !== '' ? id : crypto.randomUUID()
    } catch {
      return crypto.randomUUID()
    }
  }
}

/** Reports bugs, and makes the ids under which they are found. */
interface Reporting {
  readonly onBug: BugReporter
  readonly createId: (request: RequestInfo) => string
}

/** Reports a bug with its request, and with the step that the request was at; returns the id of the report. */
export function reportBug(
  { onBug, createId }: Reporting,
  bug: unknown,
  request: RequestInfo,
  step?: string,
): string {
  const id = createId(request)
  const operationName = request.operation?.name?.value
  onBug(bug, step === undefined ? { id, operationName } : { id, operationName, step }, request)
  return id
}

/** The option of this name, or what it is by default. If it fails, that is reported as a bug and the request goes on. */
export function safeHook<Given>(
  name: 'onLimit' | 'onStuck',
  hook: ((given: Given, request?: RequestInfo) => unknown) | undefined,
  usual: (given: Given) => void,
  onBug: BugReporter,
): (given: Given, request?: RequestInfo) => void {
  if (hook === undefined) return usual
  return (given, request) =>
    callApart(
      () => hook(given, request),
      (bug) => onBug(bug, { id: `(${name} failed)` }, request),
    )
}

export function printReport({ limit, allowed, found, document, documentId }: LimitReport): void {
  // Quoted because clients control the text, and truncated because every request may print it.
  const text = JSON.stringify(cutText(document, 200))
  if (limit === 'trustedOnly') {
    return console.warn(`graphwire: trustedOnly would refuse ${documentId}: ${text}`)
  }
  console.warn(`graphwire: ${limit} is ${allowed}, but this document has ${found}: ${text}`)
}

export function printStuck({ field, operationName = '(anonymous)', since }: StuckSource): void {
  console.warn(
    `graphwire: the source of the subscription ${field} (operation ${operationName}) has not finished ` +
      `${since} ms after its stream ended: its return() waits, or it ignores request.signal.`,
  )
}
