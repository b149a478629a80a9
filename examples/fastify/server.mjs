import fastify from 'fastify'
import { toFastifyPlugin } from 'graphwire/fastify'
import { handler } from '../api.mjs'

const app = fastify()
app.register(toFastifyPlugin(handler, { path: '/graphql' }))
app.get('/', (_request, reply) => reply.redirect('/graphql?query={hello}'))

const origin = await app.listen({ port: Number(process.env.PORT ?? 4000) })
console.log(`${origin}/graphql`)
