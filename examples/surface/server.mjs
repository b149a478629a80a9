import { createServer } from 'node:http'
import { buildSchema, createHandler, route } from 'graphwire'
import { toNodeListener } from 'graphwire/node'
import { createRpcHandler } from './rpc.mjs'

const schema = buildSchema('type Query { add(a: Int!, b: Int!): Int! }', {
  Query: { add: (_, { a, b }) => a + b },
})
const procedures = { add: 'query ($a: Int!, $b: Int!) { add(a: $a, b: $b) }' }

const handler = route({
  '/graphql': createHandler({ schema }),
  '/rpc/add': createRpcHandler({ schema, procedures }),
})

const server = createServer(toNodeListener(handler))
server.listen(process.env.PORT ?? 4000, 'localhost', () => {
  console.log(`http://localhost:${server.address().port}/rpc/add`)
})
