import { GraphQLDateTime } from 'graphql-scalars'
import t from 'tap'
import { buildSchema, createHandler } from '../../src/index.js'
import { testClient } from '../../src/hosts/testing.js'
import type { Context } from './codegen-context.js'
import type { Resolvers } from './codegen-output.js'
import { sourceOf } from '../streams/stream-test.js'

// Written by @graphql-codegen/typescript-resolvers 6.1.0 from this SDL, Person with a @key; what Resolvers needs is left.
const sdl = `
  scalar DateTime
  union Found = Person | Message
  type Person { id: ID! name: String! born: DateTime friends(limit: Int = 10): [Person!]! }
  type Message { id: ID! text: String! author: Person! at: DateTime! }
  input NewMessage { text: String! at: DateTime }
  type Query { search(text: String!): [Found!]! }
  type Mutation { send(message: NewMessage!): Message! }
  type Subscription { sent(author: ID): Message! }
`

const ada = { id: '1', name: 'Ada', bornAt: 0 }
const message = { id: '3', text: 'hi', author: ada, at: new Date(0) }

const resolvers: Resolvers = {
  DateTime: GraphQLDateTime,
  Found: { __resolveType: (found) => ('text' in found ? 'Message' : 'Person') },
  Person: {
    born: ({ bornAt }) => new Date(bornAt),
    name: { resolve: ({ name }) => name },
    friends: (person, { limit }) => Array.from({ length: limit ?? 0 }, () => person),
    __isTypeOf: (person) => 'bornAt' in person,
  },
  Query: { search: (_parent, { text }, { user }) => (user === text ? [ada] : []) },
  Mutation: {
    send: (_, { message: { text, at } }) => ({ id: '2', text, author: ada, at: at ?? new Date(0) }),
  },
  Subscription: { sent: { subscribe: () => sourceOf({ sent: message }) } },
}

void t.test('the resolvers of graphql-codegen are taken as they are', async (t) => {
  const named = buildSchema<Context>(sdl, resolvers)
  const inferred = buildSchema(sdl, resolvers)
  for (const schema of [named, inferred]) {
    const send = testClient(createHandler({ schema, context: (): Context => ({ user: 'root' }) }))
    const query = `mutation { send(message: { text: "hi", at: "2026-01-01T00:00:00Z" }) { at author { born friends(limit: 1) { name } } } }`
    const author = { born: '1970-01-01T00:00:00.000Z', friends: [{ name: 'Ada' }] }
    const sent = { send: { at: '2026-01-01T00:00:00.000Z', author } }
    t.strictSame((await send({ json: { query } })).json(), { data: sent })
    const found = await send({ json: { query: '{ search(text: "root") { __typename } }' } })
    t.strictSame(found.json(), { data: { search: [{ __typename: 'Person' }] } })
  }
  // @ts-expect-error The resolvers want another context.
  t.ok(buildSchema<{ readonly tenant: string }>(sdl, resolvers))
})
