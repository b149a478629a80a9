import { ApolloLink, CombinedGraphQLErrors, gql, HttpLink } from '@apollo/client'
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries'
import { print, type DocumentNode } from 'graphql'
import t, { type Test } from 'tap'
import { sha256 } from '../../../src/base/sha256.js'
import type { Options } from '../../../src/index.js'
import { apolloClient } from './apollo-client.js'
import { serveStandard, type Seen } from './serve-standard.js'

const query = gql`
  query Echo($s: String!) {
    echo(s: $s)
  }
`
const other = gql`
  {
    counter
  }
`
const variables = { s: 'there' }

/** What Apollo's generator writes for a client with one operation. */
const manifest = {
  format: 'apollo-persisted-query-manifest',
  version: 1,
  operations: [{ id: sha256(print(query)), name: 'Echo', type: 'query', body: print(query) }],
} as const

type LinkOptions = ConstructorParameters<typeof PersistedQueryLink>[0]

async function startApollo(t: Test, options: Partial<Options>, link: LinkOptions) {
  const { url: uri, fetch, seen } = await serveStandard(t, '2026-09', options)
  const links = [new PersistedQueryLink(link), new HttpLink({ uri, fetch })]
  return { client: apolloClient(t, ApolloLink.from(links)), seen }
}

const statuses = (seen: readonly Seen[]): readonly string[] =>
  seen.map(({ method, status }) => `${method} ${status}`)

for (const useGETForHashedQueries of [false, true]) {
  const method = useGETForHashedQueries ? 'GET' : 'POST'
  void t.test(`Apollo's link adds a document once, by ${method}`, async (t) => {
    const link = { sha256, useGETForHashedQueries }
    const { client, seen } = await startApollo(t, { apq: {} }, link)
    for (let asked = 0; asked < 3; asked++) {
      const { data } = await client.query({ query, variables, fetchPolicy: 'no-cache' })
      t.same(data, { echo: 'there' })
    }
    const resent = useGETForHashedQueries ? ['GET 200', 'POST 200'] : ['POST 200']
    const [missed, registered, ...hits] = statuses(seen)
    t.equal(missed, `${method} 422`)
    t.ok(resent.includes(registered ?? ''), `then ${registered}`)
    t.same(hits, [`${method} 200`, `${method} 200`])
  })
}

void t.test("Apollo's link sends ids of a manifest, and nothing else is executed", async (t) => {
  const generateHash = (document: DocumentNode): string =>
    print(document).includes('Echo') ? manifest.operations[0].id : 'none'
  const options = { documents: manifest, trustedOnly: true }
  const { client, seen } = await startApollo(t, options, { generateHash })
  t.same((await client.query({ query, variables })).data, { echo: 'there' })
  t.same(statuses(seen), ['POST 200'])
  const { error } = await client.query({ query: other, errorPolicy: 'all' })
  if (!CombinedGraphQLErrors.is(error)) throw new Error('The document was executed.')
  t.match(error.message, /^The query differs from the document/)
  t.same(statuses(seen).slice(1), ['POST 422', 'POST 422'], 'it resends the document once')
})
