import express from 'express'
import { buildSchema, createHandler, fieldValue } from 'graphwire'
import { toNodeListener } from 'graphwire/node'
import { findUser, resolvers, typeDefs } from './shop.mjs'

const handler = createHandler({
  schema: buildSchema(typeDefs, resolvers),
  context: ({ head }) => ({ user: findUser(fieldValue(head.headers, 'x-user')) }),
  cors: { origins: ['https://app.example.com'], credentials: true },
  introspection: process.env.NODE_ENV !== 'production',
})

const app = express()
app.all('/graphql', toNodeListener(handler)) // without express.json(): graphwire reads the body
const listening = app.listen(process.env.PORT ?? 4000, 'localhost', (error) => {
  if (error) throw error
  console.log(`http://localhost:${listening.address().port}/graphql`)
})
