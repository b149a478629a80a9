import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { Kysely, sql } from 'kysely'
import t from 'tap'
import { openStore } from '../../store/open-store.js'
import { postgresEngine } from '../../store/postgres-engine.js'
import { sqliteEngine } from '../../store/sqlite-engine.js'
import { StoreUnavailable } from '../../store/store.js'
import type { Tables } from '../../store/tables.js'
import { onPostgres, onSharedDatabases } from './databases.js'

async function execute(database: string, statement: string): Promise<void> {
  const engine = database.startsWith('postgres')
    ? postgresEngine(database, 1)
    : sqliteEngine(database)
  const db = new Kysely<Tables>({ dialect: engine.dialect })
  await sql.raw(statement).execute(db)
  await db.destroy()
}

await onSharedDatabases(t, 'what was written is there after opening again', async (t, open) => {
  const first = await open()
  t.equal(await first.seed(), true)
  await first.people.update('1', { name: 'A' })
  await first.close()
  await first.close()
  const second = await open()
  t.equal(await second.seed(), false)
  t.match((await second.people.byIds(['1'])).get('1'), { name: 'A', version: 2 })
})

await onSharedDatabases(t, 'of stores that open at once, one makes the tables', async (t, open) => {
  const stores = await Promise.all(Array.from({ length: 6 }, () => open()))
  for (const store of stores) t.equal(await store.check(), true)
})

await onSharedDatabases(
  t,
  'of processes that start at once, one seeds',
  async (t, open, database) => {
    const script = fileURLToPath(new URL('./open-and-seed.js', import.meta.url))
    const outputs = await Promise.all(
      Array.from({ length: 4 }, async () => {
        const child = spawn(process.execPath, [script, database], {
          stdio: ['ignore', 'pipe', 'inherit'],
        })
        const [output] = await Promise.all([text(child.stdout), once(child, 'exit')])
        return output
      }),
    )
    t.same(outputs.toSorted(), ['false\n', 'false\n', 'false\n', 'true\n'])
    const page = await (await open()).people.page(1_000)
    t.equal(page.ok && page.value.people.length, 100)
  },
)

await onSharedDatabases(
  t,
  'a database of a newer version is refused',
  async (t, open, database) => {
    await (await open()).close()
    await execute(database, `insert into kysely_migration values ('9999-from-afar', '2999-01-01')`)
    await t.rejects(open(), {
      name: 'StoreError',
      message:
        /^Cannot open the database .*: its tables are of a newer version, with 9999-from-afar\. Run that version, or name another database$/,
    })
    await execute(database, `delete from kysely_migration where name = '9999-from-afar'`)
    t.equal(await (await open()).check(), true)
  },
)

await onSharedDatabases(t, 'tables of somebody else are left alone', async (t, open, database) => {
  await execute(database, 'create table logins (x integer)')
  await t.rejects(open(), { message: /^Cannot open the database .*logins.* already exists/ })
  await execute(database, 'drop table logins')
  t.equal(await (await open()).seed(), true, 'nothing was left half done')
})

await t.test('the folders of the file are made, and all is in the one file', async (t) => {
  const folder = join(t.testdir(), 'deep', 'er')
  const store = await openStore({ database: join(folder, 'people.db') })
  await store.seed()
  await store.close()
  const log = readdirSync(folder).find((name) => name.endsWith('-wal'))
  t.ok(log === undefined || statSync(join(folder, log)).size === 0)
})

await t.test('nobody else can read what the store makes', async (t) => {
  const folder = join(t.testdir(), 'data')
  const store = await openStore({ database: join(folder, 'people.db') })
  t.teardown(() => store.close())
  await store.seed()
  const modes = ['.', ...readdirSync(folder)].map((name) => [
    name,
    (statSync(join(folder, name)).mode & 0o777).toString(8),
  ])
  t.same(Object.fromEntries(modes), {
    '.': '700',
    'people.db': '600',
    'people.db-shm': '600',
    'people.db-wal': '600',
  })
})

await t.test('the permissions of a file that is there stay as they are', async (t) => {
  const path = join(t.testdir({ 'people.db': '' }), 'people.db')
  chmodSync(path, 0o664)
  await (await openStore({ database: path })).close()
  t.equal((statSync(path).mode & 0o777).toString(8), '664')
})

await t.test('a store in memory leaves no file', async (t) => {
  const store = await openStore({ database: ':memory:' })
  t.equal(await store.seed(), true)
  await store.close()
  t.notOk(existsSync(':memory:'))
})

const paths: readonly [name: string, make: (folder: string) => string, message: RegExp][] = [
  [
    'a file of something else',
    (folder) => {
      writeFileSync(join(folder, 'text.db'), 'This is text. '.repeat(500))
      return join(folder, 'text.db')
    },
    /text\.db: it is no database of SQLite\. Name one, or a file that is not there yet$/,
  ],
  ['a folder', (folder) => folder, /: it is a folder\. Name a file$/],
  [
    'a folder that is a file',
    (folder) => {
      writeFileSync(join(folder, 'file'), '')
      return join(folder, 'file', 'people.db')
    },
    /^Cannot make the folder .*file for the database: .*\. Name a file in a folder that this process may write to$/,
  ],
  ['no name', () => '', /^Cannot open the database '': expected the path of a file, :memory:, or/],
  [
    'another kind',
    () => 'mysql://me:secret@host/db',
    /^Cannot open the database 'mysql': expected/,
  ],
  [
    'a URL that lacks its slashes',
    () => 'postgres:me:secret@host/db',
    /^Cannot open the database 'postgres': expected/,
  ],
  [
    'a URL that cannot be read',
    () => 'postgres://me:sec ret@host:99999/db',
    /^Cannot open the database PostgreSQL: .* cannot be read; .* %40$/,
  ],
]
for (const [name, make, message] of paths) {
  await t.test(`${name} is refused, with what would be right`, async (t) => {
    await t.rejects(openStore({ database: make(t.testdir()) }), { name: 'StoreError', message })
  })
}

const isRoot = process.getuid?.() === 0 && 'root may write everywhere'
await t.test('a file that may not be written is refused', { skip: isRoot }, async (t) => {
  const path = join(t.testdir(), 'people.db')
  await (await openStore({ database: path })).close()
  chmodSync(path, 0o400)
  await t.rejects(openStore({ database: path }), { message: /Name a file that this process may/ })
})

await t.test('a server that is not there is unavailable, and no password is told', async (t) => {
  const database = 'postgres://me:secret@127.0.0.1:1/people'
  const failure = await openStore({ database }).catch((reason: unknown) => reason as Error)
  t.type(failure, StoreUnavailable)
  t.match(failure, {
    message: /^Cannot open the database postgres:\/\/127\.0\.0\.1:1\/people: connect ECONNREFUSED/,
    cause: { code: 'ECONNREFUSED' },
  })
})

await onPostgres(
  t,
  'a database that does not exist is told as such',
  async (t, _open, database) => {
    await t.rejects(openStore({ database: `${database}x` }), {
      name: 'StoreError',
      message: /^Cannot open the database postgres:.*x: database ".*x" does not exist$/,
    })
  },
)
