// As its documentation says; nothing but defaults.
import Fastify from 'fastify'
import mercurius from 'mercurius'
import { port, ready } from './place.mjs'
import { createTickSchema } from './ticks.mjs'

const app = Fastify()
app.register(mercurius, { schema: createTickSchema(), subscription: true })
await app.listen({ port, host: '127.0.0.1' })
ready()
