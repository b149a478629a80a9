import t from 'tap'
import { createDemo } from '../../access/demo.js'
import { onEachDatabase } from '../store/databases.js'
import type { Store } from '../../store/store.js'
import { addKey, addLogin, dataOf, serveAccess } from './served.js'

await onEachDatabase(t, 'demo', async (t, open) => {
  const store = await open()
  await t.test('what is printed works', async (t) => {
    const lines = await createDemo(store)
    const [, key = ''] = /^demo key: (gw_[\w-]{43})$/.exec(lines[0] ?? '') ?? []
    const [, password = ''] = /^demo login: demo \/ ([\w-]{16})$/.exec(lines[1] ?? '') ?? []
    t.equal(lines.length, 2)
    const served = await serveAccess(t, { store })
    t.equal(dataOf(await served.run('mutation { write }', 'X-API-Key', key), 'write'), 1)
    const { json } = await served.logIn('demo', password)
    const bearer = ['Authorization', `Bearer ${String(json['token'])}`]
    t.equal(dataOf(await served.run('mutation { write }', ...bearer), 'write'), 1)
  })
  await t.test('a second start says that they exist', async (t) => {
    t.same(await createDemo(store), [
      'demo key: exists already, and was printed when it was made',
      'demo login: exists already, and was printed when it was made',
    ])
    t.equal((await store.keys.list('2026-08-01')).length, 1)
    t.equal((await store.logins.list()).length, 1)
  })
  await t.test('what an operator has taken away does not come back', async (t) => {
    await store.keys.revoke('demo')
    await store.logins.remove('demo')
    t.same(await createDemo(store), [])
    t.same(await store.logins.list(), [])
  })
})

const rows: readonly [name: string, add: (store: Store) => Promise<unknown>][] = [
  ['a key', (store) => addKey(store, 'ci')],
  ['a login', (store) => addLogin(store, 'ann', 'secret')],
]
for (const [name, add] of rows) {
  await onEachDatabase(t, `a database with ${name} gets no demo`, async (t, open) => {
    const store = await open()
    await add(store)
    t.same(await createDemo(store), [])
    t.equal(await store.logins.find('demo'), undefined)
    t.notOk((await store.keys.list('2026-08-01')).some((key) => key.name === 'demo'))
  })
}
