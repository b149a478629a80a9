// As its documentation says for Node; nothing but defaults, and the plugin for @defer and @stream.
import { createServer } from 'node:http'
import { useDeferStream } from '@graphql-yoga/plugin-defer-stream'
import { createSchema, createYoga } from 'graphql-yoga'
import { port, ready, resolvers, typeDefs } from './standard.mjs'

const schema = createSchema({ typeDefs, resolvers })
const yoga = createYoga({ schema, plugins: [useDeferStream()] })
createServer(yoga).listen(port, '127.0.0.1', ready)
