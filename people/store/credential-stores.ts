import { failure, success } from 'graphwire'
import type { Kysely } from 'kysely'
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

const keyColumns = [
  'name',
  'scopes',
  'limit_per_minute as limit',
  'created_at as createdAt',
  'revoked_at as revokedAt',
] as const

const loginColumns = [
  'login',
  'password_hash as passwordHash',
  'scopes',
  'created_at as createdAt',
] as const

/** A row whose scopes are text in one column. */
type Row<Of> = Omit<Of, 'scopes'> & { readonly scopes: string }

function withScopes<Of extends object>(row: Row<Of>): Of {
  const words = row.scopes.split(',')
  const scopes = words.filter((word): word is Scope => word === 'read' || word === 'write')
  return { ...row, scopes } as unknown as Of
}

/** API keys and their usage. */
export function keyStore({ read, write, transact, now }: Database): KeyStore {
  return {
    async create(key) {
      const row = await write((db) => insertKey(db, key, now()))
      return row === undefined ? failure('taken') : success(withScopes(row))
    },
    async find(hash) {
      const row = await read((db) =>
        db.selectFrom('api_keys').select(keyColumns).where('hash', '=', hash).executeTakeFirst(),
      )
      return row && withScopes<KeyRecord>(row)
    },
    async list(day) {
      const rows = await read((db) =>
        db
          .selectFrom('api_keys')
          .leftJoin('key_usage', (join) =>
            join.onRef('key_usage.key_name', '=', 'api_keys.name').on('key_usage.day', '=', day),
          )
          .select([...keyColumns, 'key_usage.used'])
          .orderBy('name')
          .execute(),
      )
      return rows.map((row) => Object.assign(withScopes<KeyRecord>(row), { used: row.used ?? 0 }))
    },
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
    async addUsage(day, counts) {
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
    },
  }
}

/** Who may log in. */
export function loginStore({ read, write, now }: Database): LoginStore {
  return {
    async create(login) {
      const row = await write((db) => insertLogin(db, login, now()))
      return row === undefined ? failure('taken') : success(withScopes(row))
    },
    async find(login) {
      const row = await read((db) =>
        db.selectFrom('logins').select(loginColumns).where('login', '=', login).executeTakeFirst(),
      )
      return row && withScopes<LoginRecord>(row)
    },
    async list() {
      const rows = await read((db) =>
        db.selectFrom('logins').select(loginColumns).orderBy('login').execute(),
      )
      return rows.map((row) => withScopes<LoginRecord>(row))
    },
    async remove(login) {
      const { numDeletedRows } = await write((db) =>
        db.deleteFrom('logins').where('login', '=', login).executeTakeFirstOrThrow(),
      )
      return numDeletedRows > 0n
    },
  }
}

/** Undefined if the name is taken. */
function insertKey(
  db: Kysely<Tables>,
  { name, hash, scopes, limit }: NewKey,
  now: Date,
): Promise<Row<KeyRecord> | undefined> {
  const row = { name, hash, scopes: scopes.join(','), limit_per_minute: limit }
  return db
    .insertInto('api_keys')
    .values({ ...row, created_at: now.toISOString() })
    .onConflict((conflict) => conflict.doNothing())
    .returning(keyColumns)
    .executeTakeFirst()
}

/** Undefined if the login is taken. */
function insertLogin(
  db: Kysely<Tables>,
  { login, passwordHash, scopes }: NewLogin,
  now: Date,
): Promise<Row<LoginRecord> | undefined> {
  const row = { login, password_hash: passwordHash, scopes: scopes.join(',') }
  return db
    .insertInto('logins')
    .values({ ...row, created_at: now.toISOString() })
    .onConflict((conflict) => conflict.doNothing())
    .returning(loginColumns)
    .executeTakeFirst()
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
