import { randomBytes } from 'node:crypto'
import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { CompiledQuery } from 'kysely'
import Database from 'libsql'
import t, { type Test } from 'tap'
import { toUnavailable } from '../../store/failures.js'
import { openStore } from '../../store/open-store.js'
import { sqliteDialect } from '../../store/sqlite.js'
import { makeFile } from '../../store/sqlite-file.js'
import type { Store } from '../../store/open-store.js'
import { connect, onPostgres } from './databases.js'

/** A store on a file, in which A is alone. */
async function withFile(t: Test): Promise<{ path: string; store: Store; id: string }> {
  const path = join(t.testdir(), 'people.db')
  const store = await openStore({ database: path })
  t.teardown(() => store.close())
  return { path, store, id: (await store.people.create({ name: 'A' })).id }
}

/** Another connection to the file. */
function openOther(t: Test, path: string): Database.Database {
  const other = new Database(path)
  t.teardown(() => void other.close())
  return other
}

/** One connection to a file that is there, and the failures that it is asked for. */
async function connectTo(t: Test, kind: 'reading' | 'writing') {
  const path = join(t.testdir(), 'people.db')
  await (await openStore({ database: path })).close()
  const driver = sqliteDialect(path, kind, makeFile(path)).createDriver()
  await driver.init()
  t.teardown(() => driver.destroy())
  const run = async (text: string) => {
    const connection = await driver.acquireConnection()
    try {
      return await connection.executeQuery(CompiledQuery.raw(text))
    } finally {
      await driver.releaseConnection(connection)
    }
  }
  return { path, run }
}

await t.test('a file that another process keeps locked is waited for', async (t) => {
  const { path, store, id } = await withFile(t)
  const other = openOther(t, path)

  other.exec('begin immediate')
  const written = store.people.update(id, { age: 1 })
  setTimeout(() => other.exec('commit'), 50)
  t.match(await written, { ok: true, value: { version: 2 } })
  other.exec(`update persons set name = 'B', version = 3`)
  t.match(await store.people.update(id, { age: 3 }, 3), { ok: true, value: { name: 'B' } })
})

/** Runs writes that a lock blocks, and reads meanwhile; all writes fail at the same time. */
async function writeInVain(t: Test, store: Store, writes: number, id: string): Promise<void> {
  let failed = 0
  const begun = performance.now()
  const written = Promise.allSettled(
    Array.from({ length: writes }, (_, age) =>
      store.people.update(id, { age }).catch((reason: unknown) => {
        failed += 1
        throw reason
      }),
    ),
  )
  for (let round = 0; round < 20; round += 1) {
    t.equal((await store.people.byIds([id])).get(id)?.name, 'A')
    t.equal(await store.keys.find(randomBytes(4).toString('hex')), undefined)
    t.equal(await store.check(), true)
  }
  t.equal(failed, 0, 'all that was read while every write waited')
  for (const outcome of await written) {
    t.match(outcome, { status: 'rejected', reason: { name: 'StoreUnavailable', reason: 'busy' } })
  }
  const took = performance.now() - begun
  // One after another they would wait three seconds each.
  t.ok(took > 2_900 && took < 1_500 * writes, `they waited together, ${Math.round(took)} ms`)
  t.equal(store.isAway(), false, 'a database that can be read is not away')
}

await t.test('writers that wait for another process block no reader', async (t) => {
  const { path, store, id } = await withFile(t)
  const other = openOther(t, path)
  other.exec('begin exclusive')
  await writeInVain(t, store, 20, id)
  other.exec('rollback')
  t.match(await store.people.update(id, { age: 9 }), { ok: true, value: { version: 2, age: 9 } })
})

