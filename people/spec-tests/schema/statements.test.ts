import { onEachStore } from './on-each-store.js'
import { serveSchema } from './serve-schema.js'

// oxfmt-ignore
const queries: readonly [title: string, query: string, statements: number][] = [
  ['one person',                                         '{ person(id: 1) { name age email version } }',                                                  1],
  ['one person with the address',                        '{ person(id: 1) { name address { city } } }',                                                   1],
  ['many persons by id',                                 '{ a: person(id: 1) { name } b: person(id: 2) { name } }',                                       1],
  ['the same person twice',                              '{ a: person(id: 1) { name } b: person(id: 1) { age } }',                                        1],
  ['a page',                                             '{ people(limit: 50) { name age email version } }',                                              1],
  ['a page with friends',                                '{ people(limit: 50) { friends(limit: 5) { name } } }',                                          2],
  ['a page with friends, their addresses and their own', '{ people(limit: 50) { friends(limit: 5) { name address { city } } address { city } } }',        4],
  ['friends of friends of friends',                      '{ people(limit: 5) { friends(limit: 5) { friends(limit: 5) { friends(limit: 5) { id } } } } }', 4],
  ['friends within two limits',                          '{ people(limit: 50) { a: friends(limit: 1) { name } b: friends(limit: 2) { name } } }',         3],
  [
    'friends within the default and the same as a number',
    '{ people(limit: 50) { a: friends { name } b: friends(limit: 10) { name } c: friends(limit: null) { name } } }',
    2,
  ],
  [
    'what one list has read and another asks for',
    '{ people(limit: 50) { friends(limit: 5) { address { city } } } more: person(id: 1) { address { city } } }',
    5,
  ],
]

onEachStore('the number of statements', (test) => {
  for (const [title, query, most] of queries) {
    test(`${title} takes at most ${most} reading statements`, async (t, open) => {
      const { store, statements } = await open({ seeded: true })
      const ask = serveSchema(store)
      statements.length = 0
      const { data, errors } = await ask(query)
      t.equal(errors, undefined)
      t.ok(data)
      const reads = statements.filter((sql) => /^\s*(select|with)/i.test(sql))
      t.ok(reads.length > 0)
      t.ok(reads.length <= most, reads.join('\n'))
      t.equal(reads.length, statements.length, 'and no others')
    })
  }

  test('a page costs no more statements than one person of it', async (t, open) => {
    const { store, statements } = await open({ seeded: true })
    const ask = serveSchema(store)
    const counts: number[] = []
    for (const limit of [1, 100]) {
      statements.length = 0
      const { data } = await ask(
        'query ($limit: Int) { people(limit: $limit) { friends(limit: 5) { name address { city } } address { city } } }',
        { limit },
      )
      t.equal(data.people.length, limit)
      counts.push(statements.length)
    }
    t.strictSame(counts, [4, 3], 'of a whole page, all addresses are its own')
  })

  test('two requests share nothing that was loaded', async (t, open) => {
    const { store, statements } = await open({ seeded: true })
    const ask = serveSchema(store)
    await ask('{ person(id: 1) { name } }')
    statements.length = 0
    await ask('{ person(id: 1) { name } }')
    t.equal(statements.length, 1)
  })
})
