import type { EditionName } from '../../../src/index.js'
import type { ByEdition } from './serve-standard.js'

/** The status and the media type of an answer. */
export type ExpectedResponse = readonly [status: number, type: string]

/** What a client prefers: a type, or whatever the edition likes best (no Accept, a wildcard, a tie). */
export type Wish = 'graphql' | 'json' | 'either'

/** An operation, what a client of GraphQL gets for it, and how it is labelled on the wire. */
export interface Exchange {
  readonly name: string
  readonly source: string
  readonly variables?: { readonly [name: string]: unknown }
  readonly data: unknown
  readonly errors: number
  /** The answers for clients that prefer application/graphql-response+json. */
  readonly graphql: ByEdition<ExpectedResponse>
  /** The answers for clients that accept only application/json. */
  readonly json: ByEdition<ExpectedResponse>
}

/** How the answer to the exchange is labelled for a client with that wish. */
export function expectedResponse(
  exchange: Exchange,
  edition: EditionName,
  wish: Wish,
): ExpectedResponse {
  const chosen = wish === 'either' ? editionChoice[edition] : wish
  return exchange[chosen][edition]
}

const editionChoice: ByEdition<'graphql' | 'json'> = { '2026-09': 'graphql', '2025-05': 'json' }

const graphql = 'application/graphql-response+json'
const json = 'application/json'

const succeeded = {
  graphql: { '2026-09': [200, graphql], '2025-05': [200, graphql] },
  json: { '2026-09': [200, json], '2025-05': [200, json] },
} as const

const partial = {
  graphql: { '2026-09': [294, graphql], '2025-05': [200, graphql] },
  json: { '2026-09': [200, json], '2025-05': [200, json] },
} as const

const refused = {
  graphql: { '2026-09': [422, graphql], '2025-05': [400, graphql] },
  json: { '2026-09': [422, graphql], '2025-05': [200, json] },
} as const

/** One exchange of each kind that a correct client can bring about with a query. */
// oxfmt-ignore
export const queries: readonly Exchange[] = [
  {
    name: 'data',
    source: 'query ($id: ID!) { person(id: $id) { id name friends(limit: 1) { id name } } }',
    variables: { id: '5' },
    data: { person: { id: '5', name: 'Kurt Gödel', friends: [{ id: '2', name: 'Alan Turing' }] } },
    errors: 0,
    ...succeeded,
  },
  { name: 'data beside a field error',           source: '{ echo(s: "a+b&c=d %") fail }', data: { echo: 'a+b&c=d %', fail: null }, errors: 1, ...partial },
  { name: 'a field error that leaves data null', source: '{ failNonNull }',                                          data: null,      errors: 1, ...partial },
  { name: 'an invalid document',                 source: '{ noSuchField }',                                          data: undefined, errors: 1, ...refused },
  { name: 'a variable of the wrong type',        source: 'query ($s: String!) { echo(s: $s) }', variables: { s: 1 }, data: undefined, errors: 1, ...refused },
]

/** A mutation, which nobody may send by GET. */
export const mutation: Exchange = {
  name: 'a mutation',
  source: 'mutation ($name: String!) { renamePerson(id: "1", name: $name) { id name } }',
  variables: { name: 'Ada King' },
  data: { renamePerson: { id: '1', name: 'Ada King' } },
  errors: 0,
  ...succeeded,
}

/** Failures that HTTP knows, and the code by which a client can tell them apart. */
export const failures: readonly (readonly [status: number, code: string])[] = [
  [401, 'UNAUTHENTICATED'],
  [403, 'FORBIDDEN'],
  [429, 'RATE_LIMITED'],
  [500, 'INTERNAL_SERVER_ERROR'],
  [503, 'UNAVAILABLE'],
  ...[400, 404, 406, 408, 414, 415, 417, 431].map((status) => [status, 'AS_ASKED'] as const),
]
