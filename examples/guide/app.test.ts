import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SignJWT } from 'jose'
import { pino } from 'pino'
import { testClient } from 'graphwire/testing'
import { createApp } from './app.js'
import { createMemoryStore } from './store.js'

const jwtKey = new TextEncoder().encode('a secret of at least 32 bytes, for tests')
const log = pino({ level: 'silent' })
const send = testClient(createApp({ store: createMemoryStore(), log, jwtKey }))
const token = await new SignJWT()
  .setProtectedHeader({ alg: 'HS256' })
  .setSubject('1')
  .setAudience('tasks')
  .setExpirationTime('1m')
  .sign(jwtKey)
const headers = { Authorization: `Bearer ${token}` }

await test('tasks are filtered by their due date', async () => {
  const query = '{ tasks(dueBefore: "2026-12-01T00:00:00Z") { title due } }'
  const response = await send({ json: { query }, headers })
  assert.equal(response.status, 200)
  assert.deepEqual(response.json(), {
    data: { tasks: [{ title: 'Write the guide', due: '2026-11-30T12:00:00.000Z' }] },
  })
})

await test("email addresses of others are forbidden, and one's own is not", async () => {
  const query = '{ tasks { assignee { email } } }'
  const response = await send({ json: { query }, headers })
  assert.equal(response.status, 294)
  const { data, errors } = response.json<{ data: unknown; errors: { extensions: object }[] }>()
  assert.deepEqual(data, {
    tasks: [{ assignee: { email: 'ada@example.com' } }, { assignee: { email: null } }],
  })
  assert.deepEqual(errors[0]?.extensions, { code: 'FORBIDDEN' })
})

await test('without a token nothing is run', async () => {
  const response = await send({ json: { query: '{ tasks { title } }' } })
  assert.equal(response.status, 401)
  assert.equal(response.headers.get('www-authenticate'), 'Bearer')
})
