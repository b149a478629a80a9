// As its documentation says for Node; nothing but defaults.
import { createServer } from 'node:http'
import { createHandler } from 'graphql-sse/lib/use/http'
import { port, ready } from './place.mjs'
import { createTickSchema } from './ticks.mjs'

createServer(createHandler({ schema: createTickSchema() })).listen(port, '127.0.0.1', () => ready())
