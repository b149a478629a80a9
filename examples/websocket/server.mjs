import { createServer } from 'node:http'
import { buildSchema, createEndpoint } from 'graphwire'
import { toNodeListener, untilSignal } from 'graphwire/node'
import { createWebSocketHost, SocketIncomingMessage } from 'graphwire/websocket'

const sdl = `
  type Query { hello(name: String = "world"): String! }
  type Subscription { countdown(from: Int!): Int! }
`
const schema = buildSchema(sdl, {
  Query: { hello: (_, { name }) => `Hello, ${name}!` },
  Subscription: {
    countdown: {
      async *subscribe(_, { from }) {
        for (let at = from; at >= 0; at -= 1) yield { countdown: at }
      },
    },
  },
})

const endpoint = createEndpoint({ schema, path: '/graphql' })
const sockets = createWebSocketHost(endpoint)

const server = createServer(
  { IncomingMessage: SocketIncomingMessage },
  toNodeListener(endpoint.handler),
)
server.on('upgrade', sockets.upgrade)
server.listen(process.env.PORT ?? 4000, 'localhost', () => {
  console.log(`http://localhost:${server.address().port}/graphql`)
})

await untilSignal()
server.close()
await sockets.close()
