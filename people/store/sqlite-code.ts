import { SqliteError } from 'libsql'

// https://sqlite.org/rescode.html
const codes = {
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
export function sqliteCode(failure: unknown): (typeof codes)[keyof typeof codes] | undefined {
  if (!(failure instanceof SqliteError) || failure.rawCode === undefined) return undefined
  return codes[(failure.rawCode & 0xff) as keyof typeof codes]
}
