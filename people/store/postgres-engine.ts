import { PostgresDialect, sql } from 'kysely'
import type { PostgresPool } from 'kysely'
import { Pool, types } from 'pg'
import type { Engine } from './engine.js'
import { dropBrokenClients } from './broken-clients.js'

/** A server, asked over a pool of connections. */
export function postgresEngine(url: string, poolSize: number): Engine {
  return {
    name: 'postgres',
    dialect: new PostgresDialect({ pool: openPool(url, poolSize) }),
    place: withoutPassword(url),
    locksRows: true,
    isAmong: (column, ids) => sql`${sql.ref(column)} = any(${ids}::bigint[])`,
    // The migrator of Kysely holds an advisory lock while it works.
    alone: (_one, work) => work(),
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
  const pool = new Pool({
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
  return dropBrokenClients(pool)
}

const bigint: number = types.builtins.INT8

/** No number here passes what a number of JavaScript holds. */
function getTypeParser(type: number, format: 'text' | 'binary' = 'text'): ParseValue {
  return type === bigint ? Number : types.getTypeParser(type, format)
}

type ParseValue = (value: string & Buffer) => unknown

/** The place of a URL in messages and logs. */
function withoutPassword(url: string): string {
  if (!URL.canParse(url)) return 'PostgreSQL'
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname}`
}
