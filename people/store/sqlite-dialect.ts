import {
  CompiledQuery,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type Dialect,
  type Driver,
  type Kysely,
} from 'kysely'
import { SqliteConnection } from './sqlite-connection.js'

/** Kysely on libsql: one connection, which one transaction or statement has at a time. */
export function sqliteDialect(path: string): Dialect {
  return {
    createDriver: () => new SqliteDriver(path),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new SqliteAdapter(),
    createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
  }
}

class SqliteDriver implements Driver {
  readonly #path: string
  #connection: SqliteConnection | undefined
  #isTaken = false
  readonly #waiting: (() => void)[] = []

  constructor(path: string) {
    this.#path = path
  }

  async init(): Promise<void> {
    const connection = new SqliteConnection(this.#path)
    await connection.configure().catch((failure: unknown) => {
      connection.close()
      throw failure
    })
    this.#connection = connection
  }

  async acquireConnection(): Promise<SqliteConnection> {
    if (this.#isTaken) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    this.#isTaken = true
    if (this.#connection !== undefined) return this.#connection
    await this.releaseConnection()
    throw new Error('driver has already been destroyed')
  }

  // A transaction that began to read before it writes may find its snapshot too old to write.
  async beginTransaction(connection: SqliteConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin immediate'))
  }

  async commitTransaction(connection: SqliteConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('commit'))
  }

  /** A full disk has ended the transaction already. */
  async rollbackTransaction(connection: SqliteConnection): Promise<void> {
    if (connection.inTransaction) await connection.executeQuery(CompiledQuery.raw('rollback'))
  }

  async releaseConnection(): Promise<void> {
    const next = this.#waiting.shift()
    if (next === undefined) this.#isTaken = false
    else next()
  }

  async destroy(): Promise<void> {
    const connection = await this.acquireConnection()
    this.#connection = undefined
    connection.close()
    await this.releaseConnection()
  }
}
