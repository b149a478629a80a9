// As its documentation says for node:http; nothing but defaults. It runs the plain resolvers of the schema, since
// Grafast emulates them where a field has no plan.
import { createServer } from 'node:http'
import { grafserv } from 'grafserv/node'
import { createSchema, port, ready } from './standard.mjs'

const instance = grafserv({ schema: createSchema(), preset: {} })
const server = createServer()
server.once('listening', ready)
await instance.addTo(server)
server.listen(port, '127.0.0.1')
