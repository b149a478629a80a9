// As its documentation says for node:http; nothing but defaults, and WebSockets. It runs the plain resolvers of the
// schema, since Grafast emulates them where a field has no plan.
import { createServer } from 'node:http'
import { grafserv } from 'grafserv/node'
import { createSchema, port, ready } from './standard.mjs'

const preset = { grafserv: { websockets: true } }
const instance = grafserv({ schema: createSchema(), preset })
const server = createServer()
// A malformed frame would end the process: nothing listens to the errors of its sockets.
process.on('uncaughtException', () => {})
server.once('listening', ready)
await instance.addTo(server)
server.listen(port, '127.0.0.1')
