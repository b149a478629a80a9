import { createServer } from 'node:http'
import { buildSubgraphSchema } from '@apollo/subgraph'
import * as graphql from 'graphql'
import { createHandler } from 'graphwire'
import { toNodeListener } from 'graphwire/node'

const people = [
  { id: '1', name: 'Ada' },
  { id: '2', name: 'Grace' },
]
const typeDefs = graphql.parse(`
  extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key"])
  type Person @key(fields: "id") { id: ID! name: String! }
  type Query { people: [Person!]! }
`)
const resolvers = {
  Query: { people: () => people },
  Person: { __resolveReference: ({ id }) => people.find((person) => person.id === id) },
}
const schema = buildSubgraphSchema([{ typeDefs, resolvers }])

// The router is the only client: it reads the schema from _service, and entities from _entities.
const handler = createHandler({ schema, graphql, path: '/graphql' })

const server = createServer(toNodeListener(handler))
server.listen(process.env.PORT ?? 4000, 'localhost', () => {
  console.log(`http://localhost:${server.address().port}/graphql`)
})
