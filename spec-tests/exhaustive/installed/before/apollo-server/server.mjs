import { ApolloServer } from '@apollo/server'
import { expressMiddleware } from '@as-integrations/express5'
import cors from 'cors'
import express from 'express'
import { findUser, resolvers, typeDefs } from '../shop.mjs'

const server = new ApolloServer({ typeDefs, resolvers })
await server.start()

const app = express()
app.use(
  '/graphql',
  cors({ origin: ['https://app.example.com'], credentials: true }),
  express.json(),
  expressMiddleware(server, {
    context: async ({ req }) => ({ user: findUser(req.get('x-user')) }),
  }),
)
const listening = app.listen(process.env.PORT ?? 4000, 'localhost', () => {
  console.log(`http://localhost:${listening.address().port}/graphql`)
})
