import { buildSchema } from 'graphql'
import { createHandler } from 'graphwire'
import { toFetch } from 'graphwire/fetch'

const schema = buildSchema(`
  type Query { hello(name: String = "world"): String! }
  type Mutation { count: Int! }
`)
let count = 0 // of this instance of the worker
const rootValue = { hello: ({ name }) => `Hello, ${name}!`, count: () => ++count }

export default { fetch: toFetch(createHandler({ schema, rootValue, path: '/graphql' })) }
