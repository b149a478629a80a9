// As its documentation says for the standalone server. The path has to be given: any path is served without it.
import { ApolloServer } from '@apollo/server'
import { startStandaloneServer } from '@apollo/server/standalone'
import { port, ready, resolvers, typeDefs } from './standard.mjs'

const server = new ApolloServer({ typeDefs, resolvers })
await startStandaloneServer(server, { listen: { port, host: '127.0.0.1', path: '/graphql' } })
ready()
