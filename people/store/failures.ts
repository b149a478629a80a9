import { SqliteError } from 'libsql'
import { advice } from './database-url.js'
import { StoreError, StoreUnavailable, type Unavailability } from './store.js'

/**
 * Failures that are not the fault of the statement: codes of SQLite, PostgreSQL and Node, and the message for the operator;
 * `schema` decides what clients see.
 */
const reasons: { readonly [reason in Unavailability]: Record<'codes' | 'message', string> } = {
  away: {
    codes:
      'io cannot-open ECONNREFUSED ECONNRESET ECONNABORTED EPIPE ETIMEDOUT EHOSTUNREACH ENETUNREACH EHOSTDOWN ENETDOWN ' +
      'ENOTFOUND EAI_AGAIN EADDRNOTAVAIL EMFILE ENFILE ' +
      // Shut down, crashed, starting, idle for too long, a transaction idle for too long, and conflicts again and again.
      '57P01 57P02 57P03 57P05 25P03 40001 40P01',
    message: 'The database is unavailable',
  },
  // Timeouts of locks and statements: the database responds, but other transactions block it.
  busy: { codes: 'busy locked 55P03 57014', message: 'Another process keeps the database locked' },
  full: { codes: 'full 53100', message: 'The disk of the database is full' },
  // Or a standby that may not write.
  'read-only': { codes: 'readonly 25006', message: 'The database is read-only' },
}

// What pg and pg-pool throw without a code.
const messages =
  /^(?:Connection terminated|timeout exceeded when trying to connect$|timeout expired$|Query read timeout$)|is not queryable$/

/** A StoreUnavailable if a later attempt may succeed; other failures are returned unchanged. */
export function toUnavailable(failure: unknown): unknown {
  const reason = reasonOf(failure)
  if (reason === undefined || failure instanceof StoreUnavailable) return failure
  return new StoreUnavailable(reasons[reason].message, { cause: failure, reason })
}

function reasonOf(failure: unknown): Unavailability | undefined {
  if (failure instanceof StoreUnavailable) return failure.reason
  if (!(failure instanceof Error)) return undefined
  const code = codeOf(failure)
  if (code === undefined) return messages.test(failure.message) ? 'away' : undefined
  const names = Object.keys(reasons) as Unavailability[]
  const reason = names.find((one) => reasons[one].codes.split(' ').includes(code))
  // Of SQLSTATE: the connection broke; no disk, no memory, too many connections.
  const isLost = /^(?:08|53)...$/.test(code)
  // A unix socket does not exist while its server is down.
  const hasNoSocket = code === 'ENOENT' && (failure as NodeJS.ErrnoException).syscall === 'connect'
  return reason ?? (isLost || hasNoSocket ? 'away' : undefined)
}

/** Whether the database rolled the transaction back because of another one, so that it can be retried. */
export function isTransient(failure: unknown): boolean {
  return ['40001', '40P01'].includes(codeOf(failure) ?? '')
}

/** A failure to open the database, as a message for the operator: what is wrong, and what was expected. */
export function explainFailure(failure: unknown, place: string): Error {
  const start = `Cannot open the database ${place}: `
  const code = codeOf(failure)
  // This failure is not set as the cause: it contains the whole URL, and with it the password.
  if (code === 'ERR_INVALID_URL' || failure instanceof URIError) {
    return new StoreError(`${start}its URL cannot be parsed; ${advice}`)
  }
  const itself = failure instanceof Error ? failure.message || failure.name : String(failure)
  const message = start + (faults[code ?? ''] ?? itself)
  const reason = reasonOf(failure)
  return reason === undefined || reason === 'read-only'
    ? new StoreError(message, { cause: failure })
    : new StoreUnavailable(message, { cause: failure, reason })
}

const damaged =
  'it is not an SQLite database, or it is damaged. Use one, or a file that does not exist yet'
export const fileAdvice =
  'Use a file that this process may read and write, in a folder that it may write to'
const closed = `it cannot be written. ${fileAdvice}`
/** All other failures explain themselves. */
const faults: { readonly [code: string]: string } = {
  'no-database': damaged,
  corrupt: damaged,
  readonly: closed,
  'cannot-open': closed,
}

// https://sqlite.org/rescode.html
const resultCodes: { readonly [code: number]: string } = {
  5: 'busy',
  6: 'locked',
  8: 'readonly',
  10: 'io',
  11: 'corrupt',
  13: 'full',
  14: 'cannot-open',
  26: 'no-database',
}

/** The code of a failure of Node or PostgreSQL; of SQLite, the name of its result code. */
export function codeOf(failure: unknown): string | undefined {
  // The primary code is in the low byte: libsql has no names for many extended codes.
  const number = failure instanceof SqliteError ? failure.rawCode : undefined
  if (number !== undefined) return resultCodes[number & 0xff] ?? 'other'
  // Files that libsql cannot open have no code.
  if (String(failure).startsWith('Error: ConnectionFailed')) return 'cannot-open'
  const code = (failure as { readonly code?: unknown } | undefined)?.code
  return typeof code === 'string' ? code : undefined
}
