import { sqliteCode } from './sqlite-code.js'
import { StoreUnavailable } from './store.js'

// SQLSTATE classes and codes of PostgreSQL that say nothing against the request itself.
const postgresClasses: ReadonlySet<string> = new Set([
  '08', // the connection broke
  '53', // no disk, no memory, too many connections
])
const postgresCodes: ReadonlySet<string> = new Set([
  '57P01', // shut down by an administrator
  '57P02', // crashed
  '57P03', // starting, or stopping
  '57P05', // idle for too long
  '57014', // statement_timeout
  '55P03', // lock_timeout
  '25P03', // a transaction idle for too long
  '25006', // a standby that may not write
  '40001', // serialization failures and deadlocks, again and again
  '40P01',
])

const sqliteCodes: ReadonlySet<string | undefined> = new Set([
  'busy',
  'locked',
  'io',
  'full',
  'cannot-open',
])

const socketCodes: ReadonlySet<string> = new Set(
  ['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH'].concat(
    ['ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN', 'ENOTFOUND', 'EAI_AGAIN', 'EADDRNOTAVAIL'],
    ['EMFILE', 'ENFILE'],
  ),
)

// What pg and pg-pool throw without a code.
const messages = [
  /^Connection terminated/,
  /^timeout exceeded when trying to connect$/,
  /^timeout expired$/,
  /^Query read timeout$/,
  /is not queryable$/,
]

/** The failure as a StoreUnavailable where asking again later may help; any other as it is. */
export function toUnavailable(failure: unknown): unknown {
  if (!isUnavailable(failure)) return failure
  return new StoreUnavailable('The database cannot be asked now', { cause: failure })
}

/** Whether the database undid the transaction because of another one: it may simply be tried again. */
export function isTransient(failure: unknown): boolean {
  const code = codeOf(failure)
  return code === '40001' || code === '40P01'
}

/** Whether the failure says that the database is away, and nothing against the statement. */
export function isUnavailable(failure: unknown): failure is Error {
  if (!(failure instanceof Error) || failure instanceof StoreUnavailable) return false
  const code = codeOf(failure)
  if (code === undefined) return messages.some((message) => message.test(failure.message))
  return (
    socketCodes.has(code) ||
    sqliteCodes.has(sqliteCode(failure)) ||
    postgresCodes.has(code) ||
    (code.length === 5 && postgresClasses.has(code.slice(0, 2))) ||
    isMissingSocket(failure, code)
  )
}

/** A unix socket is not there while its server is not. */
function isMissingSocket(failure: Error, code: string): boolean {
  return code === 'ENOENT' && (failure as { syscall?: unknown }).syscall === 'connect'
}

/** The code of a failure, as Node and the drivers give it. */
export function codeOf(failure: unknown): string | undefined {
  const code = (failure as { readonly code?: unknown } | undefined)?.code
  return typeof code === 'string' ? code : undefined
}
