import { cacheExchange, Client, fetchExchange } from '@urql/core'
import t, { type Test } from 'tap'
import type { EditionName } from '../../../src/index.js'
import { expectedResponse, failures, mutation, queries } from './exchanges.js'
import { editionNames, failureHeader, serveStandard } from './serve-standard.js'

for (const edition of editionNames) {
  for (const preferGetMethod of [false, true]) {
    const method = preferGetMethod ? 'GET' : 'POST'
    void t.test(`urql by ${method}, edition ${edition}`, async (t) => {
      const { client, seen } = await startUrql(t, edition, { preferGetMethod })

      for (const exchange of [...queries, mutation]) {
        const { name, source, variables = {} } = exchange
        const isMutation = exchange === mutation
        const send = isMutation ? client.mutation.bind(client) : client.query.bind(client)
        const { data, error } = await send(source, variables)
        t.match(data, exchange.data, name)
        t.equal(error?.graphQLErrors.length ?? 0, exchange.errors)
        t.equal(error?.networkError, undefined)
        const [status, type] = expectedResponse(exchange, edition, 'either')
        t.match(seen.pop(), { method: isMutation ? 'POST' : method, status, type })
      }
    })
  }

  void t.test(`urql without a preferred method, edition ${edition}`, async (t) => {
    const { client, seen } = await startUrql(t, edition)
    const source = 'query ($s: String!) { echo(s: $s) }'
    for (const [length, method] of [
      [10, 'GET'],
      [3_000, 'POST'],
    ] as const) {
      const { data } = await client.query(source, { s: 'x'.repeat(length) })
      t.strictSame(data, { echo: 'x'.repeat(length) })
      t.equal(seen.pop()?.method, method, `${length} characters go by ${method}`)
    }
  })

  void t.test(`urql on failures of HTTP, edition ${edition}`, async (t) => {
    const { client, seen } = await startUrql(t, edition, { preferGetMethod: false })
    for (const [status, code] of failures) {
      const headers = { [failureHeader]: String(status) }
      const { error } = await client.query('{ counter }', {}, { fetchOptions: { headers } })
      t.match(error?.graphQLErrors, [{ extensions: { code } }], `${status} is an error of GraphQL`)
      t.equal(error?.networkError, undefined)
      t.equal((error?.response as Response | undefined)?.status, status)
      t.equal(seen.pop()?.status, status)
    }
  })
}

void t.test('urql reads a 4xx under either label', async (t) => {
  const { client, seen } = await startUrql(t, '2026-09', { preferGetMethod: false })
  const headers = { accept: 'application/json, application/graphql-response+json;q=0' }
  const { error } = await client.query('{ noSuchField }', {}, { fetchOptions: { headers } })
  t.equal(error?.graphQLErrors.length, 1)
  t.match(seen.pop(), { status: 422, type: 'application/json' })
})

async function startUrql(
  t: Test,
  edition: EditionName,
  options: { preferGetMethod?: boolean } = {},
) {
  const { url, fetch, seen } = await serveStandard(t, edition)
  const exchanges = [cacheExchange, fetchExchange]
  return { client: new Client({ url, fetch, exchanges, ...options }), seen }
}
