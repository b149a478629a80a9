// The reference implementations of the protocols side by side: graphql-http for JSON, graphql-sse for streams of events,
// graphql-ws over ws for sockets; nothing but defaults.
import { createServer } from 'node:http'
import { createHandler } from 'graphql-http/lib/use/http'
import { createHandler as createStreamHandler } from 'graphql-sse/lib/use/http'
import { useServer } from 'graphql-ws/use/ws'
import { WebSocketServer } from 'ws'
import { createSchema, port, ready } from './standard.mjs'

const schema = createSchema()
const handle = createHandler({ schema })
const stream = createStreamHandler({ schema })

const server = createServer((request, response) => {
  const wantsStream = /text\/event-stream/i.test(request.headers.accept ?? '')
  // A source that fails would end the process.
  Promise.resolve((wantsStream ? stream : handle)(request, response)).catch(() =>
    response.destroy(),
  )
})
useServer({ schema }, new WebSocketServer({ server, path: '/graphql' }))
server.listen(port, '127.0.0.1', ready)
