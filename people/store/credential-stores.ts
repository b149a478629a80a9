import { sql } from 'kysely'
import type { Database } from './database.js'

export type Scope = 'read' | 'write'

/** An API key as it is stored, without the key itself. */
export interface KeyRecord {
  readonly name: string
  readonly scopes: readonly Scope[]
  /** Root fields per minute; null means the limit of the service. */
  readonly limit: number | null
  readonly createdAt: string
  readonly revokedAt: string | null
}

type NewKey = Pick<KeyRecord, 'name' | 'scopes' | 'limit'> & { readonly hash: string }

export interface LoginRecord {
  readonly login: string
  /** Made by the access layer; opaque here. */
  readonly passwordHash: string
  readonly scopes: readonly Scope[]
  readonly createdAt: string
}

type NewLogin = Omit<LoginRecord, 'createdAt'>

const keyColumns = sql`name, scopes, limit_per_minute as "limit", created_at as "createdAt", revoked_at as "revokedAt"`
const loginColumns = sql`login, password_hash as "passwordHash", scopes, created_at as "createdAt"`

/** A row whose scopes are text in one column. */
type Row<Of> = Omit<Of, 'scopes'> & { readonly scopes: string }

function withScopes<Of extends object>(row: Row<Of>): Of {
  return { ...row, scopes: row.scopes.split(',').filter(Boolean) } as unknown as Of
}

export type KeyStore = ReturnType<typeof keyStore>

export function keyStore({ read, write, transact, now }: Database) {
  return {
    /** False if the name is taken. */
    async create({ name, hash, scopes, limit }: NewKey): Promise<boolean> {
      const rows = await write(sql`
        insert into api_keys (name, hash, scopes, limit_per_minute, created_at)
        values (${name}, ${hash}, ${scopes.join(',')}, ${limit}, ${now().toISOString()})
        on conflict do nothing returning name
      `)
      return rows.length > 0
    },
    /** The key of a hash, revoked ones too. */
    async find(hash: string) {
      const [row] = await read(sql<Row<KeyRecord>>`
        select ${keyColumns} from api_keys where hash = ${hash}
      `)
      return row && withScopes<KeyRecord>(row)
    },
    /** All keys by name, with what was counted on the day (YYYY-MM-DD, UTC). */
    async list(day: string) {
      const rows = await read(sql<Row<KeyRecord & { readonly used: number }>>`
        select ${keyColumns}, coalesce(used, 0) as used from api_keys
        left join key_usage on key_name = name and day = ${day} order by name
      `)
      return rows.map((row) => withScopes(row))
    },
    /** False if no valid key has the name. */
    async revoke(name: string): Promise<boolean> {
      const revoked = await write(sql`
        update api_keys set revoked_at = ${now().toISOString()}
        where name = ${name} and revoked_at is null returning name
      `)
      return revoked.length > 0
    },
    async addUsage(day: string, counts: ReadonlyMap<string, number>): Promise<void> {
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

export type LoginStore = ReturnType<typeof loginStore>

export function loginStore({ read, write, now }: Database) {
  return {
    /** False if it is taken. */
    async create({ login, passwordHash, scopes }: NewLogin): Promise<boolean> {
      const rows = await write(sql`
        insert into logins (login, password_hash, scopes, created_at)
        values (${login}, ${passwordHash}, ${scopes.join(',')}, ${now().toISOString()})
        on conflict do nothing returning login
      `)
      return rows.length > 0
    },
    async find(login: string) {
      const [row] = await read(sql<Row<LoginRecord>>`
        select ${loginColumns} from logins where login = ${login}
      `)
      return row && withScopes<LoginRecord>(row)
    },
    async list() {
      const all = sql<Row<LoginRecord>>`select ${loginColumns} from logins order by login`
      return (await read(all)).map((row) => withScopes<LoginRecord>(row))
    },
    async remove(login: string): Promise<boolean> {
      const removed = await write(sql`delete from logins where login = ${login} returning login`)
      return removed.length > 0
    },
  }
}

/** Creates a key and a login in one transaction; returns which of the two names were free. */
export function createBoth(database: Database, key: NewKey, login: NewLogin) {
  return database.transact(async (write) => ({
    key: await keyStore({ ...database, write }).create(key),
    login: await loginStore({ ...database, write }).create(login),
  }))
}
