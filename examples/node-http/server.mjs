import { createServer } from 'node:http'
import { buildSchema } from 'graphql'
import { createHandler } from 'graphwire'
import { toNodeListener } from 'graphwire/node'

const schema = buildSchema(`
  type Query { hello(name: String = "world"): String! }
  type Mutation { count: Int! }
`)
let count = 0
const rootValue = { hello: ({ name }) => `Hello, ${name}!`, count: () => ++count }
const handler = createHandler({ schema, rootValue, path: '/graphql' })

const server = createServer(toNodeListener(handler))
server.listen(process.env.PORT ?? 4000, 'localhost', () => {
  console.log(`http://localhost:${server.address().port}/graphql`)
})
