import { Migrator, sql, type ColumnDefinitionBuilder, type Kysely, type Migration } from 'kysely'
import type { Backend } from './backend.js'
import type { Tables } from './tables.js'

/** Migrates the tables to this version, on the one connection that may do so. */
export function migrate(one: Kysely<Tables>, backend: Backend): Promise<void> {
  return run(one, { '2026-08-01-first-tables': firstTables(backend) })
}

async function run(
  one: Kysely<Tables>,
  migrations: Readonly<Record<string, Migration>>,
): Promise<void> {
  const migrator = new Migrator({
    db: one,
    provider: { getMigrations: async () => ({ ...migrations }) },
  })
  const { error } = await migrator.migrateToLatest()
  if (error === undefined) return
  const unknown = await migrationsOfOthers(one, migrations).catch(() => [])
  if (unknown.length === 0) throw error
  throw new Error(
    `its tables were created by a newer version, with ${unknown.join(', ')}. ` +
      'Run that version, or use another database',
  )
}

/** The applied migrations that this version does not know. */
async function migrationsOfOthers(
  one: Kysely<Tables>,
  migrations: Readonly<Record<string, Migration>>,
): Promise<readonly string[]> {
  const done = await sql<{ readonly name: string }>`
    select name from kysely_migration order by name
  `.execute(one)
  return done.rows.map((row) => row.name).filter((name) => !Object.hasOwn(migrations, name))
}

/** The tables of version 0.1. */
function firstTables(backend: Backend): Migration {
  return {
    async up(db: Kysely<never>) {
      await createPersons(db, backend)
      await createFriendships(db)
      await createMessages(db, backend)
      await createCredentials(db, backend)
    },
  }
}

/** Ids are never reused: without AUTOINCREMENT, SQLite would reuse the id of the last person, once removed. */
function asId(backend: Backend): (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder {
  return backend.name === 'sqlite'
    ? (column) => column.primaryKey().autoIncrement()
    : (column) => column.primaryKey().generatedByDefaultAsIdentity()
}

const idType = (backend: Backend): 'integer' | 'bigint' =>
  backend.name === 'sqlite' ? 'integer' : 'bigint'

async function createPersons(db: Kysely<never>, backend: Backend): Promise<void> {
  await db.schema
    .createTable('persons')
    .addColumn('id', idType(backend), asId(backend))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('age', 'integer')
    .addColumn('email', 'text')
    .addColumn('version', 'integer', (column) => column.notNull().defaultTo(1))
    .execute()
  await db.schema
    .createTable('addresses')
    .addColumn('person_id', 'bigint', (column) => column.primaryKey())
    .addColumn('street', 'text')
    .addColumn('city', 'text')
    .addColumn('country', 'text')
    // Deferred, so that a person can be deleted first, which locks it against new friendships.
    .addForeignKeyConstraint('address_of', ['person_id'], 'persons', ['id'], (key) =>
      key.deferrable().initiallyDeferred(),
    )
    .execute()
}

async function createFriendships(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('friendships')
    .addColumn('person_id', 'bigint', (column) => column.notNull())
    .addColumn('friend_id', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('friendships_key', ['person_id', 'friend_id'])
    .addCheckConstraint('friend_of_another', sql`person_id <> friend_id`)
    .addForeignKeyConstraint('friendship_of', ['person_id'], 'persons', ['id'], (key) =>
      key.deferrable().initiallyDeferred(),
    )
    .addForeignKeyConstraint('friendship_with', ['friend_id'], 'persons', ['id'], (key) =>
      key.deferrable().initiallyDeferred(),
    )
    .execute()
  await db.schema
    .createIndex('friendships_by_friend')
    .on('friendships')
    .column('friend_id')
    .execute()
}

async function createMessages(db: Kysely<never>, backend: Backend): Promise<void> {
  await db.schema
    .createTable('messages')
    .addColumn('id', idType(backend), asId(backend))
    .addColumn('to_id', 'bigint', (column) => column.notNull())
    .addColumn('text', 'text', (column) => column.notNull())
    .addColumn('sent_at', 'text', (column) => column.notNull())
    .execute()
}

async function createCredentials(db: Kysely<never>, backend: Backend): Promise<void> {
  // Names have the same order on both databases, whatever the locale of the server.
  const name = backend.name === 'sqlite' ? sql`text` : sql`text collate "C"`
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
