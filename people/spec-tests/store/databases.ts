import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { Client } from 'pg'
import type { Test } from 'tap'
import { openStore, type Store } from '../../store/open-store.js'
import type { StoreOptions } from '../../store/store.js'

const server =
  process.env['GRAPHWIRE_POSTGRES_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'

/** Opens the database of a test; the same one at each call. */
type Open = (options?: Partial<StoreOptions>) => Promise<Store>

type Body = (t: Test, open: Open, database: string) => Promise<void>

/** Runs a test on every kind of database, each time on an empty one. */
export async function onEachDatabase(t: Test, name: string, body: Body): Promise<void> {
  await t.test(`${name}: in memory`, (t) => run(t, ':memory:', body))
  await onSharedDatabases(t, name, body)
}

/** Runs a test on the databases that several processes can open; at the same time, if `t.jobs` allows it. */
export async function onSharedDatabases(t: Test, name: string, body: Body): Promise<void> {
  const inFile = t.test(`${name}: in a file`, (t) => run(t, join(t.testdir(), 'people.db'), body))
  await Promise.all([inFile, onPostgres(t, name, body)])
}

export async function onPostgres(t: Test, name: string, body: Body): Promise<void> {
  const absent = await findAbsence()
  await t.test(`${name}: on PostgreSQL`, { skip: absent }, async (t) => {
    const database = `people_${randomBytes(6).toString('hex')}`
    await administer(`create database ${database}`)
    t.teardown(() => administer(`drop database ${database} with (force)`))
    const url = new URL(server)
    url.pathname = `/${database}`
    await run(t, url.href, body)
  })
}

async function run(t: Test, database: string, body: Body): Promise<void> {
  const stores: Store[] = []
  const open: Open = async (options) => {
    const store = await openStore({ database, ...options })
    stores.push(store)
    return store
  }
  try {
    await body(t, open, database)
  } finally {
    for (const store of stores) await store.close()
  }
}

/** The names of all people, in order of creation. */
export async function namesIn({ people }: Store): Promise<readonly string[]> {
  const page = await people.page(100_000)
  return page.ok ? page.value.people.map(({ name }) => name) : []
}

/** A connection to a database of PostgreSQL, beside those of the store. */
export async function connect(t: Test, connectionString: string): Promise<Client> {
  const client = new Client({ connectionString })
  await client.connect()
  t.teardown(() => client.end())
  return client
}

/** Why PostgreSQL is unavailable; false if it is available or required. */
async function findAbsence(): Promise<string | false> {
  try {
    await administer('select 1')
    return false
  } catch (failure) {
    if (process.env['GRAPHWIRE_REQUIRE_SERVICES']) throw failure
    return `NOT TESTED ON POSTGRESQL: ${server} does not answer: ${String(failure)}`
  }
}

async function administer(statement: string): Promise<void> {
  const client = new Client({ connectionString: server, connectionTimeoutMillis: 5_000 })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
