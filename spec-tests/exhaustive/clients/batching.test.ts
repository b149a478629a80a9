import { CombinedGraphQLErrors, gql } from '@apollo/client'
import { BatchHttpLink } from '@apollo/client/link/batch-http'
import t, { type Test } from 'tap'
import type { EditionName, Options } from '../../../src/index.js'
import { apolloClient } from './apollo-client.js'
import { queries, type Exchange } from './exchanges.js'
import { editionNames, failureHeader, serveStandard } from './serve-standard.js'

for (const edition of editionNames) {
  void t.test(`Apollo's BatchHttpLink, edition ${edition}: one request`, async (t) => {
    const { ask, seen } = await startApollo(t, edition)
    const results = await Promise.all(queries.map((query) => ask(query)))
    for (const [at, { name, data, errors }] of queries.entries()) {
      t.match(results[at]?.data, data, name)
      t.equal(results[at]?.errors.length, errors, name)
    }
    t.match(seen.splice(0), [{ method: 'POST', status: 200, type: 'application/json' }])
  })

  void t.test(`Apollo's BatchHttpLink on refusals, edition ${edition}`, async (t) => {
    const { ask, seen } = await startApollo(t, edition, { batch: { maxOperations: 2 } })
    for (const [status, count, headers] of [
      [413, 3, {}],
      [403, 2, { [failureHeader]: '403' }],
    ] as const) {
      const refused = await Promise.all(echoes(count).map((one) => ask(one, headers)))
      t.equal(seen.pop()?.status, status)
      for (const one of refused) t.match(one, { data: undefined, failed: /./ })
    }
  })
}

/** Different queries, since Apollo sends only one of those that are alike. */
function echoes(count: number): readonly Sent[] {
  return Array.from({ length: count }, (_, at) => ({
    source: 'query ($s: String!) { echo(s: $s) }',
    variables: { s: `number ${at}` },
  }))
}

type Sent = Pick<Exchange, 'source' | 'variables'>

async function startApollo(
  t: Test,
  edition: EditionName,
  options: Partial<Options> = { batch: {} },
) {
  const { url: uri, fetch, seen } = await serveStandard(t, edition, options)
  const client = apolloClient(t, new BatchHttpLink({ uri, fetch }))
  const ask = async (
    { source, variables = {} }: Sent,
    headers: { readonly [name: string]: string } = {},
  ) => {
    const policies = { errorPolicy: 'all', fetchPolicy: 'no-cache' } as const
    const common = { ...policies, variables, context: { headers } }
    const { data, error } = await client.query({ query: gql(source), ...common })
    const errors = CombinedGraphQLErrors.is(error) ? error.errors : []
    // Of a failure that is not a GraphQL response.
    const failed = errors.length === 0 ? error?.message : undefined
    return { data, errors, failed }
  }
  return { ask, seen }
}
