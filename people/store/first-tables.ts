import { sql, type ColumnDefinitionBuilder, type Kysely, type Migration } from 'kysely'
import type { Engine } from './engine.js'

/** The tables of version 0.1. */
export function firstTables(engine: Engine): Migration {
  return {
    async up(db: Kysely<never>) {
      await createPersons(db, engine)
      await createFriendships(db)
      await createMessages(db, engine)
      await createCredentials(db, engine)
    },
  }
}

/** Never used again: without AUTOINCREMENT, SQLite gives the id of the last person, once removed, anew. */
function asId(engine: Engine): (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder {
  return engine.name === 'sqlite'
    ? (column) => column.primaryKey().autoIncrement()
    : (column) => column.primaryKey().generatedByDefaultAsIdentity()
}

const idType = (engine: Engine): 'integer' | 'bigint' =>
  engine.name === 'sqlite' ? 'integer' : 'bigint'

async function createPersons(db: Kysely<never>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('persons')
    .addColumn('id', idType(engine), asId(engine))
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
    // Deferred, so that a person can go first: that locks it against new friendships.
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

async function createMessages(db: Kysely<never>, engine: Engine): Promise<void> {
  await db.schema
    .createTable('messages')
    .addColumn('id', idType(engine), asId(engine))
    .addColumn('to_id', 'bigint', (column) => column.notNull())
    .addColumn('text', 'text', (column) => column.notNull())
    .addColumn('sent_at', 'text', (column) => column.notNull())
    .execute()
}

async function createCredentials(db: Kysely<never>, engine: Engine): Promise<void> {
  // Names are ordered alike on both databases, whatever the language of the server.
  const name = engine.name === 'sqlite' ? sql`text` : sql`text collate "C"`
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