await onPostgres(t, 'writers that wait leave connections', async (t, open, database) => {
  const store = await open()
  const { id } = await store.people.create({ name: 'A' })
  // The pool makes its connections now, so that none of the waiting below is for one of them.
  await Promise.all(Array.from({ length: 10 }, () => store.check()))
  const other = await connect(t, database)
  await other.query(`begin; select from persons where id = ${id} for update`)
  await writeInVain(t, store, 20, id)
  await other.query('rollback')
  t.match(await store.people.update(id, { age: 9 }), { ok: true, value: { version: 2, age: 9 } })
})

await t.test('readers never keep the log of writes from being emptied', async (t) => {
  const { path, store, id } = await withFile(t)
  await Promise.all([store.people.page(10), store.check(), store.people.friendsOf([id], 1)])
  const other = openOther(t, path)
  t.match(other.prepare('pragma wal_checkpoint(truncate)').get(), { busy: 0 })
  t.equal((await store.people.byIds([id])).size, 1)
})

await t.test('a reading connection cannot write', async (t) => {
  const { run } = await connectTo(t, 'reading')
  await t.rejects(run('delete from persons'), { code: 'SQLITE_READONLY' })
})

await t.test('a file that can be written again needs no restart', async (t) => {
  const { path, run } = await connectTo(t, 'writing')
  await run('pragma query_only = on')
  const write = `insert into persons (name) values ('A')`
  t.match(await run(write).catch(toUnavailable), { name: 'StoreUnavailable', reason: 'read-only' })
  t.match(await run(write), { numAffectedRows: 1n })
  await run('pragma query_only = on')
  await run(write).catch(() => {})
  rmSync(path)
  await t.rejects(run(write), { name: 'StoreUnavailable', message: 'The file is gone' })
  t.notOk(existsSync(path), 'and no empty one is put in its place')
})

const gone = { name: 'StoreUnavailable', reason: 'away', message: 'The file is gone' }

const takenAway = {
  removed: (path: string) => rmSync(path),
  moved: (path: string) => renameSync(path, `${path}.bak`),
  replaced(path: string) {
    copyFileSync(path, `${path}.copy`)
    renameSync(`${path}.copy`, path)
  },
}
for (const [name, take] of Object.entries(takenAway)) {
  await t.test(`a file that is ${name} while it is open counts as removed`, async (t) => {
    const { path, store, id } = await withFile(t)
    t.equal(await store.check(), true)
    take(path)
    await t.rejects(store.people.create({ name: 'B' }), gone)
    await t.rejects(store.people.update(id, { age: 1 }), gone)
    t.equal(store.isAway(), true)
    t.equal(await store.check(), false)
    if (!existsSync(`${path}.bak`)) return
    renameSync(`${path}.bak`, path)
    t.match(await store.people.create({ name: 'A' }), { name: 'A' }, 'until it is put back')
    t.equal(await store.check(), true)
  })
}

await t.test('a store whose file was removed leaves the log of a new file alone', async (t) => {
  const path = join(t.testdir(), 'people.db')
  const first = await openStore({ database: path })
  const other = new Database(path)
  t.match(other.prepare('pragma wal_checkpoint(truncate)').get(), { busy: 0 })
  other.close()
  renameSync(path, `${path}.bak`)
  const second = await openStore({ database: path })
  t.teardown(() => second.close())
  const { id } = await second.people.create({ name: 'A' })
  await first.close()
  t.equal((await second.people.byIds([id])).get(id)?.name, 'A')
  t.match(openOther(t, path).prepare('select name from persons').all(), [{ name: 'A' }])
})

await t.test('a full disk is reported as such, and reads continue', async (t) => {
  const { run } = await connectTo(t, 'writing')
  await run('pragma max_page_count = 1') // the least possible is the current number
  const values = `(1, '${'x'.repeat(99_999)}', '')`
  const insert = run(`insert into messages (to_id, text, sent_at) values ${values}`)
  const failure = await insert.catch(toUnavailable)
  t.match(failure, { name: 'StoreUnavailable', reason: 'full', cause: { code: 'SQLITE_FULL' } })
  t.match(await run('select count(*) as messages from messages'), { rows: [{ messages: 0 }] })
})
