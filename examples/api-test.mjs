import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testClient } from 'graphwire/testing'
import { handler } from './api.mjs'

const send = testClient(handler) // without a socket

test('greets by name', async () => {
  const response = await send({ json: { query: '{ hello(name: "you") }' } })
  assert.equal(response.status, 200)
  assert.deepEqual(response.json(), { data: { hello: 'Hello, you!' } })
})

test('refuses a field that the schema does not have', async () => {
  const response = await send({ json: { query: '{ bye }' } })
  assert.equal(response.status, 422)
})
