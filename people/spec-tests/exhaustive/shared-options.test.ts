import t from 'tap'
import type { Store } from '../../store/open-store.js'
import { createAwayCheck } from '../../shared-options.js'
import { start } from './service/started.js'

void t.test('a missing credential is reported before other errors', async (t) => {
  const service = await start(t, ['--auth', 'all'])
  for (const [name, init, known] of [
    ['a wrong type', { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: '{' }, 415],
    ['a wrong method', { method: 'PUT' }, 405],
    ['a wrong Accept', { headers: { Accept: 'text/csv' } }, 406],
  ] as const) {
    const denied = await service.ask('/graphql', init)
    t.equal(denied.status, 401, `${name} without a credential`)
    t.ok(denied.headers.get('www-authenticate'))
    const headers = { ...('headers' in init && init.headers), 'X-API-Key': service.demoKey }
    t.equal((await service.ask('/graphql', { ...init, headers })).status, known, `${name} with one`)
  }
  t.equal((await service.ask('/graphql', { method: 'OPTIONS' })).status, 204)
})

void t.test('a limit beyond its bounds is a fault of the argument, not of the cost', async (t) => {
  const service = await start(t)
  const query = '{ people(limit: 2147483647) { id } }'
  const answer = await service.send('POST', '/graphql', { query })
  const errors = [{ extensions: { code: 'BAD_USER_INPUT', errors: [{ path: ['limit'] }] } }]
  t.match(await answer.json(), { data: { people: null }, errors })
})

void t.test('while the database is unavailable it is checked once, requests fail', async (t) => {
  const world = { isAway: false, answers: [false, true], asked: 0 }
  const store = {
    get isAway() {
      return world.isAway
    },
    async check() {
      world.asked += 1
      return world.answers.shift()
    },
  } as unknown as Store
  const refuse = createAwayCheck(store)
  t.equal(await refuse(), undefined)
  t.equal(world.asked, 0, 'a database that is there is not asked')
  world.isAway = true
  const denials = await Promise.all([refuse(), refuse(), refuse()])
  for (const denial of denials) t.match(denial, { kind: 'unavailable', retryAfter: 1 })
  t.equal(world.asked, 1)
  t.equal(await refuse(), undefined, 'and the next request finds it back')
})
