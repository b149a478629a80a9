import { sql } from 'kysely'
import type { Run } from './backend.js'
import type { Database } from './database.js'
import type {
  KeyRecord,
  KeyStore,
  LoginRecord,
  LoginStore,
  NewKey,
  NewLogin,
  Store,
} from './store.js'

const keyColumns = sql`name, scopes, limit_per_minute as "limit", created_at as "createdAt", revoked_at as "revokedAt"`
const loginColumns = sql`login, password_hash as "passwordHash", scopes, created_at as "createdAt"`

/** A row whose scopes are text in one column. */
type Row<Of> = Omit<Of, 'scopes'> & { readonly scopes: string }

function withScopes<Of extends object>(row: Row<Of>): Of {
  return { ...row, scopes: row.scopes.split(',').filter(Boolean) } as unknown as Of
}

/** API keys and their usage. */
export function keyStore({ read, write, transact, now }: Database): KeyStore {
  return {
    create: (key) => insertKey(write, key, now()),
    async find(hash) {
      const [row] = await read(sql<Row<KeyRecord>>`
        select ${keyColumns} from api_keys where hash = ${hash}
      `)
      return row && withScopes<KeyRecord>(row)
    },
    async list(day) {
      const rows = await read(sql<Row<KeyRecord & { readonly used: number }>>`
        select ${keyColumns}, coalesce(used, 0) as used from api_keys
        left join key_usage on key_name = name and day = ${day} order by name
      `)
      return rows.map((row) => withScopes(row))
    },
    async revoke(name) {
      const revoked = await write(sql`
        update api_keys set revoked_at = ${now().toISOString()}
        where name = ${name} and revoked_at is null returning name
      `)
      return revoked.length > 0
    },
    async addUsage(day, counts) {
      // In one order everywhere, so that two instances that write their counts do not deadlock.
      const rows = [...counts].toSorted(([one], [other]) => (one < other ? -1 : 1))
      await transact(async (run) => {
        for (const [name, used] of rows) {
          await run(sql`
            insert into key_usage (key_name, day, used) values (${name}, ${day}, ${used})
            on conflict (key_name, day) do update set used = key_usage.used + excluded.used
          `)
        }
      })
    },
  }
}

/** Who may log in. */
export function loginStore({ read, write, now }: Database): LoginStore {
  return {
    create: (login) => insertLogin(write, login, now()),
    async find(login) {
      const [row] = await read(sql<Row<LoginRecord>>`
        select ${loginColumns} from logins where login = ${login}
      `)
      return row && withScopes<LoginRecord>(row)
    },
    async list() {
      const rows = await read(
        sql<Row<LoginRecord>>`select ${loginColumns} from logins order by login`,
      )
      return rows.map((row) => withScopes<LoginRecord>(row))
    },
    async remove(login) {
      const removed = await write(sql`delete from logins where login = ${login} returning login`)
      return removed.length > 0
    },
  }
}

/** False if the name is taken. */
async function insertKey(
  run: Run,
  { name, hash, scopes, limit }: NewKey,
  now: Date,
): Promise<boolean> {
  const rows = await run(sql`
    insert into api_keys (name, hash, scopes, limit_per_minute, created_at)
    values (${name}, ${hash}, ${scopes.join(',')}, ${limit}, ${now.toISOString()})
    on conflict do nothing returning name
  `)
  return rows.length > 0
}

/** False if the login is taken. */
async function insertLogin(
  run: Run,
  { login, passwordHash, scopes }: NewLogin,
  now: Date,
): Promise<boolean> {
  const rows = await run(sql`
    insert into logins (login, password_hash, scopes, created_at)
    values (${login}, ${passwordHash}, ${scopes.join(',')}, ${now.toISOString()})
    on conflict do nothing returning login
  `)
  return rows.length > 0
}

/** In one transaction; returns which of the two names were free. */
export function createBoth(
  { transact, now }: Database,
  key: NewKey,
  login: NewLogin,
): ReturnType<Store['createBoth']> {
  return transact(async (run) => ({
    key: await insertKey(run, key, now()),
    login: await insertLogin(run, login, now()),
  }))
}
