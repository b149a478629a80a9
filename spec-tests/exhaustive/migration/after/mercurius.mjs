import fastify from 'fastify'
import { buildSchema, createHandler, fieldValue } from 'graphwire'
import { toFastifyPlugin } from 'graphwire/fastify'
import { findUser, resolvers, typeDefs } from './shop.mjs'

const handler = createHandler({
  schema: buildSchema(typeDefs, resolvers),
  context: ({ head }) => ({ user: findUser(fieldValue(head.headers, 'x-user')) }),
  cors: { origins: ['https://app.example.com'], credentials: true },
  introspection: process.env.NODE_ENV !== 'production',
})

const app = fastify()
app.register(toFastifyPlugin(handler, { path: '/graphql' }))

const origin = await app.listen({ port: Number(process.env.PORT ?? 4000) })
console.log(`${origin}/graphql`)
