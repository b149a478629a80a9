import {
  Migrator,
  sql,
  type ColumnType,
  type Generated,
  type ColumnDefinitionBuilder,
  type Kysely,
  type Migration,
} from 'kysely'
import {
  createRequestTables,
  indexKeys,
  type AuditTable,
  type IdempotencyKeysTable,
} from './request-tables.js'
import {
  createCredentials,
  type ApiKeysTable,
  type KeyUsageTable,
  type LoginsTable,
} from './credential-tables.js'

/** The tables of both databases. */
export interface Tables {
  readonly persons: PersonsTable
  readonly addresses: AddressesTable
  readonly friendships: FriendshipsTable
  readonly messages: MessagesTable
  readonly changes: ChangesTable
  readonly change_clock: ChangeClockTable
  readonly api_keys: ApiKeysTable
  readonly key_usage: KeyUsageTable
  readonly logins: LoginsTable
  readonly idempotency_keys: IdempotencyKeysTable
  readonly audit: AuditTable
}

interface PersonsTable {
  readonly id: Generated<number>
  readonly name: string
  readonly age: number | null
  readonly email: string | null
  readonly version: Generated<number>
}

interface AddressesTable {
  readonly person_id: number
  readonly street: string | null
  readonly city: string | null
  readonly country: string | null
}

/** A friendship is two rows, one for each side. */
interface FriendshipsTable {
  readonly person_id: number
  readonly friend_id: number
}

/** No foreign key: messages stay when a person is deleted. */
interface MessagesTable {
  readonly id: Generated<number>
  readonly to_id: number
  readonly text: string
  readonly sent_at: string
}

interface ChangesTable {
  readonly id: Generated<number>
  /** Null until it is given, behind those of all changes that were committed before. */
  readonly position: number | null
  readonly kind: string
  readonly person_id: number
  /** JSON; null when the person has been removed. */
  readonly body: ColumnType<string | null, string | null, null>
  readonly changed_at: string
}

/** One row with the position of the last change. */
interface ChangeClockTable {
  readonly position: number
}

/** The databases that the tables can be in. */
export type BackendName = 'sqlite' | 'postgres'

/** Migrates the tables to this version, on the one connection that may do so. */
export function migrate(one: Kysely<Tables>, backend: BackendName): Promise<void> {
  return run(one, {
    '2026-08-01-first-tables': firstTables(backend),
    '2026-11-22-changes': { up: (db: Kysely<never>) => createChanges(db, backend) },
    '2026-11-22-idempotency-and-audit': {
      up: (db: Kysely<never>) => createRequestTables(db, backend),
    },
    '2026-11-23-keys-by-principal': { up: indexKeys },
  })
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
function firstTables(backend: BackendName): Migration {
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
function asId(backend: BackendName): (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder {
  return backend === 'sqlite'
    ? (column) => column.primaryKey().autoIncrement()
    : (column) => column.primaryKey().generatedByDefaultAsIdentity()
}

const idType = (backend: BackendName): 'integer' | 'bigint' =>
  backend === 'sqlite' ? 'integer' : 'bigint'

async function createPersons(db: Kysely<never>, backend: BackendName): Promise<void> {
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

async function createMessages(db: Kysely<never>, backend: BackendName): Promise<void> {
  await db.schema
    .createTable('messages')
    .addColumn('id', idType(backend), asId(backend))
    .addColumn('to_id', 'bigint', (column) => column.notNull())
    .addColumn('text', 'text', (column) => column.notNull())
    .addColumn('sent_at', 'text', (column) => column.notNull())
    .execute()
}

async function createChanges(db: Kysely<never>, backend: BackendName): Promise<void> {
  await db.schema
    .createTable('changes')
    .addColumn('id', idType(backend), asId(backend))
    .addColumn('position', 'bigint', (column) => column.unique())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('person_id', 'bigint', (column) => column.notNull())
    .addColumn('body', 'text')
    .addColumn('changed_at', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('changes_by_person').on('changes').column('person_id').execute()
  await db.schema
    .createTable('change_clock')
    .addColumn('position', 'bigint', (column) => column.notNull())
    .execute()
  await sql`insert into change_clock (position) values (0)`.execute(db)
  if (backend === 'postgres') {
    await sql`create index changes_to_place on changes (id) where position is null`.execute(db)
  } else {
    await sql`create trigger changes_are_placed after insert on changes
      begin update change_clock set position = new.position; end`.execute(db)
  }
}
