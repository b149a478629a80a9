import { resolve } from 'node:path'
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
import type { Backend } from './backend.js'
import { SqliteConnection, type ConnectionUse, type IsInPlace } from './sqlite-connection.js'
import { makeFile } from './sqlite-file.js'
import { createTurns, type Turn } from './turns.js'

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
    locksRows: false,
    nextPosition: sql`(select position + 1 from change_clock)`,
    isAmong: (column, ids) =>
      sql`${sql.ref(column)} in (select value from json_each(${JSON.stringify(ids)}))`,
    // Without LATERAL, the last friend of each is found first. A cross join keeps its order.
    firstFriends: (ids, limit) => sql`(
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
    )`,
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
    async lockUnused(transaction) {
      const used = await sql`select 1 from sqlite_sequence where name = 'persons'`.execute(
        transaction,
      )
      return used.rows.length === 0
    },
    // AUTOINCREMENT does so automatically.
    continueAfter: async () => {},
  }
}

/** How long a statement waits for others, as SQLite's own busy timeout would. */
const patience = 5_000

/** Kysely on libsql: one connection, which one transaction or statement has at a time. */
function sqliteDialect(path: string, use: ConnectionUse, isInPlace: IsInPlace): Dialect {
  return {
    createDriver: () => new SqliteDriver(new SqliteConnection(path, use, isInPlace)),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
  }
}

/** The connection, for the duration of one turn. */
class SqliteTurn implements DatabaseConnection {
  readonly #connection: SqliteConnection
  readonly #turn: Turn

  constructor(connection: SqliteConnection, turn: Turn) {
    this.#connection = connection
    this.#turn = turn
  }

  get inTransaction(): boolean {
    return this.#connection.inTransaction
  }

  executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    return this.#connection.executeQuery<Row>(query, this.#turn.giveUpAt)
  }

  // oxlint-disable-next-line require-yield -- a driver must have it, and nothing here streams
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Streaming is not supported')
  }

  end(): void {
    this.#turn.end()
  }
}

class SqliteDriver implements Driver {
  readonly #connection: SqliteConnection
  readonly #turns = createTurns({ atOnce: 1, patience })
  #isDestroyed = false

  constructor(connection: SqliteConnection) {
    this.#connection = connection
  }

  async init(): Promise<void> {
    await this.#connection.open(performance.now() + patience)
  }

  async acquireConnection(): Promise<SqliteTurn> {
    const turn = await this.#turns.take()
    try {
      if (this.#isDestroyed) throw new Error('driver has already been destroyed')
      await this.#connection.open(turn.giveUpAt)
      return new SqliteTurn(this.#connection, turn)
    } catch (failure) {
      turn.end()
      throw failure
    }
  }

  // A transaction that began to read before it writes may find its snapshot too old to write.
  async beginTransaction(connection: SqliteTurn): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }

  async commitTransaction(connection: SqliteTurn): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'))
  }

  /** A full disk has ended the transaction already. */
  async rollbackTransaction(connection: SqliteTurn): Promise<void> {
    if (connection.inTransaction) await connection.executeQuery(CompiledQuery.raw('rollback'))
  }

  async releaseConnection(connection: SqliteTurn): Promise<void> {
    connection.end()
  }

  /** Without a turn: the store waits for all running work before it closes. */
  async destroy(): Promise<void> {
    this.#isDestroyed = true
    this.#connection.close()
  }
}
