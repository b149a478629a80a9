import { SqliteError } from 'libsql'
import { urlAdvice } from './database-url.js'
import { StoreError, StoreUnavailable, type Unavailability } from './store.js'

/** Codes of SQLite, PostgreSQL and Node for failures that are not the fault of the statement. */
const codes: { readonly [reason in Unavailability]: string } = {
  away:
    'io cannot-open ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ETIMEDOUT EHOSTUNREACH ENETUNREACH EHOSTDOWN ENETDOWN ' +
    'ENOTFOUND EAI_AGAIN EADDRNOTAVAIL EMFILE ENFILE ' +
    // Shut down, crashed, starting, idle for too long, a transaction idle for too long, and conflicts again and again.
    '57P01 57P02 57P03 57P05 25P03 40001 40P01',
  // Timeouts of locks and statements: the database responds, but other transactions block it.
  busy: 'busy locked 55P03 57014',
  full: 'full 53100',
  // Or a standby that may not write.
  'read-only': 'readonly 25006',
}

const reasons = new Map(
  Object.entries(codes).flatMap(([reason, list]) =>
    list.split(' ').map((code) => [code, reason as Unavailability] as const),
  ),
)

// What pg and pg-pool throw without a code.
const messages = [
  /^Connection terminated/,
  /^ConnectionFailed/, // libsql, of a file that it cannot open any more
  /^timeout exceeded when trying to connect$/,
  /^timeout expired$/,
  /^Query read timeout$/,
  /is not queryable$/,
]

/** A StoreUnavailable if a later attempt may succeed; other failures are returned unchanged. */
export function toUnavailable(failure: unknown): unknown {
  const reason = reasonOf(failure)
  if (reason === undefined) return failure
  return new StoreUnavailable(messagesOf[reason], { cause: failure, reason })
}

/** For the operator; `schema` decides what clients see. */
const messagesOf: { readonly [reason in Unavailability]: string } = {
  away: 'The database is unavailable',
  busy: 'Another process keeps the database locked',
  full: 'The disk of the database is full',
  'read-only': 'The database is read-only',
}

/** Whether the database rolled the transaction back because of another one, so that it can be retried. */
export function isTransient(failure: unknown): boolean {
  const code = codeOf(failure)
  return code === '40001' || code === '40P01'
}

function reasonOf(failure: unknown): Unavailability | undefined {
  if (!(failure instanceof Error) || failure instanceof StoreUnavailable) return undefined
  const code = sqliteCode(failure) ?? codeOf(failure)
  if (code === undefined)
    return messages.some((one) => one.test(failure.message)) ? 'away' : undefined
  // Of SQLSTATE: the connection broke; no disk, no memory, too many connections.
  const isLost = /^(?:08|53)...$/.test(code) || isMissingSocket(failure, code)
  return reasons.get(code) ?? (isLost ? 'away' : undefined)
}

/** A unix socket does not exist while its server is down. */
function isMissingSocket(failure: Error, code: string): boolean {
  return code === 'ENOENT' && (failure as { syscall?: unknown }).syscall === 'connect'
}

/** The code of a failure of Node or a driver. */
export function codeOf(failure: unknown): string | undefined {
  const code = (failure as { readonly code?: unknown } | undefined)?.code
  return typeof code === 'string' ? code : undefined
}

/** A failure to open the database, as a message for the operator: what is wrong, and what was expected. */
export function explainFailure(failure: unknown, place: string): Error {
  const start = `Cannot open the database ${place}: `
  // This failure is not set as the cause: it contains the whole URL, and with it the password.
  if (codeOf(failure) === 'ERR_INVALID_URL' || failure instanceof URIError) {
    return new StoreError(`${start}its URL cannot be parsed; ${urlAdvice}`)
  }
  const code = sqliteCode(failure)
  // Files that libsql cannot open have no code.
  const isNotOpened = String(failure).startsWith('Error: ConnectionFailed')
  const fault = code === undefined ? isNotOpened && faults['cannot-open'] : faults[code]
  const reason = failure instanceof Error ? failure.message || failure.name : String(failure)
  const unavailable = toUnavailable(failure)
  return unavailable instanceof StoreUnavailable && unavailable.reason !== 'read-only'
    ? new StoreUnavailable(start + (fault || reason), {
        cause: failure,
        reason: unavailable.reason,
      })
    : new StoreError(start + (fault || reason), { cause: failure })
}

const damaged =
  'it is not an SQLite database, or it is damaged. Use one, or a file that does not exist yet'
const closed =
  'it cannot be written. Use a file that this process may read and write, in a folder that it may write to'
/** All other failures explain themselves. */
const faults: { readonly [code: string]: string } = {
  'no-database': damaged,
  corrupt: damaged,
  readonly: closed,
  'cannot-open': closed,
}

// https://sqlite.org/rescode.html
const resultCodes = {
  5: 'busy',
  6: 'locked',
  8: 'readonly',
  10: 'io',
  11: 'corrupt',
  13: 'full',
  14: 'cannot-open',
  26: 'no-database',
} as const

/** The primary result code of SQLite, in the low byte: libsql has no names for many extended codes. */
export function sqliteCode(
  failure: unknown,
): (typeof resultCodes)[keyof typeof resultCodes] | undefined {
  if (!(failure instanceof SqliteError) || failure.rawCode === undefined) return undefined
  return resultCodes[(failure.rawCode & 0xff) as keyof typeof resultCodes]
}
