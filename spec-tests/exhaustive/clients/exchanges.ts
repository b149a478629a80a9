import type { EditionName } from '../../../src/index.js'
import type { ByEdition } from './serve-standard.js'

const graphql = 'application/graphql-response+json'

/** An operation, what a client of GraphQL gets for it, and its status for clients that prefer application/graphql-response+json. */
export interface Exchange {
  readonly name: string
  readonly source: string
  readonly variables?: { readonly [name: string]: unknown }
  readonly data: unknown
  readonly errors: number
  readonly statuses: ByEdition<number>
}

/** The status and the type of a response, for a client that likes GraphQL's own type best, or both types alike. */
export function expectedResponse(
  { statuses }: Exchange,
  edition: EditionName,
  wish: 'graphql' | 'either',
): readonly [status: number, type: string] {
  if (edition === '2025-05' && wish === 'either') return [200, 'application/json']
  return [statuses[edition], graphql]
}

const succeeded = { '2026-09': 200, '2025-05': 200 }
const partial = { '2026-09': 294, '2025-05': 200 }
const refused = { '2026-09': 422, '2025-05': 400 }

/** One exchange of each kind that a correct client can bring about with a query. */
// oxfmt-ignore
export const queries: readonly Exchange[] = [
  {
    name: 'data',
    source: 'query ($id: ID!) { person(id: $id) { id name friends(limit: 1) { id name } } }',
    variables: { id: '5' },
    data: { person: { id: '5', name: 'Kurt Gödel', friends: [{ id: '2', name: 'Alan Turing' }] } },
    errors: 0,
    statuses: succeeded,
  },
  { name: 'data beside a field error', source: '{ echo(s: "a+b&c=d %") fail }', data: { echo: 'a+b&c=d %', fail: null }, errors: 1, statuses: partial },
  { name: 'a field error that leaves data null', source: '{ failNonNull }', data: null, errors: 1, statuses: partial },
  { name: 'an invalid document', source: '{ noSuchField }', data: undefined, errors: 1, statuses: refused },
  { name: 'a wrong variable', source: 'query ($s: String!) { echo(s: $s) }', variables: { s: 1 }, data: undefined, errors: 1, statuses: refused },
]

/** A mutation, which nobody may send by GET. */
export const mutation: Exchange = {
  name: 'a mutation',
  source: 'mutation ($name: String!) { renamePerson(id: "1", name: $name) { id name } }',
  variables: { name: 'Ada King' },
  data: { renamePerson: { id: '1', name: 'Ada King' } },
  errors: 0,
  statuses: succeeded,
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
