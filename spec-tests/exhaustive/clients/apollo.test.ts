import { ApolloLink, CombinedGraphQLErrors, gql, HttpLink, ServerError } from '@apollo/client'
import { RetryLink } from '@apollo/client/link/retry'
import { map } from 'rxjs'
import t, { type Test } from 'tap'
import type { EditionName } from '../../../src/index.js'
import { apolloClient } from './apollo-client.js'
import { expectedResponse, failures, mutation, queries } from './exchanges.js'
import { editionNames, failureHeader, serveStandard } from './serve-standard.js'

const partial = gql`
  {
    echo(s: "there")
    fail
  }
`

for (const edition of editionNames) {
  for (const useGETForQueries of [false, true]) {
    const method = useGETForQueries ? 'GET' : 'POST'
    void t.test(`Apollo Client by ${method}, edition ${edition}`, async (t) => {
      const { client, seen } = await startApollo(t, edition, { useGETForQueries })

      for (const query of queries) {
        const { data, error } = await client.query({
          query: gql(query.source),
          variables: query.variables ?? {},
          errorPolicy: 'all',
          fetchPolicy: 'no-cache',
        })
        t.match(data, query.data, query.name)
        t.equal(errorsOf(error).length, query.errors)
        const [status, type] = expectedResponse(query, edition, 'graphql')
        t.match(seen.pop(), { method, status, type })
      }

      const person = gql('{ person(id: "1") { id name } }')
      t.match((await client.query({ query: person })).data, { person: { name: 'Ada Lovelace' } })
      t.equal(seen.pop()?.method, method)
      const { source, variables = {} } = mutation
      t.match((await client.mutate({ mutation: gql(source), variables })).data, mutation.data)
      t.match(seen.pop(), { method: 'POST', status: 200 })
      t.match((await client.query({ query: person })).data, { person: { name: 'Ada King' } })
      t.equal(seen.length, 0, 'the renamed person came from the cache')
    })
  }

  void t.test(`Apollo Client's error policies on partial data, edition ${edition}`, async (t) => {
    const { client } = await startApollo(t, edition)
    const ask = (errorPolicy: 'none' | 'ignore' | 'all') =>
      client.query({ query: partial, errorPolicy, fetchPolicy: 'no-cache' })
    const data = { echo: 'there', fail: null }

    const none = await ask('none').catch((reason: unknown) => reason)
    t.ok(CombinedGraphQLErrors.is(none), "'none' rejects with the field errors")
    t.match(none, { data }, "and the error of 'none' carries the data")
    const ignore = await ask('ignore')
    t.match(ignore.data, data)
    t.equal(ignore.error, undefined)
    const all = await ask('all')
    t.match(all.data, data)
    t.equal(errorsOf(all.error).length, 1)
  })

  void t.test(`Apollo Client on failures of HTTP, edition ${edition}`, async (t) => {
    const statuses: unknown[] = []
    const note = new ApolloLink((operation, forward) =>
      forward(operation).pipe(
        map((result) => {
          statuses.push((operation.getContext()['response'] as Response).status)
          return result
        }),
      ),
    )
    const { client, seen } = await startApollo(t, edition, {}, note)

    for (const [status, code] of failures) {
      const { error } = await client.query({
        query: gql('{ counter }'),
        errorPolicy: 'all',
        fetchPolicy: 'no-cache',
        context: { headers: { [failureHeader]: String(status) } },
      })
      t.match(errorsOf(error), [{ extensions: { code } }], `${status} is an error of GraphQL`)
      t.equal(seen.pop()?.status, status)
      t.equal(statuses.pop(), status, 'a link finds the status in the context')
    }
  })
}

void t.test('Apollo Client reads a 4xx only under the label graphql-response+json', async (t) => {
  const { client, seen } = await startApollo(t, '2026-09')
  const ask = (accept: string) =>
    client.query({
      query: gql('{ noSuchField }'),
      errorPolicy: 'all',
      context: { headers: { accept } },
    })

  t.equal(errorsOf((await ask('application/json')).error).length, 1)
  t.match(seen.pop(), { status: 422, type: 'application/graphql-response+json' })
  const { error } = await ask('application/json, application/graphql-response+json;q=0')
  t.ok(ServerError.is(error) && error.statusCode === 422)
  t.match(seen.pop(), { status: 422, type: 'application/json' })
})

void t.test("Apollo's RetryLink takes a 503 for a result, unless it is configured", async (t) => {
  const attempts = { max: 3, retryIf: (error: unknown) => ServerError.is(error) }
  const retry = new RetryLink({ delay: { initial: 1 }, attempts })
  const { client, seen } = await startApollo(t, '2026-09', {}, retry)
  const ask = (accept?: string) =>
    client.query({
      query: gql('{ counter }'),
      errorPolicy: 'all',
      context: { headers: { [failureHeader]: '503', ...(accept === undefined ? {} : { accept }) } },
    })

  t.equal(errorsOf((await ask()).error).length, 1)
  t.equal(seen.splice(0).length, 1)
  const { error } = await ask('application/json, application/graphql-response+json;q=0')
  t.ok(ServerError.is(error) && error.statusCode === 503)
  t.equal(seen.splice(0).length, 3)
})

/** A client of a server of its own; `before` is a link that stands before the one to the server. */
async function startApollo(
  t: Test,
  edition: EditionName,
  options: { useGETForQueries?: boolean } = {},
  before?: ApolloLink,
) {
  const { url: uri, fetch, seen } = await serveStandard(t, edition)
  const http = new HttpLink({ uri, fetch, ...options })
  const link = before === undefined ? http : ApolloLink.from([before, http])
  return { client: apolloClient(t, link), seen }
}

function errorsOf(error: unknown): CombinedGraphQLErrors['errors'] {
  if (error === undefined) return []
  if (CombinedGraphQLErrors.is(error)) return error.errors
  throw error
}
