import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as wait } from 'node:timers/promises'
import { Migrator, sql, type Kysely, type Migration } from 'kysely'
import { auditStore, type Actor } from './audit.js'
import type { Backend } from './backend.js'
import { changeStore } from './changes.js'
import { createBoth, keyStore, loginStore } from './credential-stores.js'
import { openDatabase, type Database } from './database.js'
import { explainFailure } from './failures.js'
import { keyedStore, storesOf } from './keyed-store.js'
import type { StoreOptions } from './store.js'

/** All stored data. Every method throws a StoreUnavailable while the database is unavailable. */
export type Store = Awaited<ReturnType<typeof openStore>>

/** Opens the database and migrates its tables. */
export async function openStore(options: StoreOptions) {
  const { database, isAway, migrating, close } = openDatabase(options)
  const { backend, read } = database
  let checking: Promise<boolean> | undefined
  try {
    await migrating((db) => migrate(db, backend))
  } catch (failure) {
    await close()
    throw explainFailure(failure, backend.place)
  }
  return {
    ...storesOf(database),
    /** The stores whose writes are recorded in the audit, under this name. */
    as: (actor: Actor) => storesOf({ ...database, actor }),
    audit: auditStore(database),
    keyed: keyedStore(database, options.keptKeys ?? Infinity),
    changes: changeStore(database, options.keptChanges ?? 1_000),
    keys: keyStore(database),
    logins: loginStore(database),
    createBoth: createBoth.bind(undefined, database),
    /** Whether the database was unavailable at the last statement; a locked or full one can still be read. */
    isAway,
    /** Whether the database responds within a second; those who ask meanwhile share the answer. */
    check(): Promise<boolean> {
      if (checking !== undefined) return checking
      const statement = read(sql`select 1 from persons where id = 1`)
      const responds = statement.then(() => true).catch(() => false)
      checking = Promise.race([responds, wait(900, false, { ref: false })])
      return checking.finally(() => (checking = undefined))
    },
    seed: () => seed(database),
    close,
  }
}

/** Writes 100 people into a database that never had any; of several processes only one does. */
async function seed({ read, transact, backend }: Database): Promise<boolean> {
  const isUsed = sql`
    select 1 from persons union all select 1 from changes
    union all select 1 from change_clock where position > 0 limit 1
  `
  if ((await read(isUsed)).length > 0) return false
  return transact(async (run) => {
    if (!(await backend.tryLock(run, 'seed')) || (await run(isUsed)).length > 0) return false
    const columns = Object.keys(people[0] ?? {}).map((name) => sql.ref(name))
    const persons = people.map((person) => sql`(${sql.join(Object.values(person))})`)
    const rows = await run(sql<{ readonly id: number }>`
      insert into persons (${sql.join(columns)}) values ${sql.join(persons)} returning id
    `)
    const friendships = rows.flatMap(({ id }, at) =>
      distances.flatMap((distance) => {
        const friend = rows[(at + distance) % rows.length]?.id
        return [sql`(${id}, ${friend})`, sql`(${friend}, ${id})`]
      }),
    )
    await run(sql`insert into friendships (person_id, friend_id) values ${sql.join(friendships)}`)
    return true
  })
}

const firstNames = 'Ada Ben Clara David Elif Farid Grace Hugo Ines Jonas'.split(' ')
const lastNames = 'Archer Bianchi Costa Dubois Eriksen Fischer García Haddad Ito Jensen'.split(' ')
const streets = ['Mill Lane', 'Station Road', 'Garden Street', 'Harbour Square', 'Hill Avenue']
const cities: readonly (readonly [city: string, country: string])[] = [
  ['London', 'United Kingdom'],
  ['Milan', 'Italy'],
  ['Lisbon', 'Portugal'],
  ['Lyon', 'France'],
  ['Bergen', 'Norway'],
  ['Cologne', 'Germany'],
  ['Seville', 'Spain'],
]

/** How far apart friends are in the list; every person has one friend on either side for each. */
const distances = [1, 7, 30]

/** Always the same 100: each first name with each last name. */
const people = firstNames.flatMap((first, row) =>
  lastNames.map((last, column) => {
    const id = row * lastNames.length + column + 1
    const [city, country] = cities[id % cities.length]!
    const ascii = `${first}.${last}`.normalize('NFD').replaceAll(/[^a-z.]/gi, '')
    return {
      name: `${first} ${last}`,
      // One in eleven has none.
      age: id % 11 === 0 ? null : 18 + ((id * 37) % 63),
      email: `${ascii.toLowerCase()}@example.com`,
      street: `${id} ${streets[id % streets.length]}`,
      city,
      country,
    }
  }),
)

const folder = new URL('../../store/migrations/', import.meta.url)

function readMigrations({ words }: Backend): Record<string, Migration> {
  const files = readdirSync(folder).map((file) => {
    const text = readFileSync(new URL(file, folder), 'utf8').replaceAll(/^--.*$/gm, '')
    const statements = text
      .split(';')
      .map((one) => one.replaceAll(/\{(\w+)\}/g, (_, name: string) => words[name] ?? ''))
      .filter((one) => one.trim() !== '')
    const up = async (db: Kysely<unknown>): Promise<void> => {
      for (const one of statements) await sql.raw(one).execute(db)
    }
    return [file.replace('.sql', ''), { up }] as const
  })
  return Object.fromEntries(files)
}

/** Migrates the tables to this version, in one transaction. */
async function migrate(db: Kysely<unknown>, backend: Backend): Promise<void> {
  const getMigrations = async () => readMigrations(backend)
  const { error } = await new Migrator({ db, provider: { getMigrations } }).migrateToLatest()
  const [, unknown] = /previously executed migration (\S+) is missing/.exec(String(error)) ?? []
  if (unknown !== undefined) {
    const advice = 'Run that version, or use another database'
    throw new Error(`its tables were created by a newer version, with ${unknown}. ${advice}`)
  }
  if (error !== undefined) throw error
}
