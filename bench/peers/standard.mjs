import { readFileSync } from 'node:fs'
import { GraphQLError, buildSchema } from 'graphql'
import { Counter, subscriptions } from './subscriptions.mjs'

/** The SDL of the standard schema (fixtures/standard). */
export const typeDefs = readFixture('schema.graphql')

/** The port to listen on, on 127.0.0.1 only. */
export const port = Number(process.env.PORT ?? 4000)

const persons = new Map(JSON.parse(readFixture('persons.json')).map((one) => [one.id, one]))
const counter = new Counter()
const sources = new Set()

/** What each field does, as fixtures/standard/behaviour.json says; the same for every peer. */
export const resolvers = {
  Query: {
    person: (_, { id }) => persons.get(id),
    echo: (_, { s }) => s,
    fail: () => {
      throw new GraphQLError('The field fail fails.')
    },
    failNonNull: () => {
      throw new GraphQLError('The field failNonNull fails.')
    },
    slow: async (_, { ms }) => {
      if (ms < 0 || ms > 60_000) throw new GraphQLError('ms must be 0 to 60000.')
      await new Promise((resolve) => setTimeout(resolve, ms))
      return String(ms)
    },
    counter: () => counter.value,
    people: () => [...persons.values()],
    openSources: () => sources.size,
  },
  Mutation: {
    renamePerson: (_, { id, name }) => {
      const person = persons.get(id)
      if (person === undefined) return null
      persons.set(id, { ...person, name })
      return persons.get(id)
    },
    increment: () => counter.increment(),
  },
  Subscription: subscriptions(counter, sources),
  Person: {
    friends: ({ friends }, { limit }) => {
      if (limit < 0) throw new GraphQLError('limit must not be negative.')
      return friends.slice(0, limit ?? friends.length).map((id) => persons.get(id))
    },
  },
}

/** For the peers that take nothing but a GraphQLSchema. */
export function createSchema() {
  const schema = buildSchema(typeDefs)
  for (const [type, fields] of Object.entries(resolvers)) {
    for (const [name, resolver] of Object.entries(fields)) {
      const functions = typeof resolver === 'function' ? { resolve: resolver } : resolver
      Object.assign(schema.getType(type).getFields()[name], functions)
    }
  }
  return schema
}

/** What each peer prints when it takes connections. */
export function ready() {
  console.log(`ready at http://127.0.0.1:${port}/graphql`)
}

function readFixture(name) {
  return readFileSync(new URL(`../../fixtures/standard/${name}`, import.meta.url), 'utf8')
}
