// As its documentation says; with JIT=1 its compiler of queries as well, as its documentation says.
import fastify from 'fastify'
import mercurius from 'mercurius'
import { createResolvers, typeDefs } from './people.mjs'
import { port, ready } from './place.mjs'

const app = fastify()
const jit = process.env.JIT === '1' ? { jit: 1 } : {}
app.register(mercurius, { schema: typeDefs, resolvers: createResolvers(), ...jit })
await app.listen({ port, host: '127.0.0.1' })
ready()
