import { setTimeout as wait } from 'node:timers/promises'
import Database from 'libsql'
import { sqliteCode } from './sqlite-code.js'
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely'

type Statement = Database.Statement

/** How long a statement waits for another process, as SQLite's own busy timeout would. */
const patience = 5_000
const statementsKept = 100

/** What a connection is told first. FULL: a commit that was acknowledged survives a loss of power. */
const settings = [
  'pragma journal_mode = wal',
  'pragma synchronous = full',
  'pragma foreign_keys = on',
]

/** The one connection to a file. */
export class SqliteConnection implements DatabaseConnection {
  readonly #path: string
  #database: Database.Database
  readonly #statements = new Map<string, Statement>()

  constructor(path: string) {
    this.#path = path
    this.#database = new Database(path, { timeout: 0 })
  }

  async configure(): Promise<void> {
    for (const setting of settings) await this.#patiently(() => this.#run(setting, []))
  }

  get inTransaction(): boolean {
    return this.#database.inTransaction
  }

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#patiently(() => this.#run<Row>(query.sql, query.parameters))
  }

  // oxlint-disable-next-line require-yield
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('No statement here is streamed')
  }

  /** Leaves all that was written in the one file, unless another process still has it open. */
  close(): void {
    try {
      this.#run('pragma wal_checkpoint(truncate)', [])
    } catch {
      // Nothing is lost: the log beside the file belongs to the database.
    }
    this.#letGo()
  }

  #letGo(): void {
    this.#statements.clear()
    this.#database.close()
  }

  /**
   * Waits without SQLite's busy timeout, which would block this process and with it perhaps the very
   * transaction that is waited for.
   */
  async #patiently<Value>(work: () => Value): Promise<Value> {
    const giveUpAt = performance.now() + patience
    for (let delay = 1; ; delay = Math.min(delay * 2, 25)) {
      try {
        return work()
      } catch (failure) {
        if (sqliteCode(failure) !== 'busy') throw failure
        if (performance.now() >= giveUpAt) {
          this.#reopen()
          throw failure
        }
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
    const known = this.#statements.get(sql)
    const statement = known ?? this.#database.prepare(sql)
    this.#statements.delete(sql)
    this.#statements.set(sql, statement)
    const [oldest] = this.#statements.keys()
    if (oldest !== undefined && this.#statements.size > statementsKept) {
      this.#statements.delete(oldest)
    }
    return statement
  }

  /**
   * libsql resets a statement that was busy only when it runs again. Until then it would keep the
   * snapshot of every later read open, and with it no later write would succeed.
   */
  #reopen(): void {
    this.#letGo()
    this.#database = new Database(this.#path, { timeout: 0 })
    for (const setting of settings.slice(1)) this.#run(setting, [])
  }
}

/** libsql ends the whole process where a parameter is of any other type. */
function checkParameter(parameter: unknown): string | number | null {
  if (parameter === null || typeof parameter === 'string' || typeof parameter === 'number') {
    return parameter
  }
  throw new TypeError(`SQLite takes no parameter of type ${typeof parameter}`)
}
