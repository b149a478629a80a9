import { sql, type ColumnType, type Kysely } from 'kysely'

/** API keys; only hashes of them are stored. */
export interface ApiKeysTable {
  readonly name: string
  readonly hash: string
  readonly scopes: string
  readonly limit_per_minute: number | null
  readonly created_at: string
  readonly revoked_at: ColumnType<string | null, undefined, string>
}

/** How often a key was used on a day. */
export interface KeyUsageTable {
  readonly key_name: string
  readonly day: string
  readonly used: number
}

export interface LoginsTable {
  readonly login: string
  readonly password_hash: string
  readonly scopes: string
  readonly created_at: string
}

/** Creates the tables of API keys, their usage, and logins. */
export async function createCredentials(
  db: Kysely<never>,
  backend: 'sqlite' | 'postgres',
): Promise<void> {
  // Names have the same order on both databases, whatever the locale of the server.
  const name = backend === 'sqlite' ? sql`text` : sql`text collate "C"`
  await db.schema
    .createTable('api_keys')
    .addColumn('name', name, (column) => column.primaryKey().notNull())
    .addColumn('hash', 'text', (column) => column.notNull().unique())
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('limit_per_minute', 'integer')
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('revoked_at', 'text')
    .execute()
  await db.schema
    .createTable('key_usage')
    .addColumn('key_name', name, (column) => column.notNull())
    .addColumn('day', 'text', (column) => column.notNull())
    .addColumn('used', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('key_usage_key', ['key_name', 'day'])
    .execute()
  await db.schema
    .createTable('logins')
    .addColumn('login', name, (column) => column.primaryKey().notNull())
    .addColumn('password_hash', 'text', (column) => column.notNull())
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .execute()
}
