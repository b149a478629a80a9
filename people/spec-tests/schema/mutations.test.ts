import { onEachStore } from './on-each-store.js'
import type { Json } from './serve-schema.js'
import { ada, withAda } from './with-ada.js'

const whole = '{ name age email address { street city country } version }'
const absent = ['999999', '', 'x', '\0', '\ud800']

onEachStore('a mutation of an unknown person is null, without an error', async (t, open) => {
  const { ask, id } = await withAda(open)
  for (const call of [
    'renamePerson(id: $id, name: "Eve")',
    'updatePerson(id: $id, input: { age: 1 }, ifVersion: 1)',
    'replacePerson(id: $id, input: { name: "Eve" })',
    'deletePerson(id: $id)',
    'befriend(id: $id, friend: $ada)',
    'unfriend(id: $id, friend: $ada)',
  ]) {
    const declared = call.includes('$ada') ? '($id: ID!, $ada: ID!)' : '($id: ID!)'
    for (const none of absent) {
      const query = `mutation ${declared} { it: ${call} { id } }`
      const title = `${call} of ${JSON.stringify(none)}`
      t.strictSame(await ask(query, { id: none, ada: id }), { data: { it: null } }, title)
    }
  }
})

onEachStore('an unknown person in another argument is NOT_FOUND', async (t, open) => {
  const { ask, id } = await withAda(open)
  for (const [call, argument] of [
    ['sendMessage(to: $none, text: "Hello")', 'to'],
    ['befriend(id: $id, friend: $none)', 'friend'],
    ['unfriend(id: $id, friend: $none)', 'friend'],
  ] as const) {
    const declared = call.includes('$id') ? '($id: ID!, $none: ID!)' : '($none: ID!)'
    for (const none of absent) {
      const query = `mutation ${declared} { it: ${call} { id } }`
      const { data, errors } = await ask(query, { id, none })
      const title = `${call} with ${JSON.stringify(none)}`
      t.strictSame(data, { it: null }, title)
      const message = `${argument} must be the id of an existing person.`
      t.equal(errors?.[0]?.message, message, title)
      const expected = { code: 'NOT_FOUND', errors: [{ path: [argument], message }] }
      t.strictSame(errors?.[0]?.extensions, expected, title)
    }
  }
})

onEachStore('a later mutation shows what all before it have written', async (t, open) => {
  const { store, ask, id } = await withAda(open)
  const { id: bob } = await store.people.create({ name: 'Bob' })
  const { id: cyd } = await store.people.create({ name: 'Cyd' })
  const seen = '{ name address { city } friends { name address { city } } }'
  const { data } = await ask(
    `mutation ($a: ID!, $b: ID!, $c: ID!) {
      one: befriend(id: $a, friend: $b) ${seen}
      two: updatePerson(id: $b, input: { name: "Rob", address: { city: "Rome" } }) ${seen}
      three: updatePerson(id: $a, input: { address: { city: "Bath" } }) ${seen}
      four: sendMessage(to: $b, text: "Hello") { to ${seen} }
      five: unfriend(id: $b, friend: $a) ${seen}
      six: befriend(id: $b, friend: $a) { name }
      seven: deletePerson(id: $b) ${seen}
      eight: renamePerson(id: $a, name: "Eve") ${seen}
      nine: deletePerson(id: $c) ${seen}
    }`,
    { a: id, b: bob, c: cyd },
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
    six: { name: 'Rob' },
    seven: person('Rob', 'Rome'),
    eight: person('Eve', 'Bath'),
    nine: person('Cyd', null),
  })
})

for (const call of [
  'updatePerson(id: $id, input: { name: "Eve" }, ifVersion: $version)',
  'replacePerson(id: $id, input: { name: "Eve" }, ifVersion: $version)',
  'deletePerson(id: $id, ifVersion: $version)',
]) {
  onEachStore(`${call} is CONFLICT, and writes nothing`, async (t, open) => {
    const { store, ask, id } = await withAda(open)
    const query = `mutation ($id: ID!, $version: Int) { it: ${call} { version } }`
    for (const version of [0, 2, -1, 2_147_483_647]) {
      const { data, errors } = await ask(query, { id, version })
      t.strictSame(data, { it: null })
      t.equal(errors?.[0]?.message, 'The person is at version 1, not at the expected version.')
      t.strictSame(errors?.[0]?.extensions, { code: 'CONFLICT', version: 1 })
    }
    const { data } = await ask(`query ($id: ID!) { person(id: $id) ${whole} }`, { id })
    t.strictSame(data.person, { ...ada, version: 1 })
    for (const version of [1, null, undefined]) {
      const { id: other } = await store.people.create(ada)
      t.equal((await ask(query, { id: other, version })).errors, undefined)
    }
  })
}
