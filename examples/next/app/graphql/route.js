import { buildSchema, createHandler } from 'graphwire'
import { toFetch } from 'graphwire/fetch'

const typeDefs = `
  type Query { hello(name: String = "world"): String! }
  type Mutation { count: Int! }
`
let count = 0
const schema = buildSchema(typeDefs, {
  Query: { hello: (_, { name }) => `Hello, ${name}!` },
  Mutation: { count: () => ++count },
})
const fetch = toFetch(createHandler({ schema }))

// Under every name that Next knows, so that each method gets a response of GraphQL over HTTP.
export {
  fetch as DELETE,
  fetch as GET,
  fetch as HEAD,
  fetch as OPTIONS,
  fetch as PATCH,
  fetch as POST,
  fetch as PUT,
}
