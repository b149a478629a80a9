import { failure, success } from 'graphwire'
import type { Selectable } from 'kysely'
import type { Database } from './database.js'
import { formatScopes, toScopes } from './scopes.js'
import type { KeyRecord, KeyStore } from './store.js'
import type { Tables } from './tables.js'

/** How many counts one statement writes; each takes three parameters. */
const countsAtOnce = 1_000

const columns = ['name', 'scopes', 'limit_per_minute', 'created_at', 'revoked_at'] as const

/** API keys and how much they were used. */
export function keyStore(database: Database): KeyStore {
  const { ask, now } = database
  return {
    async create({ name, hash, scopes, limit }) {
      const row = await ask((db) =>
        db
          .insertInto('api_keys')
          .values({
            name,
            hash,
            scopes: formatScopes(scopes),
            limit_per_minute: limit,
            created_at: now().toISOString(),
          })
          .onConflict((conflict) => conflict.doNothing())
          .returning(columns)
          .executeTakeFirst(),
      )
      return row === undefined ? failure('taken') : success(toKey(row))
    },
    async find(hash) {
      const row = await ask((db) =>
        db.selectFrom('api_keys').select(columns).where('hash', '=', hash).executeTakeFirst(),
      )
      return row && toKey(row)
    },
    list: (day) => listKeys(database, day),
    async revoke(name) {
      const { numUpdatedRows } = await ask((db) =>
        db
          .updateTable('api_keys')
          .set({ revoked_at: now().toISOString() })
          .where('name', '=', name)
          .where('revoked_at', 'is', null)
          .executeTakeFirstOrThrow(),
      )
      return numUpdatedRows > 0n
    },
    addUsage: (day, counts) => addUsage(database, day, counts),
  }
}

async function listKeys(
  { ask }: Database,
  day: string,
): Promise<readonly (KeyRecord & { readonly used: number })[]> {
  const rows = await ask((db) =>
    db
      .selectFrom('api_keys')
      .leftJoin('key_usage', (join) =>
        join.onRef('key_usage.key_name', '=', 'api_keys.name').on('key_usage.day', '=', day),
      )
      .select([...columns, 'key_usage.used'])
      .orderBy('name')
      .execute(),
  )
  return rows.map((row) => Object.assign(toKey(row), { used: row.used ?? 0 }))
}

async function addUsage(
  { transact }: Database,
  day: string,
  counts: ReadonlyMap<string, number>,
): Promise<void> {
  // In one order everywhere, so that two instances that write their counts do not deadlock.
  const rows = [...counts]
    .map(([name, used]) => ({ key_name: name, day, used }))
    .toSorted((one, other) => (one.key_name < other.key_name ? -1 : 1))
  if (rows.length === 0) return
  await transact(async (transaction) => {
    for (let start = 0; start < rows.length; start += countsAtOnce) {
      await transaction
        .insertInto('key_usage')
        .values(rows.slice(start, start + countsAtOnce))
        .onConflict((conflict) =>
          conflict.columns(['key_name', 'day']).doUpdateSet((build) => ({
            used: build('key_usage.used', '+', build.ref('excluded.used')),
          })),
        )
        .execute()
    }
  })
}

type KeyRow = Omit<Selectable<Tables['api_keys']>, 'hash'>

function toKey(row: KeyRow): KeyRecord {
  return {
    name: row.name,
    scopes: toScopes(row.scopes),
    limit: row.limit_per_minute,
    createdAt: row.created_at,
    revokedAt: row.revoked_at,
  }
}
