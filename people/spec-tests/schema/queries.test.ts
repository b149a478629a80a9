import { onEachStore } from './on-each-store.js'
import type { Json } from './serve-schema.js'
import { ada, withAda } from './with-ada.js'

const whole = '{ name age email version address { street city country } friends { name } }'
const nothing = { age: null, email: null, address: null, version: 1 }
const [byName, ...others] = ['Ada', 'Bob', 'Cyd', 'Dot'].map((name) => ({ name }))
const [bob, cyd, dot] = others

// oxfmt-ignore
const rows: readonly [title: string, query: string, data: Json][] = [
  ['all of a person',         `{ person(id: $a) ${whole} }`,                     { person: { ...ada, version: 1, friends: [bob, cyd] } }],
  ['what is unknown',         `{ person(id: $b) ${whole} }`,                     { person: { name: 'Bob', ...nothing, friends: [byName] } }],
  ['a part of an address',    `{ person(id: $c) { age address { street city } } }`, { person: { age: 0, address: { street: null, city: 'Oslo' } } }],
  ['friends of friends',      '{ person(id: $c) { friends { name friends(limit: 1) { name } } } }', { person: { friends: [{ ...byName, friends: [bob] }] } }],
  ['no friends',              '{ person(id: $d) { friends { name } } }',         { person: { friends: [] } }],
  ['none and one of them',    '{ person(id: $a) { none: friends(limit: 0) { name } one: friends(limit: 1) { name } } }', { person: { none: [], one: [bob] } }],
  ['an unknown person',       '{ person(id: $none) { name } }',                  { person: null }],
  ['an impossible id',        '{ a: person(id: "x\\u0000") { name } b: person(id: "") { name } }', { a: null, b: null }],
  ['ids that look alike',     '{ a: person(id: "0001") { name } b: person(id: "99999999999999999999") { name } }', { a: null, b: null }],
  ['an unknown message',      '{ message(id: $none) { text } }',                 { message: null }],
  ['a message',               '{ message(id: $m) { text to { name friends { name } } } }', { message: { text: 'Hello', to: { ...bob, friends: [byName] } } }],
  ['people',                  '{ people { name } }',                             { people: [byName, ...others] }],
  ['people within a limit',   '{ people(limit: 2) { name } }',                   { people: [byName, bob] }],
  ['people after a person',   '{ people(after: $b) { name } }',                  { people: [cyd, dot] }],
  ['a page after a person',   '{ people(limit: 1, after: $b) { name } }',        { people: [cyd] }],
  ['no one after the last',   '{ people(after: $d) { name } }',                  { people: [] }],
  ['no one',                  '{ people(limit: 0) { name } }',                   { people: [] }],
  ['null, which is nothing',  '{ people(limit: null, after: null) { name } }',   { people: [byName, ...others] }],
]

onEachStore('queries of four persons', async (t, open) => {
  const { store, ask, id: a } = await withAda(open)
  const { id: b } = await store.people.create({ name: 'Bob' })
  const { id: c } = await store.people.create({ name: 'Cyd', age: 0, address: { city: 'Oslo' } })
  const { id: d } = await store.people.create({ name: 'Dot', age: 150 })
  await store.people.befriend(c, a)
  await store.people.befriend(a, b)
  const sent = await store.messages.send(b, 'Hello')
  const ids = { a, b, c, d, m: sent.ok ? sent.value.id : '', none: '999999' }
  for (const [title, query, data] of rows) {
    const used = Object.keys(ids).filter((name) => query.includes(`$${name})`))
    const declared = used.map((name) => `$${name}: ID!`).join()
    const document = declared === '' ? query : `query (${declared}) ${query}`
    t.strictSame(await ask(document, ids), { data }, title)
  }
})
