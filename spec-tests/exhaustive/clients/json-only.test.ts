import t from 'tap'
import { expectedResponse, mutation, queries } from './exchanges.js'
import { editionNames, serveStandard } from './serve-standard.js'
import { watchFetch } from './watch-fetch.js'

const json = 'application/json'
const graphql = 'application/graphql-response+json'

for (const edition of editionNames) {
  void t.test(`a client that accepts only application/json, edition ${edition}`, async (t) => {
    const url = await serveStandard(t, edition)
    const { fetch, seen } = watchFetch()
    const headers = { accept: json, 'content-type': json }

    for (const exchange of [...queries, mutation]) {
      void t.test(`gets ${exchange.name}`, async (t) => {
        const body = JSON.stringify({ query: exchange.source, variables: exchange.variables })
        const response = await fetch(url, { method: 'POST', headers, body })
        const { data, errors = [] } = (await response.json()) as GraphQLBody
        t.strictSame(data, exchange.data)
        t.equal(errors.length, exchange.errors)
        const [status, type] = expectedResponse(exchange, edition, 'json')
        t.match(seen.pop(), { status, type })
        if (response.ok) t.equal(type, json, 'whatever succeeds is what it accepts')
      })
    }
  })

  void t.test(`a client that accepts application/json alone, edition ${edition}`, async (t) => {
    const url = await serveStandard(t, edition)
    const { fetch, seen } = watchFetch()
    const headers = { accept: `${json}, ${graphql};q=0, */*;q=0` }
    for (const query of ['{ counter }', '{ noSuchField }', '{', '']) {
      void t.test(`is sent nothing else for ${JSON.stringify(query)}`, async (t) => {
        const response = await fetch(`${url}?query=${encodeURIComponent(query)}`, { headers })
        t.match(await response.json(), query === '{ counter }' ? { data: {} } : { errors: [{}] })
        t.equal(seen.pop()?.type, json)
      })
    }
  })

  void t.test(`clients that like both types equally, edition ${edition}`, async (t) => {
    const url = await serveStandard(t, edition)
    const { fetch, seen } = watchFetch()
    for (const accept of [
      'application/json, text/plain, */*',
      `${graphql}, ${json}`,
      `${json}, ${graphql}`,
    ]) {
      void t.test(`Accept: ${accept} gets the type of the edition`, async (t) => {
        const query = encodeURIComponent('{ echo(s: "hallo") fail }')
        const response = await fetch(`${url}?query=${query}`, { headers: { accept } })
        t.match(await response.json(), { data: { echo: 'hallo', fail: null }, errors: [{}] })
        t.ok(response.ok)
        const [status, type] = edition === '2026-09' ? [294, graphql] : [200, json]
        t.match(seen.pop(), { status, type })
      })
    }
  })
}

interface GraphQLBody {
  readonly data?: unknown
  readonly errors?: readonly unknown[]
}
