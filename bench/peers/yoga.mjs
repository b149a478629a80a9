// As its documentation says for Node; nothing but defaults.
import { createServer } from 'node:http'
import { createSchema, createYoga } from 'graphql-yoga'
import { port, ready, resolvers, typeDefs } from './standard.mjs'

const yoga = createYoga({ schema: createSchema({ typeDefs, resolvers }) })
createServer(yoga).listen(port, '127.0.0.1', ready)
