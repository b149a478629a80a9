import { createLoaders } from '../../schema/context.js'
import { onEachStore } from './on-each-store.js'

onEachStore('loaders', (test) => {
  test('do not load persons that were kept, nor the friends that they have loaded', async (t, open) => {
    const { store, statements } = await open({ seeded: true })
    const loaders = createLoaders(store.people, true)
    const friends = await loaders.friends('1', 3)
    const page = await store.people.page(100)
    t.ok(friends.length > 0 && page.ok)
    statements.length = 0
    for (const friend of friends) t.equal(await loaders.person(friend.id), friend)
    loaders.keep(page.ok ? page.value.people : [])
    t.equal((await loaders.person('100'))?.id, '100')
    t.strictSame(statements, [])
  })

  test('of a mutation read again what they have loaded', async (t, open) => {
    const { store, statements } = await open({ seeded: true })
    const loaders = createLoaders(store.people, false)
    statements.length = 0
    await Promise.all([loaders.person('1'), loaders.person('2')])
    t.equal(statements.length, 1)
    await loaders.person('1')
    t.equal(statements.length, 2)
  })
})
