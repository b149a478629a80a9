import { buildSchema } from 'graphql'
import { createHandler } from 'graphwire'

const schema = buildSchema(`
  type Query {
    hello(name: String = "world"): String!
  }
  type Mutation {
    count: Int!
  }
`)
let count = 0
const rootValue = { hello: ({ name }) => `Hello, ${name}!`, count: () => ++count }

export const handler = createHandler({ schema, rootValue, path: '/graphql' })
