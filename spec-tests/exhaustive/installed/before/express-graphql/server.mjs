import cors from 'cors'
import express from 'express'
import { graphqlHTTP } from 'express-graphql'
import { buildSchema, GraphQLError, NoSchemaIntrospectionCustomRule } from 'graphql'

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
    const extensions = { code: 'LOGIN_REQUIRED' }
    throw new GraphQLError('Log in to see prices.', null, null, null, null, null, extensions)
  },
  stock: queryDatabase,
  total: queryDatabase,
  count: () => ++count,
}

function findUser(name) {
  if (name !== 'mallory') return name
  const extensions = { code: 'UNAUTHENTICATED' }
  throw new GraphQLError('Log in again.', null, null, null, null, null, extensions)
}

const isProduction = process.env.NODE_ENV === 'production'

const app = express()
app.use(
  '/graphql',
  cors({ origin: ['https://app.example.com'], credentials: true }),
  graphqlHTTP((request) => ({
    schema,
    rootValue,
    context: { user: findUser(request.get('x-user')) },
    validationRules: isProduction ? [NoSchemaIntrospectionCustomRule] : [],
    graphiql: !isProduction,
  })),
)
const listening = app.listen(process.env.PORT ?? 4000, 'localhost', () => {
  console.log(`http://localhost:${listening.address().port}/graphql`)
})
