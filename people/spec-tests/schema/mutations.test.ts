import type { Test } from 'tap'
import { onEachStore, type OpenStore } from './on-each-store.js'
import { serveSchema, type Ask, type Json, type Variables } from './serve-schema.js'

const whole = '{ name age email address { street city country } version }'
const home = { street: '1 Square', city: 'London', country: 'UK' }
const ada = { name: 'Ada', age: 36, email: 'ada@example.org', address: home }

async function withAda(t: Test, open: OpenStore): Promise<{ ask: Ask; id: string }> {
  const { store } = await open()
  const { id } = await store.people.create(ada)
  return { ask: serveSchema(store), id }
}

// oxfmt-ignore
const updates: readonly [title: string, input: Variables, after: Variables][] = [
  ['nothing',                              {},                            ada],
  ['a name',                               { name: 'Eve' },               { ...ada, name: 'Eve' }],
  ['an age',                               { age: 37 },                   { ...ada, age: 37 }],
  ['an age to nothing',                    { age: null },                 { ...ada, age: null }],
  ['an email',                             { email: 'a@b' },              { ...ada, email: 'a@b' }],
  ['an email to nothing',                  { email: null },               { ...ada, email: null }],
  ['a part of the address',                { address: { city: 'Bath' } }, { ...ada, address: { ...home, city: 'Bath' } }],
  ['a part of the address to nothing',     { address: { city: null } },   { ...ada, address: { ...home, city: null } }],
  ['no part of the address',               { address: {} },               ada],
  ['the address to nothing',               { address: null },             { ...ada, address: null }],
  ['every part of the address to nothing', { address: { street: null, city: null, country: null } }, { ...ada, address: null }],
  [
    'everything',
    { name: 'Eve', age: 1, email: 'e@f', address: { street: 'S', city: 'C', country: 'D' } },
    { name: 'Eve', age: 1, email: 'e@f', address: { street: 'S', city: 'C', country: 'D' } },
  ],
]

const nothing = { age: null, email: null, address: null }
// oxfmt-ignore
const replacements: readonly [title: string, input: Variables, after: Variables][] = [
  ['a name alone',          { name: 'Eve' },                            { name: 'Eve', ...nothing }],
  ['a part of the address', { name: 'Eve', address: { city: 'Bath' } }, { name: 'Eve', ...nothing, address: { street: null, city: 'Bath', country: null } }],
  ['an empty address',      { name: 'Eve', address: {} },               { name: 'Eve', ...nothing }],
  ['everything',            { ...ada, name: 'Eve' },                    { ...ada, name: 'Eve' }],
]

