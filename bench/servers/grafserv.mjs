// As its documentation says for node:http. GET is off unless asked for. It runs the plain resolvers of the
// schema, since Grafast emulates them where a field has no plan.
import { createServer } from 'node:http'
import { grafserv } from 'grafserv/node'
import { createSchema } from './people.mjs'
import { port, ready } from './place.mjs'

const instance = grafserv({
  schema: createSchema(),
  preset: { grafserv: { graphqlOverGET: true } },
})
const server = createServer()
server.once('listening', () => ready())
await instance.addTo(server)
server.listen(port, '127.0.0.1')
