import { readFileSync } from 'node:fs'
import { ApolloServer } from '@apollo/server'
import { startStandaloneServer } from '@apollo/server/standalone'
import { resolvers } from './resolvers.mjs'

const typeDefs = readFileSync(new URL('schema.graphql', import.meta.url), 'utf8')
const server = new ApolloServer({ typeDefs, resolvers })
await startStandaloneServer(server, {
  listen: { port: Number(process.argv[2]), host: '127.0.0.1', path: '/graphql' },
})
