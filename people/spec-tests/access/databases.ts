import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { Test } from 'tap'
import { openStore } from '../../store/open-store.js'
import type { Store } from '../../store/store.js'

const server = 'postgres://postgres@127.0.0.1:5432'
const isRequired = process.env['GRAPHWIRE_REQUIRE_SERVICES'] !== undefined

/** Runs the same tests with a new store of SQLite and one of PostgreSQL. */
export async function onEachDatabase(
  t: Test,
  run: (t: Test, store: Store) => Promise<void>,
): Promise<void> {
  await t.test('on SQLite', async (t) => {
    const store = await openStore({ database: ':memory:' })
    t.teardown(() => store.close())
    await run(t, store)
  })
  await t.test('on PostgreSQL', async (t) => {
    const name = `people_access_${randomBytes(6).toString('hex')}`
    const fault = await query(`create database ${name}`).catch((problem: Error) => problem)
    if (fault instanceof Error) {
      if (isRequired) throw fault
      return t.comment(`SKIPPED, since there is no PostgreSQL: ${fault.message}`)
    }
    const store = await openStore({ database: `${server}/${name}` })
    t.teardown(async () => {
      await store.close()
      await query(`drop database ${name} with (force)`)
    })
    await run(t, store)
  })
}

async function query(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: `${server}/postgres` })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
