import { createLoaders } from '../../schema/context.js'
import { onEachStore } from './on-each-store.js'

// oxfmt-ignore
const queries: readonly [title: string, query: string, statements: number][] = [
  ['one person',                                         '{ person(id: 1) { name age email version } }',                                                  1],
  ['one person with the address',                        '{ person(id: 1) { name address { city } } }',                                                   1],
  ['many persons by id',                                 '{ a: person(id: 1) { name } b: person(id: 2) { name } }',                                       1],
  ['the same person twice',                              '{ a: person(id: 1) { name } b: person(id: 1) { age } }',                                        1],
  ['a page',                                             '{ people(limit: 50) { name age email version } }',                                              1],
  ['a page with friends',                                '{ people(limit: 50) { friends(limit: 5) { name } } }',                                          2],
  ['a page with friends, their addresses and their own', '{ people(limit: 50) { friends(limit: 5) { name address { city } } address { city } } }',        2],
    ['friends of friends of friends',                      '{ people(limit: 5) { friends(limit: 5) { friends(limit: 5) { friends(limit: 5) { id } } } } }', 4],
  ['friends within two limits',                          '{ people(limit: 50) { a: friends(limit: 1) { name } b: friends(limit: 2) { name } } }',         3],
  [
    'friends within the default and the same as a number',
    '{ people(limit: 50) { a: friends { name } b: friends(limit: 10) { name } c: friends(limit: null) { name } } }',
    2,
  ],
]

for (const [title, query, count] of queries) {
  onEachStore(`${title} takes ${count} reading statements`, async (t, open) => {
    const { ask, statements } = await open({ seeded: true })
    statements.length = 0
    t.equal((await ask(query)).errors, undefined)
    t.equal(statements.length, count, statements.join('\n'))
    t.ok(statements.every((sql) => /^\s*(select|with)/i.test(sql)))
  })
}

onEachStore('two requests share nothing that was loaded', async (t, open) => {
  const { ask, statements } = await open({ seeded: true })
  await ask('{ person(id: 1) { name } }')
  statements.length = 0
  await ask('{ person(id: 1) { name } }')
  t.equal(statements.length, 1)
})

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

const taken = [
  '{ people(limit: 100) { id name age email version address { street city country } } }',
  '{ people(limit: 100) { friends(limit: 20) { name } } }',
  '{ people(limit: 100) { friends(limit: 98) { name } } }',
  '{ people(limit: 100) { name friends { name address { city country } friends(limit: 1) { name } } } }',
  '{ people { friends { friends { friends { name } } } } }',
  '{ person(id: 1) { friends(limit: 100) { friends(limit: 90) { name } } } }',
]

const refused = [
  '{ people(limit: 100) { friends(limit: 100) { id name age } } }',
  '{ people { friends { friends { friends { friends { name } } } } } }',
]

onEachStore('clients get what they need, and no lists of lists of lists', async (t, open) => {
  const { ask, statements } = await open({ seeded: true })
  for (const query of taken) t.equal((await ask(query)).errors, undefined, query)
  statements.length = 0
  for (const query of refused) {
    const { data, errors } = await ask(query)
    t.equal(data, undefined)
    t.match(errors?.[0]?.message, /cost/i, query)
  }
  t.strictSame(statements, [])
})
