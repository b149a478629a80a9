import { failure } from 'graphwire'
import t from 'tap'
import { StoreUnavailable, type Unavailability } from '../../store/store.js'
import type { Store } from '../../store/open-store.js'
import { serveRoutes } from './serve-routes.js'
import { serveSchema } from './serve-schema.js'

const ada = { id: '1', name: 'Ada', age: null, email: null, version: 1, address: null }

/** A store that knows Ada, and fails in all else. */
function failing(fault: unknown): Store {
  const fail = () => Promise.reject(fault)
  const byIds = async (ids: readonly string[]) => new Map(ids.includes('1') ? [['1', ada]] : [])
  const people = Object.fromEntries(methods.map((name) => [name, fail]))
  return { people: { ...people, byIds }, messages: { send: fail, byId: fail } } as unknown as Store
}

const methods = 'page friendsOf create update replace remove befriend unfriend'.split(' ')

// oxfmt-ignore
const fields: readonly [query: string, path: string][] = [
  ['{ people { id } }',                                                'people'],
  ['{ message(id: 1) { id } }',                                        'message'],
  ['{ person(id: 1) { friends { id } } }',                             'person.friends'],
  ['mutation { renamePerson(id: 1, name: "Eve") { id } }',             'renamePerson'],
  ['mutation { createPerson(input: { name: "Eve" }) { id } }',         'createPerson'],
  ['mutation { updatePerson(id: 1, input: {}) { id } }',               'updatePerson'],
  ['mutation { replacePerson(id: 1, input: { name: "Eve" }) { id } }', 'replacePerson'],
  ['mutation { deletePerson(id: 1) { id } }',                          'deletePerson'],
  ['mutation { sendMessage(to: 1, text: "Hello") { id } }',            'sendMessage'],
  ['mutation { befriend(id: 1, friend: 2) { id } }',                   'befriend'],
  ['mutation { unfriend(id: 1, friend: 2) { id } }',                   'unfriend'],
]

for (const [query, path] of fields) {
  void t.test(`${query} is UNAVAILABLE without the database, and hides other faults`, async (t) => {
    const away = serveSchema(failing(new StoreUnavailable('connect ECONNREFUSED 10.0.0.1')))
    const { errors } = await away(query)
    t.equal(errors?.length, 1)
    t.strictSame(errors?.[0]?.path, path.split('.'))
    t.strictSame(errors?.[0]?.extensions, { code: 'UNAVAILABLE', retryAfter: 1 })
    t.notMatch(JSON.stringify(errors), 'ECONNREFUSED')

    const bugs: unknown[] = []
    const bug = new Error('column "secret" does not exist')
    const broken = serveSchema(failing(bug), undefined, { onBug: (one) => bugs.push(one) })
    const masked = await broken(query)
    t.equal(masked.errors?.[0]?.extensions.code, 'INTERNAL_SERVER_ERROR')
    t.notMatch(JSON.stringify(masked), 'secret')
    t.strictSame(bugs, [bug])
  })
}

// oxfmt-ignore
const reasons: readonly [reason: Unavailability, message: RegExp, retryAfter: number][] = [
  ['away',      /^The database is unavailable/,      1],
  ['busy',      /^The database is busy/,             1],
  ['full',      /^The disk of the database is full/, 60],
  ['read-only', /^The database is read-only/,        60],
]
for (const [reason, message, retryAfter] of reasons) {
  void t.test(`a database that is ${reason} is reported as such`, async (t) => {
    const store = failing(new StoreUnavailable('x', { reason }))
    const { errors } = await serveSchema(store)('{ people { id } }')
    t.match(errors, [{ message, extensions: { code: 'UNAVAILABLE', retryAfter } }])
    const answer = await serveRoutes(store)('PUT /person/1', { name: 'Eve' })
    t.match(answer, { status: 503, body: { code: 'UNAVAILABLE', detail: message } })
    t.equal(answer.headers.get('retry-after'), String(retryAfter))
  })
}

void t.test('a message whose receiver is deleted meanwhile is NOT_FOUND', async (t) => {
  const store = failing(new StoreUnavailable())
  const byId = async () => ({ id: '1', to: '2', text: 'Hello', sentAt: '2026-08-01T12:00:00.000Z' })
  const ask = serveSchema({ ...store, messages: { ...store.messages, byId } })
  const { data, errors } = await ask('{ message(id: 1) { text to { name } } }')
  t.strictSame(data, { message: null })
  t.equal(errors?.[0]?.extensions.code, 'NOT_FOUND')
})

void t.test('for a person deleted after a CONFLICT, the error has no version', async (t) => {
  const store = failing(new StoreUnavailable())
  const update = async () => failure('conflict' as const)
  const ask = serveSchema({ ...store, people: { ...store.people, update } })
  const { errors } = await ask('mutation { updatePerson(id: 2, input: {}, ifVersion: 3) { id } }')
  t.equal(errors?.[0]?.message, 'The person has just been deleted.')
  t.strictSame(errors?.[0]?.extensions, { code: 'CONFLICT' })
})
