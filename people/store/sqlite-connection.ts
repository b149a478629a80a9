import { setTimeout as wait } from 'node:timers/promises'
import Database from 'libsql'
import { SqliteError } from 'libsql'
import { StoreUnavailable } from './store.js'
import type { CompiledQuery, QueryResult } from 'kysely'

type Statement = Database.Statement

/** The purpose of a connection; one that only reads never waits for a writer. */
export type ConnectionUse = 'reading' | 'writing'

/** Whether the path still refers to the same file as at the start. */
export type IsInPlace = () => boolean

const statementsKept = 100

/** Set when a connection opens. FULL: an acknowledged commit survives a power failure. */
const settings: { readonly [use in ConnectionUse]: readonly string[] } = {
  writing: ['pragma journal_mode = wal', 'pragma synchronous = full', 'pragma foreign_keys = on'],
  reading: ['pragma query_only = on'],
}

/** A connection to a file. Statements that another process blocks wait until `giveUpAt`. */
export class SqliteConnection {
  readonly #path: string
  readonly #use: ConnectionUse
  readonly #isInPlace: IsInPlace
  #database: Database.Database | undefined
  readonly #statements = new Map<string, Statement>()

  constructor(path: string, use: ConnectionUse, isInPlace: IsInPlace) {
    this.#path = path
    this.#use = use
    this.#isInPlace = isInPlace
  }

  /** Opens the file, or checks that the open file is still the one at its path. */
  async open(giveUpAt: number): Promise<void> {
    // Writes to a removed file would be acknowledged and lost, and a new file in its place would look like
    // a database that has lost everything. This costs 3 us a statement or transaction.
    if (!this.#isInPlace()) throw new StoreUnavailable('The file is gone')
    if (this.#database !== undefined) return
    this.#database = new Database(this.#path, { timeout: 0 })
    try {
      for (const setting of settings[this.#use]) {
        await this.#patiently(() => this.#run(setting, []), giveUpAt)
      }
    } catch (failure) {
      this.#letGo()
      throw failure
    }
  }

  get inTransaction(): boolean {
    return this.#database?.inTransaction === true
  }

  async executeQuery<Row>(query: CompiledQuery, giveUpAt: number): Promise<QueryResult<Row>> {
    return this.#patiently(() => this.#run<Row>(query.sql, query.parameters), giveUpAt)
  }

  /** Moves all writes into the one file, unless another process still has it open. */
  close(): void {
    try {
      // If the file was removed, the log at its path may belong to a new file.
      if (this.#use === 'writing' && this.#isInPlace()) {
        this.#run('pragma wal_checkpoint(truncate)', [])
      }
    } catch {
      // Nothing is lost: the log next to the file is part of the database.
    }
    this.#letGo()
  }

  /**
   * Waits without SQLite's busy timeout, which would block this process and with it perhaps the very
   * transaction that is waited for.
   *
   * libsql resets a statement that was busy only when it runs again. Until then it would keep the
   * snapshot of every later read open, and with it no later write would succeed: the file is let go of.
   * So is one that cannot be written: SQLite would not notice when it can be again.
   */
  async #patiently<Value>(work: () => Value, giveUpAt: number): Promise<Value> {
    for (let delay = 1; ; delay = Math.min(delay * 2, 25)) {
      try {
        return work()
      } catch (failure) {
        const code = sqliteCode(failure)
        const isInVain = code === 'busy' ? performance.now() >= giveUpAt : code === 'readonly'
        if (isInVain) this.#letGo()
        if (isInVain || code !== 'busy') throw failure
      }
      await wait(delay)
    }
  }

  #run<Row>(sql: string, parameters: readonly unknown[]): QueryResult<Row> {
    const statement = this.#statement(sql)
    if (statement.reader) return { rows: statement.all(parameters.map(checkParameter)) as Row[] }
    const { changes } = statement.run(parameters.map(checkParameter))
    return { rows: [], numAffectedRows: BigInt(changes) }
  }

  #statement(sql: string): Statement {
    if (this.#database === undefined) throw new Error('The file is not open')
    const cached = this.#statements.get(sql)
    const statement = cached ?? this.#database.prepare(sql)
    this.#statements.delete(sql)
    this.#statements.set(sql, statement)
    const [oldest] = this.#statements.keys()
    if (oldest !== undefined && this.#statements.size > statementsKept) {
      this.#statements.delete(oldest)
    }
    return statement
  }

  #letGo(): void {
    this.#statements.clear()
    this.#database?.close()
    this.#database = undefined
  }
}

/** libsql ends the whole process for a parameter of any other type. */
function checkParameter(parameter: unknown): string | number | null {
  if (parameter === null || typeof parameter === 'string' || typeof parameter === 'number') {
    return parameter
  }
  throw new TypeError(`SQLite does not support parameters of type ${typeof parameter}`)
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
