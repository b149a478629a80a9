import { existsSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { copyDatabase } from '../../store/sqlite-file.js'
import { openStore } from '../../store/open-store.js'

/** A folder with a database of 100 people, which is closed. */
async function seeded(t: Test): Promise<{ folder: string; path: string }> {
  const folder = t.testdir()
  const path = join(folder, 'people.db')
  const store = await openStore({ database: path })
  await store.seed()
  await store.close()
  return { folder, path }
}

void t.test('an open database is copied with its log, for its owner alone', async (t) => {
  const { folder, path } = await seeded(t)
  const copy = join(folder, 'copy.db')
  const store = await openStore({ database: path })
  t.teardown(() => store.close())
  await store.people.create({ name: 'A' })
  t.ok(statSync(`${path}-wal`).size > 0)
  t.same(copyDatabase(path, copy), { people: 101, bytes: statSync(copy).size })
  t.equal(statSync(copy).mode & 0o777, 0o600)
  t.notOk(readdirSync(folder).some((name) => name.startsWith('copy.db.')))
  const copied = await openStore({ database: copy })
  t.teardown(() => copied.close())
  for (const { people } of [store, copied]) {
    t.match(await people.create({ name: 'B' }), { id: '102' })
  }
})

// oxfmt-ignore
const mistakes: readonly [title: string, prepare: (folder: string) => [from: string, to: string], message: RegExp][] = [
  ['a missing source',            () => ['none.db', 'copy.db'],                                            /none\.db: there is no such file/],
  ['a folder as source',          () => ['.', 'copy.db'],                                                  /there is no such file/],
  ['an existing target',          (at) => { writeFileSync(join(at, 'c.db'), ''); return ['people.db', 'c.db'] }, /c\.db exists/],
  ['the log of a missing target', (at) => { writeFileSync(join(at, 'c.db-wal'), 'x'); return ['people.db', 'c.db'] }, /c\.db-wal exists/],
  ['the database itself',         () => ['people.db', 'people.db'],                                        /people\.db exists/],
  ['a folder that is not there',  () => ['people.db', 'none/c.db'],                                        /Cannot copy .*ENOENT/],
  ['a file that is no database',  (at) => { writeFileSync(join(at, 'x.db'), 'x'.repeat(5_000)); return ['x.db', 'c.db'] }, /not a database/],
  ['another database',            (at) => { writeFileSync(join(at, 'x.db'), ''); return ['x.db', 'c.db'] }, /not a database of the people service/],
  ['a database that was cut',     (at) => { truncateSync(join(at, 'people.db'), 20_480); return ['people.db', 'c.db'] }, /malformed|damaged/],
]
for (const [title, prepare, message] of mistakes) {
  void t.test(`refuses ${title}, and leaves nothing behind`, async (t) => {
    const { folder } = await seeded(t)
    const [from, to] = prepare(folder)
    const before = readdirSync(folder).toSorted()
    const copy = () => copyDatabase(join(folder, from), join(folder, to))
    t.throws(copy, { name: 'StoreError', message })
    t.strictSame(readdirSync(folder).toSorted(), before)
    t.equal(existsSync(join(folder, 'none')), false)
  })
}
