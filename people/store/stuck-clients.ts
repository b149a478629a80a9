import type { PostgresPool, PostgresPoolClient } from 'kysely'
import type { Pool, PoolClient } from 'pg'

/**
 * A pool that does not take back a connection whose answer did not come in time: the next statement
 * on it would wait behind the one that nobody waits for any more.
 */
export function dropStuckClients(pool: Pool): PostgresPool {
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
  let stuck: Error | undefined
  const query = async (text: string, values: readonly unknown[]): Promise<unknown> => {
    if (stuck !== undefined) throw stuck
    try {
      return await client.query(text, [...values])
    } catch (failure) {
      if (failure instanceof Error && failure.message === 'Query read timeout') stuck = failure
      throw failure
    }
  }
  return {
    query: query as PostgresPoolClient['query'],
    release: () => client.release(stuck),
  }
}
