import { testClient } from 'graphwire/testing'
import { expect, test } from 'vitest'
import { handler } from '../api.mjs'

const send = testClient(handler)

test('says hello', async () => {
  const response = await send({ json: { query: '{ hello(name: "Ada") }' }, target: '/graphql' })
  expect(response.status).toBe(200)
  expect(response.json()).toEqual({ data: { hello: 'Hello, Ada!' } })
})

test('refuses an unknown field', async () => {
  const response = await send({ json: { query: '{ nothing }' }, target: '/graphql' })
  expect(response.status).toBe(422)
  expect(response.json().errors[0].message).toMatch('Cannot query field "nothing"')
})
