import { execFileSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import t from 'tap'
import { runToEnd } from '../service-process.js'
import { onPostgres } from '../../store/databases.js'
import { openStore, type Store } from '../../../store/open-store.js'
import { production, start, until } from './started.js'
import { startWithKeys } from './with-keys.js'

/** All people as they are, and as the recorded changes say they are; both agree at any moment between two writes. */
async function momentOf(store: Store) {
  const page = await store.people.page(100_000)
  const all = page.ok ? page.value.people : []
  const people = await store.people.byIds(all.map(({ id }) => id))
  const changes = await store.changes.after(0, 100_000)
  const changed = new Map(changes.map(({ personId, body }) => [personId, body]))
  const audited = await store.audit.list({ limit: 100_000 })
  return { people, changed, writes: await store.changes.last(), audited: audited.length }
}

void t.test('a backup is one moment of a running service, and survives its kill', async (t) => {
  const { database, service, writer: credential } = await startWithKeys(t, { RATE_LIMIT: 'off' })
  const folder = dirname(database)
  const acknowledged: string[] = []
  let isOver = false
  const write = async (worker: number): Promise<void> => {
    for (let count = 0; !isOver; count += 1) {
      const name = `${worker}-${count}`
      try {
        const response = await service.send('POST', '/person', { name }, credential)
        const { id } = (await response.json()) as { id: string }
        acknowledged.push(id)
        const patch = { age: 1, address: { city: name } }
        await service.send('PATCH', `/person/${id}`, patch, credential)
      } catch {
        // Killed.
      }
    }
  }
  const writers = Promise.all([write(0), write(1), write(2)])
  await until(() => acknowledged.length > 20)
  const before = acknowledged.length
  const backups = [join(folder, 'a.db'), join(folder, 'b.db')]
  for (const file of backups) {
    const { code, err } = await runToEnd(['backup', file, '--db', database])
    t.equal(code, 0, err)
    t.match(err, /Wrote the backup .*: \d+ people, \d+ bytes\./)
  }
  t.match(await runToEnd(['backup', backups[0]!, '--db', database]), { code: 1, err: 'exists' })
  t.ok(acknowledged.length > before, 'writes went on')
  await service.kill()
  isOver = true
  await writers

  for (const [at, file] of backups.entries()) {
    const path = join(folder, `restored-${at}.db`)
    t.equal((await runToEnd(['restore', file, '--db', path])).code, 0)
    const store = await openStore({ database: path })
    t.teardown(() => store.close())
    const { people, changed, writes, audited } = await momentOf(store)
    t.ok(people.size >= before)
    t.strictSame(Object.fromEntries(changed), Object.fromEntries(people))
    t.equal(audited, writes, 'and so many writes')
    for (const id of acknowledged.slice(0, before)) t.ok(people.has(id))
  }
  const restored = await start(t, ['--db', join(folder, 'restored-1.db')], { env: production })
  t.equal((await restored.send('POST', '/person', { name: 'A' }, credential)).status, 201)
})

await onPostgres(t, 'pg_dump and pg_restore move a database', async (t, open, database) => {
  if (!hasPrograms()) return void t.pass('NOT TESTED: pg_dump is not installed')
  const store = await open()
  await store.seed()
  await store.as({ principal: 'key:k', requestId: 'r' }).people.create({ name: 'A' })
  const file = join(t.testdir(), 'people.dump')
  execFileSync('pg_dump', ['--format=custom', `--file=${file}`, database])
  await store.people.create({ name: 'B' })
  // Into the same database here: what came after the dump is gone.
  await store.close()
  execFileSync('pg_restore', ['--clean', '--if-exists', '--no-owner', `--dbname=${database}`, file])
  const again = await open()
  const { people, audited } = await momentOf(again)
  t.equal(people.size, 101)
  t.equal(audited, 1)
  t.equal((await again.people.create({ name: 'C' })).id, '102')
})

function hasPrograms(): boolean {
  try {
    for (const name of ['pg_dump', 'pg_restore']) execFileSync(name, ['--version'])
    return true
  } catch {
    return false
  }
}
