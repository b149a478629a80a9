import t from 'tap'
import { createDemo } from '../../commands/commands.js'
import { onEachDatabase, onSharedDatabases } from '../store/databases.js'
import type { Store } from '../../store/open-store.js'
import { addKey, addLogin, dataOf, serveAccess } from './served.js'

const origin = 'http://localhost:4000'

await onEachDatabase(t, 'demo', async (t, open) => {
  const store = await open()
  await t.test('what is printed works', async (t) => {
    const lines = await createDemo(store, origin)
    const [, key = ''] = /^demo key: (gw_[\w-]{43})$/.exec(lines[0] ?? '') ?? []
    const [, password = ''] = /^demo login: demo \/ ([\w-]{16})$/.exec(lines[1] ?? '') ?? []
    t.equal(lines[2], `demo page: ${origin}/#key=${key}`)
    t.equal(lines.length, 3)
    const served = await serveAccess(t, { store })
    t.equal(dataOf(await served.run('mutation { write }', { 'X-API-Key': key }), 'write'), 1)
    const bearer = await served.bearer('demo', password)
    t.equal(dataOf(await served.run('mutation { write }', bearer), 'write'), 1)
  })
  await t.test('credentials that an operator removed do not come back', async (t) => {
    await store.keys.revoke('demo')
    await store.logins.remove('demo')
    t.same(await createDemo(store, origin), [])
    t.same(await store.logins.list(), [])
  })
})

for (const table of ['api_keys', 'logins']) {
  await onEachDatabase(t, `a start that is cut short behind ${table}`, async (t, open) => {
    let isCut = false
    const store = await open({
      onStatement: (sql) => {
        if (isCut || !sql.includes(`insert into ${table}`)) return
        isCut = true
        throw new Error('cut')
      },
    })
    await t.rejects(createDemo(store, origin), { message: 'cut' })
    t.same(await store.keys.list(''), [], 'no key that was never printed')
    const lines = [/^demo key: gw_/, /^demo login: demo \/ [\w-]{16}$/, /^demo page: /]
    t.match(await createDemo(store, origin), lines)
  })
}

await onSharedDatabases(t, 'of two starts at once one prints', async (t, open) => {
  const stores = [await open(), await open()]
  const printed = await Promise.all(stores.map((store) => createDemo(store, origin)))
  const [key = [], login = []] = [0, 1].map((at) => printed.map((lines) => lines[at] ?? ''))
  t.equal(key.filter((line) => line.includes('gw_')).length, 1)
  t.equal(login.filter((line) => line.includes('demo / ')).length, 1)
})

const rows: readonly [name: string, add: (store: Store) => Promise<unknown>][] = [
  ['a key', (store) => addKey(store, 'ci')],
  ['a login', (store) => addLogin(store, 'ann', 'secret')],
]
for (const [name, add] of rows) {
  await onEachDatabase(t, `a database with ${name} gets no demo`, async (t, open) => {
    const store = await open()
    await add(store)
    t.same(await createDemo(store, origin), [])
    t.equal(await store.logins.find('demo'), undefined)
    t.notOk((await store.keys.list('2026-08-01')).some((key) => key.name === 'demo'))
  })
}
