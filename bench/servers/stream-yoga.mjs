// As its documentation says for Node; nothing but defaults.
import { createServer } from 'node:http'
import { createYoga } from 'graphql-yoga'
import { port, ready } from './place.mjs'
import { createTickSchema } from './ticks.mjs'

createServer(createYoga({ schema: createTickSchema() })).listen(port, '127.0.0.1', () => ready())
