// As its documentation says; nothing but defaults, and subscriptions.
import fastify from 'fastify'
import mercurius from 'mercurius'
import { port, ready, resolvers, typeDefs } from './standard.mjs'

const app = fastify()
app.register(mercurius, { schema: typeDefs, resolvers, subscription: true })
await app.listen({ port, host: '127.0.0.1' })
ready()
