import t from 'tap'
import { missingScope } from '../../access/requires.js'
import type { Principal } from '../../access/principal.js'
import type { Scope } from '../../store/store.js'
import { onEachStore } from './on-each-store.js'
import { serveSchema, writer } from './serve-schema.js'

const anonymous: Principal = { ...writer, scopes: new Set(), key: undefined, isKnown: false }
const reader: Principal = { ...writer, scopes: new Set(['read']) }
const off: Principal = { ...anonymous, scopes: new Set(['read', 'write']) }

// oxfmt-ignore
const scopes: readonly [
  who: string,
  principal: Principal,
  scope: Scope,
  kind: string | undefined,
][] = [
  ['nobody known',                      anonymous,                                 'read',  'unauthenticated'],
  ['nobody known',                      anonymous,                                 'write', 'unauthenticated'],
  ['a reader',                          reader,                                    'read',  undefined],
  ['a reader',                          reader,                                    'write', 'forbidden'],
  ['a writer alone',                    { ...writer, scopes: new Set(['write']) }, 'read',  undefined],
  ['a writer alone',                    { ...writer, scopes: new Set(['write']) }, 'write', undefined],
  ['a credential without scopes',       { ...writer, scopes: new Set() },          'read',  'forbidden'],
  ['any client if nothing is required', off,                                       'write', undefined],
]

for (const [who, principal, scope, kind] of scopes) {
  void t.test(`${who} and the scope ${scope}: ${kind ?? 'may'}`, async (t) => {
    t.equal(missingScope(principal, scope)?.kind, kind)
  })
}

const mutations = [
  'renamePerson(id: 1, name: "")',
  'createPerson(input: { name: "" })',
  'updatePerson(id: 1, input: { name: null })',
  'replacePerson(id: 1, input: { name: "" })',
  'deletePerson(id: 1)',
  'sendMessage(to: 1, text: "")',
  'befriend(id: 1, friend: 1)',
  'unfriend(id: 1, friend: 1)',
]

onEachStore('the scope write', (test) => {
  const cases = [
    ['UNAUTHENTICATED', anonymous, 'A credential with the scope write is required.'],
    ['FORBIDDEN', reader, 'The credential does not have the scope write.'],
  ] as const

  for (const [code, principal, message] of cases) {
    test(`is required before the values are checked: ${code}`, async (t, open) => {
      const { store, statements } = await open({ seeded: true })
      const ask = serveSchema(store, principal)
      statements.length = 0
      for (const call of mutations) {
        const { data, errors } = await ask(`mutation { it: ${call} { id } }`)
        t.strictSame(data, { it: null })
        t.strictSame(
          errors?.map((error) => error.extensions),
          [{ code }],
          call,
        )
        t.equal(errors?.[0]?.message, message)
      }
      t.strictSame(statements, [], 'and before the database is asked')
    })

    test(`is not asked for to read: ${code}`, async (t, open) => {
      const { store } = await open({ seeded: true })
      const { errors } = await serveSchema(
        store,
        principal,
      )('{ people { friends { id } } message(id: 1) { id } }')
      t.equal(errors, undefined)
    })
  }

  test('all scopes belong to every client if no credential is required', async (t, open) => {
    const { store } = await open({ seeded: true })
    const { data } = await serveSchema(store, off)('mutation { deletePerson(id: 1) { id } }')
    t.strictSame(data.deletePerson, { id: '1' })
  })

  test('is required by each mutation separately, and the others keep their data', async (t, open) => {
    const { store } = await open({ seeded: true })
    const ask = serveSchema(store, reader)
    const { data, errors } = await ask('mutation { __typename deletePerson(id: 1) { id } }')
    t.strictSame(data, { __typename: 'Mutation', deletePerson: null })
    t.equal(errors?.length, 1)
  })
})
