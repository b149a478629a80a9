import { renameSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { start } from './service/started.js'

void t.test('a missing credential is reported before other errors', async (t) => {
  const service = await start(t, ['--auth', 'all'])
  const denied = await service.ask('/graphql', { method: 'PUT' })
  t.equal(denied.status, 401)
  t.ok(denied.headers.get('www-authenticate'))
  t.equal((await service.ask('/graphql', { method: 'OPTIONS' })).status, 204)
})

void t.test('a limit beyond its bounds is a fault of the argument, not of the cost', async (t) => {
  const service = await start(t)
  const query = '{ people(limit: 2147483647) { id } }'
  const answer = await service.send('POST', '/graphql', { query })
  const errors = [{ extensions: { code: 'BAD_USER_INPUT', errors: [{ path: ['limit'] }] } }]
  t.match(await answer.json(), { data: { people: null }, errors })
})

void t.test('while the database is unavailable, whole requests are refused', async (t) => {
  const path = join(t.testdir(), 'people.db')
  const service = await start(t, ['--db', path])
  const read = () => service.ask('/graphql?query={person(id:1){id}}')
  t.equal((await read()).status, 200)
  renameSync(path, `${path}.bak`)
  t.equal((await read()).status, 294, 'the first one finds out')
  const refused = await read()
  t.equal(refused.status, 503)
  t.equal(refused.headers.get('retry-after'), '1')
  renameSync(`${path}.bak`, path)
  t.equal((await read()).status, 200, 'and the next one finds it back')
})
