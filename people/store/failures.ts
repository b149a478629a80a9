import type { Backend } from './backend.js'
import { urlAdvice } from './postgres-url.js'
import { sqliteCode } from './sqlite-driver.js'
import { StoreError, StoreUnavailable, type Unavailability } from './store.js'

/** Codes of SQLite, PostgreSQL and Node that say nothing against the statement itself. */
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

/** Whether the database is unavailable, rather than the statement wrong. */
export function isUnavailable(failure: unknown): failure is Error {
  return reasonOf(failure) !== undefined
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

/** A unix socket is not there while its server is not. */
function isMissingSocket(failure: Error, code: string): boolean {
  return code === 'ENOENT' && (failure as { syscall?: unknown }).syscall === 'connect'
}

/** The code of a failure of Node or a driver. */
export function codeOf(failure: unknown): string | undefined {
  const code = (failure as { readonly code?: unknown } | undefined)?.code
  return typeof code === 'string' ? code : undefined
}

/** A failure to open the database, as a message for the operator: what is wrong, and what was expected. */
export function explainFailure(failure: unknown, backend: Backend): Error {
  const start = `Cannot open the database ${backend.place}: `
  // This failure is not set as the cause: it contains the whole URL, and with it the password.
  if (codeOf(failure) === 'ERR_INVALID_URL' || failure instanceof URIError) {
    return new StoreError(`${start}its URL cannot be parsed; ${urlAdvice}`)
  }
  const fault = backend.name === 'sqlite' ? sqliteFault(failure) : postgresFault(failure)
  const reason = failure instanceof Error ? failure.message || failure.name : String(failure)
  const message = start + (fault ?? reason)
  const unavailable = toUnavailable(failure)
  return unavailable instanceof StoreUnavailable && unavailable.reason !== 'read-only'
    ? new StoreUnavailable(message, { cause: failure, reason: unavailable.reason })
    : new StoreError(message, { cause: failure })
}

function sqliteFault(failure: unknown): string | undefined {
  switch (sqliteCode(failure)) {
    case 'no-database':
    case 'corrupt':
      return 'it is not an SQLite database, or it is damaged. Use one, or a file that does not exist yet'
    case 'busy':
    case 'locked':
      return 'another process keeps it locked. End that process or its transaction'
    case 'full':
      return 'its disk is full. Free some space, or use a file on another disk'
    case 'io':
      return `reading or writing it failed (${(failure as Error).message}). Check its disk`
    case 'readonly':
      return notWritable
    default:
      // What libsql cannot even open has no code.
      return isNotOpened(failure) ? notWritable : undefined
  }
}

const notWritable =
  'it cannot be written. Use a file that this process may read and write, in a folder that it may write to'

function isNotOpened(failure: unknown): boolean {
  return (
    sqliteCode(failure) === 'cannot-open' || String(failure).startsWith('Error: ConnectionFailed')
  )
}

/** Messages by SQLSTATE, or by the error of pg before there is one; all other errors explain themselves. */
function postgresFault(failure: unknown): string | undefined {
  const message = failure instanceof Error ? failure.message : ''
  if (message.startsWith('no PostgreSQL user name')) return `its URL has no user name; ${urlAdvice}`
  if (message.startsWith('The server does not support SSL')) {
    return 'its server does not support TLS, which sslmode asks for. Enable it there, or use sslmode=disable'
  }
  switch (codeOf(failure)) {
    case '3F000':
      return 'its search_path has no schema that exists. Use one that does, such as public'
    case '25006':
      return 'it is read-only, such as a standby. Use one that can be written'
    case '53100':
      return 'the disk of its server is full. Free some space there'
    case '53300':
      return 'its server has no free connections. Close some, or raise max_connections'
    default:
      return undefined
  }
}
