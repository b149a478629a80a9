import { sql, type Generated, type Kysely } from 'kysely'

/** The responses to requests with an `Idempotency-Key`. */
export interface IdempotencyKeysTable {
  readonly principal: string
  readonly key: string
  readonly fingerprint: string
  readonly status: number
  /** A flat list as JSON. */
  readonly headers: string
  readonly body: string
  readonly created_at: string
}

/** Who has written which person. No foreign key: entries stay when a person is deleted. */
export interface AuditTable {
  readonly id: Generated<number>
  readonly at: string
  readonly principal: string
  readonly operation: string
  readonly person_id: number
  readonly version_before: number | null
  readonly version_after: number | null
  readonly request_id: string
}

/** Creates the tables of what is kept about requests. */
export async function createRequestTables(
  db: Kysely<never>,
  backend: 'sqlite' | 'postgres',
): Promise<void> {
  const isSqlite = backend === 'sqlite'
  // Two keys are equal if their bytes are, whatever the locale of the server.
  const exactText = isSqlite ? sql`text` : sql`text collate "C"`
  await db.schema
    .createTable('idempotency_keys')
    .addColumn('principal', exactText, (column) => column.notNull())
    .addColumn('key', exactText, (column) => column.notNull())
    .addColumn('fingerprint', 'text', (column) => column.notNull())
    .addColumn('status', 'integer', (column) => column.notNull())
    .addColumn('headers', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('idempotency_keys_key', ['principal', 'key'])
    .execute()
  await db.schema
    .createIndex('idempotency_keys_by_age')
    .on('idempotency_keys')
    .column('created_at')
    .execute()
  await db.schema
    .createTable('audit')
    .addColumn('id', isSqlite ? 'integer' : 'bigint', (column) =>
      isSqlite
        ? column.primaryKey().autoIncrement()
        : column.primaryKey().generatedByDefaultAsIdentity(),
    )
    .addColumn('at', 'text', (column) => column.notNull())
    .addColumn('principal', exactText, (column) => column.notNull())
    .addColumn('operation', 'text', (column) => column.notNull())
    .addColumn('person_id', 'bigint', (column) => column.notNull())
    .addColumn('version_before', 'integer')
    .addColumn('version_after', 'integer')
    .addColumn('request_id', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('audit_by_person').on('audit').columns(['person_id', 'id']).execute()
  await db.schema.createIndex('audit_by_age').on('audit').column('at').execute()
}

/** To count the keys of a principal without reading their responses. */
export async function indexKeys(db: Kysely<never>): Promise<void> {
  await db.schema
    .createIndex('idempotency_keys_by_principal')
    .on('idempotency_keys')
    .columns(['principal', 'created_at'])
    .execute()
}
