// As its documentation says for subscriptions: Express for HTTP, graphql-ws over ws for sockets.
import { createServer } from 'node:http'
import { ApolloServer } from '@apollo/server'
import { ApolloServerPluginDrainHttpServer } from '@apollo/server/plugin/drainHttpServer'
import { expressMiddleware } from '@as-integrations/express5'
import express from 'express'
import { useServer } from 'graphql-ws/use/ws'
import { WebSocketServer } from 'ws'
import { createSchema, port, ready } from './standard.mjs'

const schema = createSchema()
const app = express()
const httpServer = createServer(app)
const sockets = useServer({ schema }, new WebSocketServer({ server: httpServer, path: '/graphql' }))
const server = new ApolloServer({
  schema,
  plugins: [
    ApolloServerPluginDrainHttpServer({ httpServer }),
    { serverWillStart: async () => ({ drainServer: () => sockets.dispose() }) },
  ],
})
await server.start()
app.use('/graphql', express.json(), expressMiddleware(server))
httpServer.listen(port, '127.0.0.1', ready)
