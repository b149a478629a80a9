import { buildSchema } from 'graphql'
import { createHandler } from 'graphwire'
import { toLambda } from 'graphwire/lambda'

const schema = buildSchema(`
  type Query { hello(name: String = "world"): String! }
  type Mutation { count: Int! }
`)
let count = 0 // of this instance of the function
const rootValue = { hello: ({ name }) => `Hello, ${name}!`, count: () => ++count }

export const handler = toLambda(createHandler({ schema, rootValue, path: '/graphql' }))
