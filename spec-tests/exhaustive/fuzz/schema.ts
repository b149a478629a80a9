import type { GraphQLSchema } from 'graphql'
import { GraphQLError } from 'graphql'
import { buildSchema } from '../../../src/graphql/schema/build-schema.js'
import { thrower } from '../../base/thrower.js'

/** A field means the same wherever it stands, so that fragments on several types can be merged. */
const sdl = `
  directive @cost(weight: String!) on ARGUMENT_DEFINITION | FIELD_DEFINITION
  directive @listSize(assumedSize: Int, slicingArguments: [String!], sizedFields: [String!]) on FIELD_DEFINITION
  enum Color { RED GREEN }
  input Range { from: Int = 1  to: Int }
  input Filter { name: String  colors: [Color!]  ranges: [Range!]  not: Filter  ratio: Float! = 0.5 }
  input Paging { first: Int = 14  of: Paging  ids: [ID!]  groups: [[ID!]!] }
  interface Node { id: ID!  name: String  nodes(first: Int, last: Int): [Node!] }
  type User implements Node {
    id: ID!  name: String  color: Color  posts(first: Int = 2): PostConnection
    nodes(first: Int = 12, last: Int): [Node!] @cost(weight: "2")
  }
  type Post implements Node {
    id: ID!  name: String  author: User!  boom: String  crash: Int!
    nodes(first: Int, last: Int): [Node!] @listSize(assumedSize: 11)
  }
  union Any = User | Post
  type PostConnection { edges: [PostEdge]  total: Int  list: [Int!]  page: PostPage }
  type PostEdge { node: Post  cursor: String! }
  type PostPage {
    edges: [PostEdge]  list: [Int!]  nodes(first: Int, last: Int): [Node!]  page: PostPage
    next(first: Int): PostConnection  byIds(ids: [ID!], groups: [[ID!]]): [Node]
    recent: [Post] @listSize(assumedSize: 4) @cost(weight: "7")
  }
  type Query {
    node(id: ID): Node
    user(id: ID!): User
    nodes(first: Int, last: Int): [Node!]
    any(limit: Int = 3): [Any]
    feed(first: Int, after: String @cost(weight: "3")): PostConnection
      @listSize(slicingArguments: ["first"], sizedFields: ["edges"])
    recent: [Post] @listSize(assumedSize: 4) @cost(weight: "7")
    late(ms: Int): User
    share(first: Float, last: String): PostConnection
    paged(paging: Paging): PostConnection
    some(ids: [ID!]): PostPage
    matrix: [[Int]]
    grid: [[Node]]
    byIds(ids: [ID!], groups: [[ID!]]): [Node]
    echo(
      text: String  number: Int  ratio: Float  flag: Boolean  id: ID  color: Color = RED
      filter: Filter  list: [Int!]  deep: [[String]]
    ): String
    boom: String
    crash: Int
  }
  type Mutation { set(name: String!, filter: Filter): User  add(number: Int): Int! }
  type Subscription { ticks: Int }
`

/** The kinds of things that the schema knows, by the name of their type. */
interface Thing {
  readonly __typename: string
  readonly id: string
}

/** A schema with something of everything, whose answers depend on the request alone. */
export function createFuzzSchema(): GraphQLSchema {
  const shared = { name: ({ id }: Thing) => (id.length > 3 ? null : `N${id}`), nodes }
  return buildSchema(sdl, {
    Query: {
      node: (_: unknown, { id }: { id?: string }) => (id == null ? null : thing(id)),
      user: (_: unknown, { id }: { id: string }) => user(id),
      nodes,
      any: (_: unknown, { limit }: { limit: number }) => things('any', limit),
      share: () => connection('share', 2),
      paged: () => connection('paged', 1),
      some: () => page('some'),
      feed: (_: unknown, { first }: { first?: number }) => connection('feed', first),
      recent: () => [post('r'), null],
      grid: () => [[user('g'), null], null],
      byIds: (_: unknown, { ids }: { ids?: string[] }) => ids?.slice(0, 2).map(thing),
      late: async () => user('late'),
      matrix: () => [[1, null], null],
      echo: (_: unknown, given: object) => JSON.stringify(given),
      boom: async () => boom(),
      crash,
    },
    Mutation: {
      set: (_: unknown, { name }: { name: string }) => user(name),
      add: (_: unknown, { number }: { number?: number }) => (number ?? 0) % 1000,
    },
    User: {
      ...shared,
      color: ({ id }: Thing) => (id === '1' ? 'GREEN' : 'RED'),
      posts: ({ id }: Thing, { first }: { first?: number }) => connection(id, first),
    },
    Post: {
      ...shared,
      author: ({ id }: Thing) => user(`${id}a`),
      boom,
      crash,
    },
    Any: { __resolveType: ({ __typename }: Thing) => __typename },
    Node: { __resolveType: ({ __typename }: Thing) => __typename },
  })
}

const boom = thrower(new GraphQLError('It goes boom.'))

/** A bug of a resolver, which clients must not see. */
const crash = thrower(new TypeError('A secret of the inside.'))

interface Sized {
  readonly first?: number
  readonly last?: number
}

function nodes(parent: Thing | undefined, { first, last }: Sized): Thing[] {
  return things(parent?.id.slice(0, 4) ?? 'n', first ?? last)
}

function things(prefix: string, size: number | null | undefined): Thing[] {
  const count = Math.min(2, Math.max(0, size ?? 2))
  return Array.from({ length: count }, (_, at) => thing(`${prefix}${at}`))
}

function thing(id: string): Thing {
  return id.length % 2 === 0 ? user(id) : post(id)
}

function user(id: string): Thing {
  return { __typename: 'User', id: id.slice(0, 20) }
}

function post(id: string): Thing {
  return { __typename: 'Post', id: id.slice(0, 20) }
}

function connection(prefix: string, first: number | null | undefined): object {
  const edges = things(prefix, first).map(({ id }) => ({ node: post(id), cursor: `c${id}` }))
  const list = edges.map((_, at) => at)
  return { edges, total: edges.length, list, page: () => page(prefix) }
}

function page(prefix: string): object {
  const id = prefix.slice(0, 4)
  const { edges, list } = connection(id, 1) as { readonly edges: object; readonly list: object }
  return {
    edges,
    list,
    nodes: ({ first, last }: Sized) => things(id, first ?? last),
    page: () => page(id),
    next: ({ first }: { first?: number }) => connection(id, first),
    byIds: ({ ids }: { ids?: string[] }) => ids?.slice(0, 2).map(thing),
    recent: () => [post(id)],
  }
}
