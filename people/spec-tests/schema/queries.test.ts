import type { Test } from 'tap'
import { onEachStore, type OpenStore } from './on-each-store.js'
import { serveSchema, type Ask, type Json, type Variables } from './serve-schema.js'

const ada = {
  name: 'Ada',
  age: 36,
  email: 'ada@example.org',
  address: { street: '1 Square', city: 'London', country: 'UK' },
}

interface Known {
  readonly ask: Ask
  /** The ids by name, for variables. */
  readonly ids: Variables
}

/** Ada knows Bob and Cyd; Bob lives nowhere, of Cyd only the city is known; Dot knows nobody. */
async function withFour(t: Test, open: OpenStore): Promise<Known> {
  const { store } = await open()
  const a = await store.people.create(ada)
  const b = await store.people.create({ name: 'Bob' })
  const c = await store.people.create({ name: 'Cyd', age: 0, address: { city: 'Oslo' } })
  const d = await store.people.create({ name: 'Dot', age: 150 })
  await store.people.befriend(c.id, a.id)
  await store.people.befriend(a.id, b.id)
  const sent = await store.messages.send(b.id, 'Hello')
  if (!sent.ok) throw new Error('Bob is there.')
  const ids = { a: a.id, b: b.id, c: c.id, d: d.id, m: sent.value.id, none: '999999' }
  return { ask: serveSchema(store), ids }
}

// oxfmt-ignore
const rows: readonly [title: string, query: string, data: Json][] = [
  ['a person has an id',                   '{ person(id: $a) { id } }',                              (ids: Json) => ({ person: { id: ids.a } })],
  ['a person has a name',                  '{ person(id: $a) { name } }',                            { person: { name: 'Ada' } }],
  ['a person has an age',                  '{ person(id: $a) { age } }',                             { person: { age: 36 } }],
  ['an age may be 0',                      '{ person(id: $c) { age } }',                             { person: { age: 0 } }],
  ['an age may be unknown',                '{ person(id: $b) { age } }',                             { person: { age: null } }],
  ['a person has an email',                '{ person(id: $a) { email } }',                           { person: { email: ada.email } }],
  ['an email may be unknown',              '{ person(id: $b) { email } }',                           { person: { email: null } }],
  ['a new person has version 1',           '{ person(id: $a) { version } }',                         { person: { version: 1 } }],
  ['friendships do not count as versions', '{ person(id: $c) { version friends { version } } }',     { person: { version: 1, friends: [{ version: 1 }] } }],
  ['a person has an address',              '{ person(id: $a) { address { street city country } } }', { person: { address: ada.address } }],
  [
    'parts of an address may be unknown',
    '{ person(id: $c) { address { street city country } } }',
    { person: { address: { street: null, city: 'Oslo', country: null } } },
  ],
  ['an address may be unknown',                    '{ person(id: $b) { address { city } } }', { person: { address: null } }],
  ['friends stand in the order of their creation', '{ person(id: $a) { friends { name } } }', { person: { friends: [{ name: 'Bob' }, { name: 'Cyd' }] } }],
  [
    'friendship is mutual',
    '{ person(id: $c) { friends { name friends(limit: 1) { name } } } }',
    { person: { friends: [{ name: 'Ada', friends: [{ name: 'Bob' }] }] } },
  ],
  ['friends may be none',                    '{ person(id: $d) { friends { name } } }',           { person: { friends: [] } }],
  ['no friends can be asked for',            '{ person(id: $a) { friends(limit: 0) { name } } }', { person: { friends: [] } }],
  ['one friend can be asked for',            '{ person(id: $a) { friends(limit: 1) { name } } }', { person: { friends: [{ name: 'Bob' }] } }],
  ['an unknown person is null',              '{ person(id: $none) { name } }',                    { person: null }],
  ['an impossible id is no person',          '{ person(id: "x\\u0000") { name } }',               { person: null }],
  ['an empty id is no person',               '{ person(id: "") { name } }',                       { person: null }],
  ['an id with leading zeros is no person',  '{ person(id: "0001") { name } }',                   { person: null }],
  ['an id beyond all integers is no person', '{ person(id: "99999999999999999999") { name } }',   { person: null }],
  ['an unknown message is null',             '{ message(id: $none) { text } }',                   { message: null }],
  ['a message has a text',                   '{ message(id: $m) { text } }',                      { message: { text: 'Hello' } }],
  ['a message has an id',                    '{ message(id: $m) { id } }',                        (ids: Json) => ({ message: { id: ids.m } })],
  ['a message was sent to a person', '{ message(id: $m) { to { name friends { name } } } }', { message: { to: { name: 'Bob', friends: [{ name: 'Ada' }] } } }],
  ['people stand in the order of their creation', '{ people { name } }', { people: [{ name: 'Ada' }, { name: 'Bob' }, { name: 'Cyd' }, { name: 'Dot' }] }],
  ['people within a limit',                  '{ people(limit: 2) { name } }',                     { people: [{ name: 'Ada' }, { name: 'Bob' }] }],
  ['people after a person',                  '{ people(after: $b) { name } }',                    { people: [{ name: 'Cyd' }, { name: 'Dot' }] }],
  ['a page after a person',                  '{ people(limit: 1, after: $b) { name } }',          { people: [{ name: 'Cyd' }] }],
  ['no person follows the last',             '{ people(after: $d) { name } }',                    { people: [] }],
  ['no people can be asked for',             '{ people(limit: 0) { name } }',                     { people: [] }],
  [
    'null as a limit and an id to begin after is as good as nothing',
    '{ people(limit: null, after: null) { name } }',
    { people: [{ name: 'Ada' }, { name: 'Bob' }, { name: 'Cyd' }, { name: 'Dot' }] },
  ],
  [
    'aliases ask for the same field twice',
    '{ first: person(id: $a) { name } second: person(id: $b) { called: name } }',
    { first: { name: 'Ada' }, second: { called: 'Bob' } },
  ],
  [
    'fragments are spread, inline ones too',
    '{ person(id: $a) { ...Who ... on Person { age } ... { version } } } fragment Who on Person { name friends { ...Named } } fragment Named on Person { name }',
    { person: { name: 'Ada', friends: [{ name: 'Bob' }, { name: 'Cyd' }], age: 36, version: 1 } },
  ],
  [
    '@skip and @include decide what is answered',
    '{ person(id: $a) { name @skip(if: true) age @include(if: false) email @include(if: true) version @skip(if: false) } }',
    { person: { email: ada.email, version: 1 } },
  ],
  ['types tell their names', '{ __typename person(id: $a) { __typename address { __typename } } message(id: $m) { __typename } }', {
    __typename: 'Query',
    person: { __typename: 'Person', address: { __typename: 'Address' } },
    message: { __typename: 'Message' },
  }],
]

