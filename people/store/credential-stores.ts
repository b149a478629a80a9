import { failure, success } from 'graphwire'
import type { Kysely, Selectable } from 'kysely'

import type { Database } from './database.js'
import type {
  KeyRecord,
  KeyStore,
  LoginRecord,
  LoginStore,
  NewKey,
  NewLogin,
  Scope,
  Store,
} from './store.js'
import type { Tables } from './tables.js'

/** How many counts one statement writes; each takes three parameters. */
const countsAtOnce = 1_000

const columns = ['name', 'scopes', 'limit_per_minute', 'created_at', 'revoked_at'] as const

/** API keys and their usage. */
export function keyStore(database: Database): KeyStore {
  const { read, write, now } = database
  return {
    async create(key) {
      const row = await write((db) => insertKey(db, key, now()))
      return row === undefined ? failure('taken') : success(toKey(row))
    },
    async find(hash) {
      const row = await read((db) =>
        db.selectFrom('api_keys').select(columns).where('hash', '=', hash).executeTakeFirst(),
      )
      return row && toKey(row)
    },
    list: (day) => listKeys(database, day),
    async revoke(name) {
      const { numUpdatedRows } = await write((db) =>
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

/** Undefined if the name is taken. */
function insertKey(
  db: Kysely<Tables>,
  { name, hash, scopes, limit }: NewKey,
  now: Date,
): Promise<KeyRow | undefined> {
  return db
    .insertInto('api_keys')
    .values({
      name,
      hash,
      scopes: formatScopes(scopes),
      limit_per_minute: limit,
      created_at: now.toISOString(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning(columns)
    .executeTakeFirst()
}

async function listKeys(
  { read }: Database,
  day: string,
): Promise<readonly (KeyRecord & { readonly used: number })[]> {
  const rows = await read((db) =>
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

/** Who may log in. */
export function loginStore({ read, write, now }: Database): LoginStore {
  return {
    async create(login) {
      const row = await write((db) => insertLogin(db, login, now()))
      return row === undefined ? failure('taken') : success(toLogin(row))
    },
    async find(login) {
      const row = await read((db) =>
        db.selectFrom('logins').selectAll().where('login', '=', login).executeTakeFirst(),
      )
      return row && toLogin(row)
    },
    async list() {
      const rows = await read((db) =>
        db.selectFrom('logins').selectAll().orderBy('login').execute(),
      )
      return rows.map(toLogin)
    },
    async remove(login) {
      const { numDeletedRows } = await write((db) =>
        db.deleteFrom('logins').where('login', '=', login).executeTakeFirstOrThrow(),
      )
      return numDeletedRows > 0n
    },
  }
}

/** Undefined if the login is taken. */
function insertLogin(
  db: Kysely<Tables>,
  { login, passwordHash, scopes }: NewLogin,
  now: Date,
): Promise<LoginRow | undefined> {
  return db
    .insertInto('logins')
    .values({
      login,
      password_hash: passwordHash,
      scopes: formatScopes(scopes),
      created_at: now.toISOString(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

type LoginRow = Selectable<Tables['logins']>

function toLogin(row: LoginRow): LoginRecord {
  return {
    login: row.login,
    passwordHash: row.password_hash,
    scopes: toScopes(row.scopes),
    createdAt: row.created_at,
  }
}

/** Scopes as text for one column. */
function formatScopes(scopes: readonly Scope[]): string {
  return scopes.join(',')
}

function toScopes(text: string): readonly Scope[] {
  return text.split(',').filter((word): word is Scope => word === 'read' || word === 'write')
}

/** In one transaction; returns which of the two names were free. */
export function createBoth(
  { transact, now }: Database,
  key: NewKey,
  login: NewLogin,
): ReturnType<Store['createBoth']> {
  return transact(async (transaction) => ({
    key: (await insertKey(transaction, key, now())) !== undefined,
    login: (await insertLogin(transaction, login, now())) !== undefined,
  }))
}
