import express from 'express'
import { buildSchema, GraphQLError } from 'graphql'
import { createHandler, fieldValue } from 'graphwire'
import { toNodeListener } from 'graphwire/node'

const schema = buildSchema(`
  type Query {
    hello(name: String!): String!
    me: String
    price: Int
    stock: Int
    total: Int!
  }
  type Mutation {
    count: Int!
  }
`)

let count = 0
function queryDatabase() {
  throw new Error('connect ECONNREFUSED 10.0.0.7:5432')
}
const rootValue = {
  hello: ({ name }) => `Hello, ${name}!`,
  me: (_args, { user }) => user,
  price: () => {
    throw new GraphQLError('Log in to see prices.', { extensions: { code: 'LOGIN_REQUIRED' } })
  },
  stock: queryDatabase,
  total: queryDatabase,
  count: () => ++count,
}

function findUser(name) {
  if (name !== 'mallory') return name
  throw new GraphQLError('Log in again.', { extensions: { code: 'UNAUTHENTICATED' } })
}

const handler = createHandler({
  schema,
  rootValue,
  context: ({ head }) => ({ user: findUser(fieldValue(head.headers, 'x-user')) }),
  cors: { origins: ['https://app.example.com'], credentials: true },
  introspection: process.env.NODE_ENV !== 'production',
})

const app = express()
app.all('/graphql', toNodeListener(handler))
const listening = app.listen(process.env.PORT ?? 4000, 'localhost', (error) => {
  if (error) throw error
  console.log(`http://localhost:${listening.address().port}/graphql`)
})
