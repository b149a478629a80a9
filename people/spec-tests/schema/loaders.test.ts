import { createLoaders } from '../../schema/context.js'
import { onEachStore } from './on-each-store.js'

onEachStore('loaders load neither persons that were kept nor loaded friends', async (t, open) => {
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
