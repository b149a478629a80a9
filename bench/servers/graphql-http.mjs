// As its documentation says for node:http; nothing but defaults.
import { createServer } from 'node:http'
import { createHandler } from 'graphql-http/lib/use/http'
import { createSchema } from './people.mjs'
import { port, ready } from './place.mjs'

const handler = createHandler({ schema: createSchema() })
createServer((incoming, outgoing) => {
  if (incoming.url.startsWith('/graphql')) void handler(incoming, outgoing)
  else outgoing.writeHead(404).end()
}).listen(port, '127.0.0.1', () => ready())
