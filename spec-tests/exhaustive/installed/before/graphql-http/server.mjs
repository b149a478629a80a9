import { makeExecutableSchema } from '@graphql-tools/schema'
import cors from 'cors'
import express from 'express'
import { NoSchemaIntrospectionCustomRule } from 'graphql'
import { createHandler } from 'graphql-http/lib/use/express'
import { findUser, resolvers, typeDefs } from '../shop.mjs'

const isProduction = process.env.NODE_ENV === 'production'

const app = express()
app.use('/graphql', cors({ origin: ['https://app.example.com'], credentials: true }))
app.all(
  '/graphql',
  createHandler({
    schema: makeExecutableSchema({ typeDefs, resolvers }),
    context: ({ headers }) => ({ user: findUser(headers['x-user']) }),
    validationRules: isProduction ? [NoSchemaIntrospectionCustomRule] : [],
  }),
)
const listening = app.listen(process.env.PORT ?? 4000, 'localhost', () => {
  console.log(`http://localhost:${listening.address().port}/graphql`)
})