/** Declares the ids that a query names as variables. */
function declare(query: string, ids: Variables): string {
  const used = Object.keys(ids).filter((name) => new RegExp(`\\$${name}\\b`).test(query))
  return used.length === 0
    ? query
    : `query (${used.map((name) => `$${name}: ID!`).join()}) ${query}`
}

onEachStore('queries', (test) => {
  test('of four persons', async (t, open) => {
    const { ask, ids } = await withFour(t, open)
    for (const [title, query, data] of rows) {
      const expected: unknown = typeof data === 'function' ? data(ids) : data
      t.strictSame(await ask(declare(query, ids), ids), { data: expected }, title)
    }
  })

  test('variables have defaults, which null and values replace', async (t, open) => {
    const { ask, ids } = await withFour(t, open)
    const query =
      'query ($limit: Int = 1, $deep: Boolean = false) { people(limit: $limit) { name age @include(if: $deep) } }'
    t.strictSame(await ask(query), { data: { people: [{ name: 'Ada' }] } })
    t.equal((await ask(query, { limit: 3 })).data.people.length, 3)
    t.equal((await ask(query, { limit: null })).data.people.length, 4)
    t.strictSame((await ask(query, { deep: true })).data.people, [{ name: 'Ada', age: 36 }])
    t.ok(ids['a'])
  })

  test('the operation of a document is chosen by its name', async (t, open) => {
    const { ask } = await withFour(t, open)
    const document =
      'query One { people(limit: 1) { name } } query Two { people(limit: 2) { name } }'
    t.equal((await ask(document, {}, { operationName: 'Two' })).data.people.length, 2)
    t.equal((await ask(document, {}, { operationName: 'One' })).data.people.length, 1)
    t.equal((await ask(document)).errors?.length, 1)
  })

  test('ten people and ten friends are given where no limit is', async (t, open) => {
    const { store } = await open()
    const people = []
    for (let count = 0; count < 12; count++) {
      people.push(await store.people.create({ name: `Person ${count}` }))
    }
    const [first, ...others] = people
    for (const other of others) await store.people.befriend(first?.id ?? '', other.id)
    const { data } = await serveSchema(store)('{ people { friends { id } } }')
    t.equal(data.people.length, 10)
    t.equal(data.people[0].friends.length, 10)
  })

  test('every page of 100 seeded persons follows the one before', async (t, open) => {
    const { store } = await open({ seeded: true })
    const ask = serveSchema(store)
    const seen: string[] = []
    for (let pages = 0; pages < 20; pages++) {
      const { data } = await ask('query ($after: ID) { people(limit: 7, after: $after) { id } }', {
        after: seen.at(-1) ?? null,
      })
      if (data.people.length === 0) break
      seen.push(...data.people.map((person: Json) => person.id))
    }
    t.strictSame(
      seen,
      Array.from({ length: 100 }, (_, at) => String(at + 1)),
    )
  })
})
