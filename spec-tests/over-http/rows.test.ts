import t, { type Test } from 'tap'
import { testClient, type TestResponse } from '../../src/hosts/testing.js'
import { createHandler } from '../../src/index.js'
import { createStandardSchema } from '../../src/standard/standard-schema.js'
import { acceptRows } from './accept-rows.js'
import { requestRows } from './request-rows.js'
import { graphqlResponse, type Row } from './row.js'
import { statusRows } from './status-rows.js'

for (const row of [...requestRows, ...acceptRows, ...statusRows]) {
  void t.test(row.title, async (t) => {
    const { edition = '2026-09', options, request } = row
    const schema = createStandardSchema()
    const send = testClient(createHandler({ schema, edition, ...options }))
    const response = await send(request)

    t.equal(response.status, row.status, 'status')
    for (const [name, value] of Object.entries(row.headers ?? {})) {
      t.equal(response.headers.get(name), value, name)
    }
    if (request.method === 'HEAD' || response.status === 204) t.equal(response.body, '', 'no body')
    else checkEnvelope(t, response, row)

    const count = await testClient(createHandler({ schema }))({ json: { query: '{ counter }' } })
    t.strictSame(count.json(), { data: { counter: row.increments ?? 0 } }, 'nothing else ran')
  })
}

/** The invariants of every answer (GraphQL specification, section 7), and what the row expects. */
function checkEnvelope(t: Test, response: TestResponse, row: Row): void {
  t.equal(response.headers.get('content-type'), `${row.type ?? graphqlResponse}; charset=utf-8`)
  t.equal(response.headers.get('x-content-type-options'), 'nosniff')
  const body = response.json() as {
    data?: unknown
    errors?: {
      message: unknown
      path?: unknown
      locations?: unknown
      extensions?: { code?: unknown }
    }[]
  }
  const names = Object.keys(body)
  t.strictSame(
    names.filter((name) => !['data', 'errors', 'extensions'].includes(name)),
    [],
  )
  t.equal('data' in body, row.data !== undefined, 'data is there or not')
  if (row.data !== undefined) t.strictSame(body.data, row.data)
  const expected = row.errors ?? (row.data === undefined ? 1 : 0)
  if (expected >= 0) t.equal(body.errors?.length ?? 0, expected, 'number of errors')
  if (expected !== 0) t.ok((body.errors?.length ?? 0) > 0, 'errors is no empty list')
  else t.notOk('errors' in body, 'no errors entry')
  for (const { message, locations = [], path = [] } of body.errors ?? []) {
    t.ok(typeof message === 'string' && message !== '', 'message')
    for (const { line, column } of locations as { line: number; column: number }[]) {
      t.ok(line >= 1 && column >= 1, 'locations count from 1')
    }
    for (const step of path as unknown[]) t.ok(['string', 'number'].includes(typeof step))
  }
  if (row.status === 294)
    t.ok(
      body.errors?.every(({ path }) => Array.isArray(path)),
      'path',
    )
  if (row.code !== undefined) t.equal(body.errors?.[0]?.extensions?.code, row.code, 'code')
}
