import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, readdirSync, renameSync, statSync } from 'node:fs'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { Kysely, sql } from 'kysely'
import t from 'tap'
import { openStore } from '../../../store/open-store.js'
import { postgresBackend } from '../../../store/postgres.js'
import { sqliteBackend } from '../../../store/sqlite.js'
import { namesIn, onPostgres, onSharedDatabases } from '../../store/databases.js'
import { startProcess } from '../service-process.js'

async function execute(database: string, statement: string): Promise<void> {
  const backend = database.startsWith('postgres')
    ? postgresBackend(database, 1)
    : sqliteBackend(database)
  const db = new Kysely<unknown>({ dialect: backend.dialect })
  await sql.raw(statement).execute(db)
  await db.destroy()
}

await onSharedDatabases(t, 'of processes at once, one seeds', async (t, open, database) => {
  const starting = Array.from({ length: 4 }, () => startProcess(['--db', database]))
  for (const { kill } of await Promise.all(starting)) await kill()
  t.equal((await namesIn(await open())).length, 100)
})

await onSharedDatabases(t, 'a newer version is refused', async (t, open, database) => {
  await (await open()).close()
  await execute(database, `insert into kysely_migration values ('9999-from-afar', '2999-01-01')`)
  const message =
    /^Cannot open the database .*: its tables .* newer version, with 9999-from-afar\. Run that version, or /
  await t.rejects(open(), { name: 'StoreError', message })
  await execute(database, `delete from kysely_migration where name = '9999-from-afar'`)
  t.equal(await (await open()).check(), true)
})

await onSharedDatabases(t, 'tables of another application stay', async (t, open, database) => {
  await execute(database, 'create table logins (x integer)')
  await t.rejects(open(), { message: /^Cannot open the database .*logins.* already exists/ })
  await execute(database, 'drop table logins')
  t.equal(await (await open()).seed(), true, 'nothing was left half done')
})

const older = [
  'create table addresses (person_id bigint primary key, street text, city text, country text)',
  'insert into addresses select id, street, city, country from persons where city is not null',
  'alter table persons drop column street',
  'alter table persons drop column city',
  'alter table persons drop column country',
  `delete from kysely_migration where name = '2026-11-28-address-of-person'`,
]

const unlimited = [
  `create function check_limit() returns trigger language plpgsql as $$ begin
    if current_setting('statement_timeout') <> '0' then raise exception 'limited'; end if;
    return new;
  end $$`,
  'create trigger limited before update on persons for each row execute function check_limit()',
]

await onSharedDatabases(t, 'addresses of a table move, however long', async (t, open, database) => {
  const { people, close } = await open()
  const address = { street: null, city: 'Rome', country: 'Italy' }
  const ada = await people.create({ name: 'Ada', address })
  const ben = await people.create({ name: 'Ben' })
  await close()
  // This migration writes every row.
  const limits = database.startsWith('postgres') ? unlimited : []
  for (const statement of [...older, ...limits]) await execute(database, statement)
  const found = await (await open()).people.byIds([ada.id, ben.id])
  t.strictSame([...found.values()], [ada, ben])
})

await t.test('the folders of the file are made, and other users cannot read it', async (t) => {
  const folder = join(t.testdir(), 'deep', 'er')
  const store = await openStore({ database: join(folder, 'people.db') })
  await store.seed()
  const files = readdirSync(folder).toSorted()
  const modes = ['.', ...files].map((name) => `${name} ${modeOf(join(folder, name))}`)
  t.same(modes, ['. 700', 'people.db 600', 'people.db-shm 600', 'people.db-wal 600'])
  await store.close()
  const log = readdirSync(folder).find((name) => name.endsWith('-wal'))
  t.ok(log === undefined || statSync(join(folder, log)).size === 0, 'all is in the one file')
})

await t.test('the permissions of a file that is there stay as they are', async (t) => {
  const path = join(t.testdir({ 'people.db': '' }), 'people.db')
  chmodSync(path, 0o664)
  await (await openStore({ database: path })).close()
  t.equal(modeOf(path), '664')
})

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8)
}

const leftLog =
  /people\.db: it is missing or empty, but people\.db-wal has writes to it\. Put the file back, or remove people\.db-wal and people\.db-shm as well$/

function leaveLog(folder: string): string {
  writeFileSync(join(folder, 'people.db-wal'), 'writes')
  return join(folder, 'people.db')
}

await t.test('a start without the file leaves its acknowledged writes alone', async (t) => {
  const path = join(t.testdir(), 'people.db')
  const first = await openStore({ database: path })
  const { id } = await first.people.create({ name: 'A' })
  renameSync(path, `${path}.bak`)
  await t.rejects(openStore({ database: path }), { name: 'StoreError', message: leftLog })
  t.notOk(existsSync(path), 'and no empty one is put in its place')
  renameSync(`${path}.bak`, path)
  const second = await openStore({ database: path })
  t.equal((await second.people.byIds([id])).get(id)?.name, 'A')
  await first.close()
  await second.close()
})

