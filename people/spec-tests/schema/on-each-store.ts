import { randomUUID } from 'node:crypto'
import { Client } from 'pg'
import t, { type Test } from 'tap'
import { openStore } from '../../store/open-store.js'
import type { Store } from '../../store/store.js'

/** A store of one test, and the statements that it has run. */
export interface OpenedStore {
  readonly store: Store
  readonly statements: string[]
}

/** Opens a store that is empty or seeded, and is gone after the test. */
export type OpenStore = (t: Test, options?: { readonly seeded?: boolean }) => Promise<OpenedStore>

const server = process.env['GRAPHWIRE_POSTGRES'] ?? 'postgres://postgres@127.0.0.1:5432/postgres'

/** Runs a suite on SQLite in memory, and on PostgreSQL in a database of each test. */
export function onEachStore(title: string, suite: (t: Test, open: OpenStore) => void): void {
  void t.test(`${title}, on SQLite`, async (t) => {
    suite(t, (test, options) => openFor(test, ':memory:', options))
  })
  void t.test(`${title}, on PostgreSQL`, async (t) => {
    const absence = await askServer('select 1').catch((fault: unknown) => String(fault))
    if (absence === undefined) suite(t, openInPostgres)
    else if (process.env['GRAPHWIRE_REQUIRE_SERVICES'])
      t.fail(`no PostgreSQL at ${server}: ${absence}`)
    else t.pass('the suite', { skip: `NOT TESTED: no PostgreSQL at ${server}: ${absence}` })
  })
}

async function openInPostgres(
  t: Test,
  options?: { readonly seeded?: boolean },
): Promise<OpenedStore> {
  const name = `schema_test_${randomUUID().replaceAll('-', '')}`
  await askServer(`create database ${name}`)
  const url = new URL(server)
  url.pathname = name
  t.teardown(() => askServer(`drop database ${name} with (force)`))
  return openFor(t, url.href, options)
}

async function openFor(
  t: Test,
  database: string,
  { seeded = false }: { readonly seeded?: boolean } = {},
): Promise<OpenedStore> {
  const statements: string[] = []
  const store = await openStore({ database, onStatement: (sql) => statements.push(sql) })
  t.teardown(() => store.close())
  if (seeded) await store.seed()
  return { store, statements }
}

async function askServer(sql: string): Promise<void> {
  const client = new Client({ connectionString: server, connectionTimeoutMillis: 5000 })
  // A connection that is lost rejects the query; the event would end the process.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
