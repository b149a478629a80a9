import apollo from 'apollo-server-express'
import express from 'express'
import { findUser, resolvers, typeDefs } from '../shop.mjs'

const server = new apollo.ApolloServer({
  typeDefs,
  resolvers,
  context: ({ req }) => ({ user: findUser(req.get('x-user')) }),
})
await server.start()

const app = express()
server.applyMiddleware({
  app,
  cors: { origin: ['https://app.example.com'], credentials: true },
})
const listening = app.listen(process.env.PORT ?? 4000, 'localhost', () => {
  console.log(`http://localhost:${listening.address().port}/graphql`)
})
