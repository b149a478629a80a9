import t from 'tap'
import { denyWrite } from '../../access/principal.js'
import type { Principal } from '../../access/principal.js'
import { onEachStore } from './on-each-store.js'
import { serveSchema, writer } from './serve-schema.js'

const anonymous: Principal = { ...writer, scopes: new Set(), key: undefined }
const reader: Principal = { ...writer, scopes: new Set(['read']) }
const off: Principal = { ...anonymous, scopes: new Set(['read', 'write']) }

// oxfmt-ignore
const callers: readonly [who: string, principal: Principal, kind: string | undefined][] = [
  ['an anonymous caller',               anonymous,                                 'unauthenticated'],
  ['a reader',                          reader,                                    'forbidden'],
  ['a writer alone',                    { ...writer, scopes: new Set(['write']) }, undefined],
  ['any client if nothing is required', off,                                       undefined],
]

void t.test('who may write', async (t) => {
  for (const [who, principal, kind] of callers) t.equal(denyWrite(principal)?.kind, kind, who)
})

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

const cases = [
  ['UNAUTHENTICATED', anonymous, 'A credential with the scope write is required.'],
  ['FORBIDDEN', reader, 'The credential does not have the scope write.'],
] as const

for (const [code, principal, message] of cases) {
  onEachStore(`the scope comes before the checks of values: ${code}`, async (t, open) => {
    const { store, statements } = await open({ seeded: true })
    const ask = serveSchema(store, principal)
    statements.length = 0
    for (const call of mutations) {
      const { data, errors } = await ask(`mutation { it: ${call} { id } }`)
      t.strictSame(data, { it: null })
      t.match(errors, [{ message, extensions: { code } }], call)
    }
    t.strictSame(statements, [], 'and before the database is asked')
  })

  onEachStore(`reads do not need the scope write: ${code}`, async (t, open) => {
    const { store } = await open({ seeded: true })
    const query = '{ people { friends { id } } message(id: 1) { id } }'
    t.equal((await serveSchema(store, principal)(query)).errors, undefined)
  })
}
