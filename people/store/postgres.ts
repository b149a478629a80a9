import { PostgresDialect, sql, type PostgresPool, type PostgresPoolClient } from 'kysely'
import { Pool, TypeOverrides, types, type PoolConfig } from 'pg'
import type { Backend } from './backend.js'
import { isTransient, toUnavailable } from './failures.js'
import { placeOf } from './database-url.js'
import { StoreUnavailable } from './store.js'

export function postgresBackend(url: string, poolSize: number): Backend {
  return {
    name: 'postgres',
    dialect: new PostgresDialect({ pool: openPool(url, poolSize, timeLimits) }),
    readingDialect: undefined,
    migratingDialect: new PostgresDialect({ pool: openPool(url, 1) }),
    // Writers that wait for locks must not take all connections.
    writers: { atOnce: Math.max(1, poolSize - 2), patience: connectionPatience },
    place: placeOf(url),
    keepPersons: sql`for key share of p`,
    nextPosition: sql`null`,
    among: (ids) => sql`= any(${ids}::bigint[])`,
    firstFriends: (ids, limit) => sql`
      select first.person_id, first.friend_id
      from unnest(${ids}::bigint[]) as asked (id)
      cross join lateral (
        select person_id, friend_id from friendships
        where person_id = asked.id order by friend_id limit ${limit}
      ) as first
    `,
    async tryLock(run, name) {
      const [row] = await run(sql<{ readonly locked: boolean }>`
        select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as locked
      `)
      return row?.locked === true
    },
    async lockUnused(run) {
      await run(sql`lock table persons in access exclusive mode`)
      const [row] = await run(sql<{ readonly untouched: boolean }>`
        select last_value = 1 and not is_called as untouched from persons_id_seq
      `)
      return row?.untouched === true
    },
    // Unlike setval, this is undone with the transaction.
    continueAfter: (run, id) =>
      run(sql`alter table persons alter column id restart with ${sql.lit(id + 1)}`),
  }
}

/**
 * How long a statement waits for a connection, and then for a lock. A lock on a row is waited for twice:
 * first for the turn among those who want the row, then for the transaction that holds it. Together that
 * is less than the ten seconds of a request, so that its response can still say why it waited.
 */
const connectionPatience = 3_000

/** How long a statement of a request may take. */
const timeLimits: PoolConfig = {
  statement_timeout: 10_000,
  // For a server that does not answer at all, and cannot end the statement itself.
  query_timeout: 12_000,
}

function openPool(url: string, poolSize: number, limits?: PoolConfig): PostgresPool {
  const overrides = new TypeOverrides()
  // No count exceeds Number.MAX_SAFE_INTEGER.
  overrides.setTypeParser(types.builtins.INT8, Number)
  const pool = new Pool({
    connectionString: url,
    max: poolSize,
    keepAlive: true,
    connectionTimeoutMillis: connectionPatience,
    lock_timeout: 3_000,
    idle_in_transaction_session_timeout: 15_000,
    application_name: 'graphwire-people',
    types: overrides,
    ...limits,
  })
  // The user of a broken connection gets the error; without a listener, it would also end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return dropBrokenClients(pool)
}

/**
 * A pool that reports when all its connections are in use, and drops connections that failed: after a
 * timeout, the next statement would wait for one whose result is no longer needed.
 */
export function dropBrokenClients(pool: Pool): PostgresPool {
  let inUse = 0
  return {
    async connect() {
      const client = await pool.connect().catch((failure: unknown) => {
        // The message of pg-pool for a full pool; it has no code. While the server does not respond,
        // connections that are still being opened fill the pool, too.
        const isLate = String(failure) === 'Error: timeout exceeded when trying to connect'
        if (!isLate || inUse < pool.options.max) throw failure
        const message = 'All connections to the database are in use'
        throw new StoreUnavailable(message, { cause: failure, reason: 'busy' })
      })
      inUse += 1
      let broken: Error | undefined
      const query = async (text: string, values: readonly unknown[]): Promise<unknown> => {
        // The rollback fails for the same reason, and must not hide the original error.
        if (broken !== undefined) throw broken
        try {
          return await client.query(text, [...values])
        } catch (failure) {
          if (toUnavailable(failure) !== failure && !isTransient(failure)) broken = failure as Error
          throw failure
        }
      }
      const release = (): void => {
        inUse -= 1
        client.release(broken)
      }
      return { query: query as PostgresPoolClient['query'], release }
    },
    end: () => pool.end(),
  }
}
