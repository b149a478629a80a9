import { PostgresDialect, sql } from 'kysely'
import type { PostgresPool } from 'kysely'
import pg from 'pg'
import type { Engine } from './engine.js'
import { dropStuckClients } from './stuck-clients.js'

// Two stores that open the same database at the same moment meet at this lock.
const migrationLock = 6_120_230_341

/** A server, asked over a pool of connections. */
export function postgresEngine(url: string, poolSize: number): Engine {
  return {
    name: 'postgres',
    dialect: new PostgresDialect({ pool: openPool(url, poolSize) }),
    place: withoutPassword(url),
    locksRows: true,
    isAmong: (column, ids) => sql`${sql.ref(column)} = any(${ids}::bigint[])`,
    async alone(one, work) {
      await sql`set statement_timeout = 0`.execute(one)
      await sql`select pg_advisory_lock(${sql.lit(migrationLock)})`.execute(one)
      try {
        return await work()
      } finally {
        await sql`select pg_advisory_unlock(${sql.lit(migrationLock)})`.execute(one)
        await sql`reset statement_timeout`.execute(one)
      }
    },
    async lockUnused(transaction) {
      await sql`lock table persons in access exclusive mode`.execute(transaction)
      const { rows } = await sql<{ readonly untouched: boolean }>`
        select last_value = 1 and not is_called as untouched from persons_id_seq
      `.execute(transaction)
      return rows[0]?.untouched === true
    },
    // Unlike setval, this is undone with the transaction.
    async continueAfter(transaction, id) {
      await sql`alter table persons alter column id restart with ${sql.lit(id + 1)}`.execute(
        transaction,
      )
    },
  }
}

function openPool(url: string, poolSize: number): PostgresPool {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    keepAlive: true,
    connectionTimeoutMillis: 3_000,
    statement_timeout: 10_000,
    // For a server that does not answer at all, and so cannot end the statement either.
    query_timeout: 12_000,
    idle_in_transaction_session_timeout: 15_000,
    application_name: 'graphwire-people',
    types: { getTypeParser },
  })
  // A connection that breaks is told to who uses it; without listeners it would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return dropStuckClients(pool)
}

/** No number here passes what a number of JavaScript holds. */
const getTypeParser: typeof pg.types.getTypeParser = (
  type: number,
  format?: 'text' | 'binary',
): ((value: never) => unknown) => {
  if (type === pg.types.builtins.INT8) return Number
  return pg.types.getTypeParser(type, format as 'text')
}

/** The place of a URL in messages and logs. */
function withoutPassword(url: string): string {
  if (!URL.canParse(url)) return 'PostgreSQL'
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname}`
}
