import cors from '@fastify/cors'
import fastify from 'fastify'
import { NoSchemaIntrospectionCustomRule } from 'graphql'
import mercurius from 'mercurius'
import { findUser, resolvers, typeDefs } from '../shop.mjs'

const isProduction = process.env.NODE_ENV === 'production'

const app = fastify()
app.register(cors, { origin: ['https://app.example.com'], credentials: true })
app.register(mercurius, {
  schema: typeDefs,
  resolvers,
  context: (request) => ({ user: findUser(request.headers['x-user']) }),
  validationRules: isProduction ? [NoSchemaIntrospectionCustomRule] : [],
})

const origin = await app.listen({ port: Number(process.env.PORT ?? 4000) })
console.log(`${origin}/graphql`)
