import { GraphQLError } from 'graphql'

export const typeDefs = `
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
`

let count = 0
function queryDatabase() {
  throw new Error('connect ECONNREFUSED 10.0.0.7:5432')
}

export const resolvers = {
  Query: {
    hello: (_parent, { name }) => `Hello, ${name}!`,
    me: (_parent, _args, { user }) => user,
    price: () => {
      throw new GraphQLError('Log in to see prices.', { extensions: { code: 'LOGIN_REQUIRED' } })
    },
    stock: queryDatabase,
    total: queryDatabase,
  },
  Mutation: { count: () => ++count },
}

export function findUser(name) {
  if (name !== 'mallory') return name
  const extensions = { code: 'UNAUTHENTICATED', http: { status: 401 } }
  throw new GraphQLError('Log in again.', { extensions })
}
