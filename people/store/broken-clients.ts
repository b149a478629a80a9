import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { isTransient, isUnavailable } from './unavailable.js'

/**
 * A pool that does not take back a connection that failed. One whose answer did not come in time
 * would let the next statement wait behind the one that nobody waits for any more.
 */
export function dropBrokenClients(pool: Pool): PostgresPool {
  // Kysely knows its connections by identity.
  const known = new WeakMap<PoolClient, PostgresPoolClient>()
  return {
    async connect() {
      const client = await pool.connect()
      const wrapped = known.get(client) ?? wrap(client)
      known.set(client, wrapped)
      return wrapped
    },
    end: () => pool.end(),
  }
}

function wrap(client: PoolClient): PostgresPoolClient {
  let broken: Error | undefined
  const query = async (text: string, values: readonly unknown[]): Promise<unknown> => {
    // The rollback that follows fails like what made it necessary, and does not hide it.
    if (broken !== undefined) throw broken
    try {
      return await client.query(text, [...values])
    } catch (failure) {
      if (isUnavailable(failure) && !isTransient(failure)) broken = failure
      throw failure
    }
  }
  return {
    query: query as PostgresPoolClient['query'],
    release: () => client.release(broken),
  }
}
