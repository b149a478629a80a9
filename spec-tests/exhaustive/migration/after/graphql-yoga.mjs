import { buildSchema, fieldValue } from 'graphwire'
import { serve } from 'graphwire/node'
import { findUser, resolvers, typeDefs } from './shop.mjs'

const { url } = await serve({
  schema: buildSchema(typeDefs, resolvers),
  context: ({ head }) => ({ user: findUser(fieldValue(head.headers, 'x-user')) }),
  cors: { origins: ['https://app.example.com'], credentials: true },
  introspection: process.env.NODE_ENV !== 'production',
  port: Number(process.env.PORT ?? 4000),
})
console.log(url)