onEachStore('mutations', (test) => {
  for (const [kind, type, rows] of [
    ['update', 'UpdatePersonInput', updates],
    ['replace', 'CreatePersonInput', replacements],
  ] as const) {
    test(`${kind}Person writes what it should`, async (t, open) => {
      const { store } = await open()
      const ask = serveSchema(store)
      for (const [title, input, after] of rows) {
        const { id } = await store.people.create(ada)
        const { data, errors } = await ask(
          `mutation ($id: ID!, $input: ${type}!) { written: ${kind}Person(id: $id, input: $input) ${whole} }`,
          { id, input },
        )
        t.equal(errors, undefined, title)
        t.strictSame(data.written, { ...after, version: 2 }, title)
        const read = await ask(`query ($id: ID!) { person(id: $id) ${whole} }`, { id })
        t.strictSame(read.data.person, data.written, title)
      }
    })
  }

  test('renamePerson writes the name alone', async (t, open) => {
    const { ask, id } = await withAda(t, open)
    const query = `mutation ($id: ID!) { renamePerson(id: $id, name: "Eve") ${whole} }`
    t.strictSame((await ask(query, { id })).data.renamePerson, { ...ada, name: 'Eve', version: 2 })
  })

  test('createPerson gives every person an id of its own', async (t, open) => {
    const { ask, id } = await withAda(t, open)
    const { data } = await ask(
      'mutation { a: createPerson(input: { name: "Ada" }) { id version friends { id } } b: createPerson(input: { name: "Ada" }) { id } }',
    )
    t.equal(new Set([id, data.a.id, data.b.id]).size, 3)
    t.strictSame([data.a.version, data.a.friends], [1, []])
  })

  test('every call for an unknown person is null, without an error', async (t, open) => {
    const { ask, id } = await withAda(t, open)
    for (const call of [
      'renamePerson(id: $id, name: "Eve")',
      'updatePerson(id: $id, input: { age: 1 })',
      'updatePerson(id: $id, input: { age: 1 }, ifVersion: 1)',
      'replacePerson(id: $id, input: { name: "Eve" })',
      'deletePerson(id: $id)',
      'befriend(id: $id, friend: $ada)',
      'unfriend(id: $id, friend: $ada)',
    ]) {
      const declared = call.includes('$ada') ? '($id: ID!, $ada: ID!)' : '($id: ID!)'
      for (const none of ['999999', '', 'x', '\0', '\ud800']) {
        const answer = await ask(`mutation ${declared} { it: ${call} { id } }`, {
          id: none,
          ada: id,
        })
        t.strictSame(answer, { data: { it: null } }, `${call} of ${JSON.stringify(none)}`)
      }
    }
  })

  test('an unknown person in another argument is NOT_FOUND', async (t, open) => {
    const { ask, id } = await withAda(t, open)
    for (const [call, argument] of [
      ['sendMessage(to: $none, text: "Hello")', 'to'],
      ['befriend(id: $id, friend: $none)', 'friend'],
      ['unfriend(id: $id, friend: $none)', 'friend'],
    ] as const) {
      const declared = call.includes('$id') ? '($id: ID!, $none: ID!)' : '($none: ID!)'
      for (const none of ['999999', '', 'x', '\0', '\ud800']) {
        const { data, errors } = await ask(`mutation ${declared} { it: ${call} { id } }`, {
          id,
          none,
        })
        const title = `${call} with ${JSON.stringify(none)}`
        t.strictSame(data, { it: null }, title)
        const message = `${argument} must be the id of an existing person.`
        t.equal(errors?.[0]?.message, message, title)
        const expected = { code: 'NOT_FOUND', errors: [{ path: [argument], message }] }
        t.strictSame(errors?.[0]?.extensions, expected, title)
      }
    }
  })

  test('sendMessage answers what can be read later', async (t, open) => {
    const { ask, id } = await withAda(t, open)
    const fields = '{ id text sentAt to { id name } }'
    const { data } = await ask(
      `mutation ($id: ID!) { sendMessage(to: $id, text: "Hello") ${fields} }`,
      { id },
    )
    t.match(data.sendMessage.sentAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    t.strictSame(data.sendMessage.to, { id, name: 'Ada' })
    const read = await ask(`query ($id: ID!) { message(id: $id) ${fields} }`, {
      id: data.sendMessage.id,
    })
    t.strictSame(read.data.message, data.sendMessage)
  })

  test('befriend and unfriend are mutual, may be repeated, and leave versions alone', async (t, open) => {
    const { ask, id } = await withAda(t, open)
    const bob = (await ask('mutation { createPerson(input: { name: "Bob" }) { id } }')).data
      .createPerson.id
    for (const [change, ofAda, ofBob] of [
      ['befriend', ['Bob'], ['Ada']],
      ['unfriend', [], []],
    ] as const) {
      for (const _ of ['once', 'twice']) {
        const { data } = await ask(
          `mutation ($id: ID!, $friend: ID!) { it: ${change}(id: $id, friend: $friend) { name version friends { name version friends { name } } } }`,
          { id, friend: bob },
        )
        t.strictSame(data.it, {
          name: 'Ada',
          version: 1,
          friends: ofAda.map((name) => ({
            name,
            version: 1,
            friends: ofBob.map((other) => ({ name: other })),
          })),
        })
      }
    }
  })

  test('deletePerson shows the person as it was, without friends', async (t, open) => {
    const { ask, id } = await withAda(t, open)
    const bob = (await ask('mutation { createPerson(input: { name: "Bob" }) { id } }')).data
      .createPerson.id
    await ask('mutation ($a: ID!, $b: ID!) { befriend(id: $a, friend: $b) { id } }', {
      a: id,
      b: bob,
    })
    const sent = await ask('mutation ($id: ID!) { sendMessage(to: $id, text: "Hello") { id } }', {
      id,
    })
    const { data } = await ask(
      'mutation ($id: ID!) { deletePerson(id: $id) { id name age email address { street city country } friends { id } version } again: deletePerson(id: $id) { id } }',
      { id },
    )
    t.strictSame(data, { deletePerson: { id, ...ada, friends: [], version: 1 }, again: null })
    const after = await ask(
      'query ($a: ID!, $b: ID!, $m: ID!) { a: person(id: $a) { id } b: person(id: $b) { friends { id } } message(id: $m) { id } people { id } }',
      { a: id, b: bob, m: sent.data.sendMessage.id },
    )
    t.strictSame(after, {
      data: { a: null, b: { friends: [] }, message: null, people: [{ id: bob }] },
    })
  })

  test('deletePerson of a person without an address shows none', async (t, open) => {
    const { ask } = await withAda(t, open)
    const bob = (await ask('mutation { createPerson(input: { name: "Bob" }) { id } }')).data
      .createPerson.id
    const { data } = await ask(
      'mutation ($id: ID!) { deletePerson(id: $id) { name address { city } } }',
      { id: bob },
    )
    t.strictSame(data.deletePerson, { name: 'Bob', address: null })
  })

  test('a later mutation of a request shows what all before it have written', async (t, open) => {
    const { ask, id } = await withAda(t, open)
    const bob = (await ask('mutation { createPerson(input: { name: "Bob" }) { id } }')).data
      .createPerson.id
    const seen = '{ name address { city } friends { name address { city } } }'
    const { data } = await ask(
      `mutation ($a: ID!, $b: ID!) {
        one: befriend(id: $a, friend: $b) ${seen}
        two: updatePerson(id: $b, input: { name: "Rob", address: { city: "Rome" } }) ${seen}
        three: updatePerson(id: $a, input: { address: { city: "Bath" } }) ${seen}
        four: sendMessage(to: $b, text: "Hello") { to ${seen} }
        five: deletePerson(id: $b) ${seen}
        six: renamePerson(id: $a, name: "Eve") ${seen}
      }`,
      { a: id, b: bob },
    )
    const person = (name: string, city: string | null, friends: readonly Json[] = []) => ({
      name,
      address: city === null ? null : { city },
      friends,
    })
    const [london, bath, rome] = [{ city: 'London' }, { city: 'Bath' }, { city: 'Rome' }]
    t.strictSame(data, {
      one: person('Ada', 'London', [{ name: 'Bob', address: null }]),
      two: person('Rob', 'Rome', [{ name: 'Ada', address: london }]),
      three: person('Ada', 'Bath', [{ name: 'Rob', address: rome }]),
      four: { to: person('Rob', 'Rome', [{ name: 'Ada', address: bath }]) },
      five: person('Rob', 'Rome'),
      six: person('Eve', 'Bath'),
    })
  })
})

onEachStore('ifVersion', (test) => {
  const calls = [
    'updatePerson(id: $id, input: { name: "Eve" }, ifVersion: $version)',
    'replacePerson(id: $id, input: { name: "Eve" }, ifVersion: $version)',
    'deletePerson(id: $id, ifVersion: $version)',
  ]
  for (const call of calls) {
    const query = `mutation ($id: ID!, $version: Int) { it: ${call} { version } }`

    test(`${call} writes at the version that is there, and with null at any`, async (t, open) => {
      const { store } = await open()
      const ask = serveSchema(store)
      for (const version of [1, null, undefined]) {
        const { id } = await store.people.create(ada)
        t.equal((await ask(query, { id, version })).errors, undefined)
      }
    })

    test(`${call} is CONFLICT at every other version, and writes nothing`, async (t, open) => {
      const { ask, id } = await withAda(t, open)
      for (const version of [0, 2, -1, 2_147_483_647]) {
        const { data, errors } = await ask(query, { id, version })
        t.strictSame(data, { it: null })
        t.equal(errors?.[0]?.message, 'The person is at version 1, not at the expected version.')
        t.strictSame(errors?.[0]?.extensions, { code: 'CONFLICT', version: 1 })
      }
      const { data } = await ask(`query ($id: ID!) { person(id: $id) ${whole} }`, { id })
      t.strictSame(data.person, { ...ada, version: 1 })
    })
  }

  test('lets one of many concurrent writes through', async (t, open) => {
    const { ask, id } = await withAda(t, open)
    for (let version = 1; version <= 5; version++) {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, at) =>
          ask(
            'mutation ($id: ID!, $name: String!, $version: Int) { updatePerson(id: $id, input: { name: $name }, ifVersion: $version) { name version } }',
            { id, name: `Writer ${at}`, version },
          ),
        ),
      )
      const written = answers.flatMap(({ data }) => (data.updatePerson ? [data.updatePerson] : []))
      t.equal(written.length, 1)
      t.equal(written[0].version, version + 1)
      const codes = answers.flatMap(
        ({ errors }) => errors?.map((error) => error.extensions.code) ?? [],
      )
      t.strictSame(codes, Array(19).fill('CONFLICT'))
      const { data } = await ask('query ($id: ID!) { person(id: $id) { name version } }', { id })
      t.strictSame(data.person, written[0])
    }
  })
})
