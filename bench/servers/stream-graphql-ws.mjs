// As its documentation says for ws; nothing but defaults.
import { createServer } from 'node:http'
import { useServer } from 'graphql-ws/use/ws'
import { WebSocketServer } from 'ws'
import { port, ready } from './place.mjs'
import { createTickSchema } from './ticks.mjs'

const server = createServer()
useServer({ schema: createTickSchema() }, new WebSocketServer({ server, path: '/graphql' }))
server.listen(port, '127.0.0.1', () => ready())
