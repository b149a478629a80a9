import { Migrator, sql, type Kysely, type Migration } from 'kysely'
import type { Engine } from './engine.js'
import { firstTables } from './first-tables.js'
import type { Tables } from './tables.js'

/** Brings the tables to what this version needs; of several processes one does, the others wait. */
export async function migrate(db: Kysely<Tables>, engine: Engine): Promise<void> {
  const migrations = { '2026-08-01-first-tables': firstTables(engine) }
  await db.connection().execute((one) => engine.alone(one, () => run(one, migrations)))
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
    `its tables are of a newer version, with ${unknown.join(', ')}. ` +
      'Run that version, or name another database',
  )
}

/** What was migrated here but is not known to this version. */
async function migrationsOfOthers(
  one: Kysely<Tables>,
  migrations: Readonly<Record<string, Migration>>,
): Promise<readonly string[]> {
  const done = await sql<{ readonly name: string }>`
    select name from kysely_migration order by name
  `.execute(one)
  return done.rows.map((row) => row.name).filter((name) => !Object.hasOwn(migrations, name))
}
