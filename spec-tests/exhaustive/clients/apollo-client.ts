import { ApolloClient, InMemoryCache, type ApolloLink } from '@apollo/client'
import type { Test } from 'tap'

/** A client with an empty cache, until the test ends. */
export function apolloClient(t: Test, link: ApolloLink): ApolloClient {
  const client = new ApolloClient({ link, cache: new InMemoryCache() })
  t.teardown(() => client.stop())
  return client
}
