// As the first example of its documentation.
import { ApolloServer } from '@apollo/server'
import { startStandaloneServer } from '@apollo/server/standalone'
import { createSchema } from './people.mjs'
import { port, ready } from './place.mjs'

const server = new ApolloServer({ schema: createSchema() })
await startStandaloneServer(server, { listen: { port, host: '127.0.0.1', path: '/graphql' } })
ready()
