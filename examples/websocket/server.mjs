import { createServer } from 'node:http'
import { createEndpoint } from 'graphwire'
import { toNodeListener, untilSignal } from 'graphwire/node'
import { createWebSocketHost, SocketIncomingMessage } from 'graphwire/websocket'
import { schema } from './schema.mjs'

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
