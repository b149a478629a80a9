import fastify from 'fastify'
import { toFastifyPlugin } from 'graphwire/fastify'
import { handler } from '../api.mjs'

const app = fastify()
app.register(toFastifyPlugin(handler, { path: '/graphql' }))
app.get('/', (_request, reply) => reply.redirect('/graphql?query={hello}'))

const { HOST, PORT = 4000 } = process.env
const origin = await app.listen({ host: HOST || 'localhost', port: Number(PORT) })
console.log(`${origin}/graphql`)