await t.test('a store in memory leaves no file', async (t) => {
  const store = await openStore({ database: ':memory:' })
  t.equal(await store.seed(), true)
  await store.close()
  t.notOk(existsSync(':memory:'))
})

const write = (path: string, content = ''): string => (writeFileSync(path, content), path)
const pipe = (path: string): string => (execFileSync('mkfifo', [path]), path)
const loop = (path: string): string => (symlinkSync('loop', path), path)
const notSqlite =
  /it is not an SQLite database, or it is damaged\. Use one, or a file that does not exist yet$/
const noFolder =
  /^Cannot open the database .*: EEXIST: .*mkdir '.*file'\. Use a file .*, in a folder that it may write to$/
const inProc =
  /^Cannot open the database \/proc\/nowhere\/deep\/people\.db: ENOENT: .*mkdir.*\. Use a file /

// oxfmt-ignore
const paths: readonly [name: string, make: (folder: string) => string, message: RegExp][] = [
  ['a file of something else',        (at) => write(join(at, 'text.db'), 'This is text. '.repeat(500)),     notSqlite],
  ['a folder',                        (at) => at,                                                           /: it is a folder\. Use a file$/],
  ['a folder that is a file',         (at) => join(write(join(at, 'file')), 'people.db'),                   noFolder],
  ['a folder where none can be made', () => '/proc/nowhere/deep/people.db',                                 inProc],
  ['a link to itself',                (at) => loop(join(at, 'loop')), /loop: ELOOP: .*\. Use a file that this process may read and write, /],
  ['a pipe',                          (at) => pipe(join(at, 'pipe')), /pipe: it is not a regular file\. Use one, or a file that does not exist yet$/],
  ['a device',                        () => '/dev/null',                                                    /\/dev\/null: it is not a regular file\. Use one, or/],
  ['a log beside an empty file',      (at) => leaveLog(join(write(join(at, 'people.db')), '..')),           leftLog],
]
for (const [name, make, message] of paths) {
  await t.test(`${name} is refused, with what would be right`, (t) =>
    t.rejects(openStore({ database: make(t.testdir()) }), { name: 'StoreError', message }),
  )
}

const neither =
  /^Cannot open the database: this is neither a path nor a URL of PostgreSQL; expected .*%40/
const afterHost =
  /^Cannot open the database: its URL has an @ after the host; expected .*@ is %40, \/ is %2F/
const unreadable = /its URL cannot be parsed; expected .*@ is %40, \/ is %2F/
// oxfmt-ignore
const wrongUrls: readonly [database: string, message: RegExp][] = [
  ['',                                                  /^Cannot open the database: it has no name; expected the path of a file, :memory:, or/],
  ['mysql://me:secret@host/db',                         neither],
  ['postgres:me:secret@host/db',                        neither],
  ['postgres//me:secret@host/db',                       neither],
  ['"postgres://me:secret@host/db"',                    neither],
  ["'mysql:secret'",                                    neither],
  ['jdbc:postgresql://host/db?user=me&password=secret', neither],
  ['host=host user=me password=secret dbname=db',       neither],
  ['./people.db?password=secret',                       neither],
  ['file:secret.db',                                    neither],
  ['postgres://me:secret@of/secret@host/db',            afterHost],
  ['postgres://me:1?secret@host/db',                    afterHost],
  ['postgres://me:secret@host/db?user=secret@host',     afterHost],
  ['postgres://me:secret/secret@host/db',               unreadable],
  ['postgres://me:sec ret@host:99999/db',               unreadable],
  ['postgres://me:secret@[',                            unreadable],
  ['postgres://me:secret%ff@host/db',                   unreadable],
]
for (const [database, message] of wrongUrls) {
  await t.test(`'${database}' is refused, and none of it is shown`, async (t) => {
    t.chdir(t.testdir())
    const failure = await openStore({ database }).catch((reason: unknown) => reason)
    t.match(failure, { name: 'StoreError', message })
    t.notMatch(inspect(failure), 'secret')
    t.same(readdirSync('.'), [], 'nothing is made of it')
  })
}

await t.test('a name that is too long for its log cannot be opened', async (t) => {
  const database = join(t.testdir(), 'x'.repeat(253))
  await t.rejects(openStore({ database }), { message: /^Cannot open .*x: ENAMETOOLONG: / })
})

await t.test('a name with a colon is one behind ./', async (t) => {
  t.chdir(t.testdir())
  await (await openStore({ database: './a:b.db' })).close()
  t.ok(existsSync('a:b.db'))
})

const isRoot = process.getuid?.() === 0 && 'root may write everywhere'
await t.test('a file that may not be written is refused', { skip: isRoot }, async (t) => {
  const path = join(t.testdir(), 'people.db')
  await (await openStore({ database: path })).close()
  chmodSync(path, 0o400)
  await t.rejects(openStore({ database: path }), { message: /Use a file that this process may/ })
})

await onPostgres(t, 'what a URL asks in vain', async (t, _open, database) => {
  const message = /^Cannot open the database postgres:.*x: database ".*x" does not exist$/
  await t.rejects(openStore({ database: `${database}x` }), { name: 'StoreError', message })
})
