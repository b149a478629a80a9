import { resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import {
  CompiledQuery,
  sql,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
} from 'kysely'
import Database from 'libsql'
import type { Backend } from './backend.js'
import { sqliteCode } from './failures.js'
import { makeFile } from './sqlite-file.js'
import { StoreUnavailable } from './store.js'
import { createTurns, type Turn, type Turns } from './turns.js'

/** The embedded database: a file, or memory. */
export function sqliteBackend(database: string): Backend {
  // libsql treats some relative names as addresses of servers.
  const path = database === ':memory:' ? database : resolve(database)
  const isInPlace = path === ':memory:' ? () => true : makeFile(path)
  return {
    name: 'sqlite',
    dialect: sqliteDialect(path, 'writing', isInPlace),
    // A database in memory has one connection, and no other process uses it.
    readingDialect: path === ':memory:' ? undefined : sqliteDialect(path, 'reading', isInPlace),
    writers: undefined,
    place: path,
    keepPersons: sql``,
    nextPosition: sql`(select position + 1 from change_clock)`,
    among: (ids) => sql`in (select value from json_each(${JSON.stringify(ids)}))`,
    // Without LATERAL, the last friend of each is found first. A cross join keeps its order.
    firstFriends: (ids, limit) => sql`
      select friendships.person_id, friendships.friend_id
      from json_each(${JSON.stringify(ids)}) as asked
      cross join friendships on friendships.person_id = asked.value
        and friendships.friend_id <= ifnull(
          (
            select friend_id from friendships as earlier
            where earlier.person_id = asked.value order by friend_id limit 1 offset ${limit - 1}
          ),
          ${Number.MAX_SAFE_INTEGER}
        )
    `,
    async alone(one, work) {
      await sql`begin immediate`.execute(one)
      try {
        const value = await work()
        await sql`commit`.execute(one)
        return value
      } catch (failure) {
        // A full disk has ended the transaction already.
        await sql`rollback`.execute(one).catch(() => {})
        throw failure
      }
    },
    tryLock: async () => true,
    async lockUnused(run) {
      const used = await run(sql`select 1 from sqlite_sequence where name = 'persons'`)
      return used.length === 0
    },
    // AUTOINCREMENT does so automatically.
    continueAfter: async () => {},
  }
}

/** The purpose of a connection; one that only reads never waits for a writer. */
type ConnectionUse = 'reading' | 'writing'

/** Whether the path still refers to the same file as at the start. */
export type IsInPlace = () => boolean

/** Kysely on libsql: one connection, which one transaction or statement has at a time. */
export function sqliteDialect(
  path: string,
  use: ConnectionUse,
  isInPlace: IsInPlace,
  patience = usualPatience,
): Dialect {
  return {
    createDriver: () => new SqliteDriver(path, use, isInPlace, patience),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
  }
}

/** How long a statement waits for others, as SQLite's own busy timeout would. */
const usualPatience = 5_000

/** Set when a connection opens. FULL: an acknowledged commit survives a power failure. */
const settings: { readonly [use in ConnectionUse]: readonly string[] } = {
  writing: ['pragma journal_mode = wal', 'pragma synchronous = full', 'pragma foreign_keys = on'],
  reading: ['pragma query_only = on'],
}

/**
 * The one connection to a file, and its current user. Statements that another process blocks wait until the turn gives up.
 */
class SqliteDriver implements Driver, DatabaseConnection {
  readonly #path: string
  readonly #use: ConnectionUse
  readonly #isInPlace: IsInPlace
  readonly #turns: Turns
  #turn: Turn | undefined
  #isDestroyed = false
  #database: Database.Database | undefined
  readonly #statements = new Map<string, Database.Statement>()

  constructor(path: string, use: ConnectionUse, isInPlace: IsInPlace, patience: number) {
    this.#path = path
    this.#use = use
    this.#isInPlace = isInPlace
    this.#turns = createTurns({ atOnce: 1, patience })
  }

  /** It is opened when it is first asked for. */
  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    const turn = await this.#turns.take()
    try {
      if (this.#isDestroyed) throw new Error('driver has already been destroyed')
      await this.#open(turn.giveUpAt)
      this.#turn = turn
      return this
    } catch (failure) {
      turn.end()
      throw failure
    }
  }

  // A transaction that began to read before it writes may find its snapshot too old to write.
  async beginTransaction(): Promise<void> {
    await this.executeQuery(CompiledQuery.raw('begin immediate'))
  }

  async commitTransaction(): Promise<void> {
    await this.executeQuery(CompiledQuery.raw('commit'))
  }

  /** A full disk has ended the transaction already. */
  async rollbackTransaction(): Promise<void> {
    if (this.#database?.inTransaction) await this.executeQuery(CompiledQuery.raw('rollback'))
  }

  async releaseConnection(): Promise<void> {
    this.#turn?.end()
  }

  /** Without a turn: the store waits for all running work before it closes. Moves all writes into the one file, unless another process still has it open. */
  async destroy(): Promise<void> {
    this.#isDestroyed = true
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

  executeQuery<Row>({ sql: text, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#patiently(() => this.#run<Row>(text, parameters), this.#turn?.giveUpAt ?? 0)
  }

  // oxlint-disable-next-line require-yield -- a driver must have it, and nothing here streams
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Streaming is not supported')
  }

  /** Opens the file, or checks that the open file is still the one at its path. */
  async #open(giveUpAt: number): Promise<void> {
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

  /**
   * Waits without SQLite's busy timeout, which would block this process and perhaps the transaction that it waits for.
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

  #run<Row>(text: string, parameters: readonly unknown[]): QueryResult<Row> {
    const statement = this.#statement(text)
    if (statement.reader) return { rows: statement.all(parameters.map(checkParameter)) as Row[] }
    const { changes } = statement.run(parameters.map(checkParameter))
    return { rows: [], numAffectedRows: BigInt(changes) }
  }

  /** Kept, since there are few statements: values are parameters. */
  #statement(text: string): Database.Statement {
    if (this.#database === undefined) throw new Error('The file is not open')
    const statement = this.#statements.get(text) ?? this.#database.prepare(text)
    this.#statements.set(text, statement)
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
