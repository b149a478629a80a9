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
