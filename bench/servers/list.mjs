import { createServer } from 'node:http'
import { bare, minimal, raw, rawJson, readBody } from './references.mjs'

/**
 * The servers by name, each as its documentation shows it, at its defaults. They take a service (people.mjs, ticks.mjs or
 * standard.mjs), where to listen, and options; those that do not listen themselves give a server of node:http. Each loads
 * only what it needs.
 */
export const servers = {
  raw,
  'raw-json': rawJson,
  minimal,
  bare,

  async graphwire({ createSchema }, place, { compiled = false, ...options }) {
    const { serve } = await import('graphwire/node')
    const execution = compiled
      ? (await import('graphwire/compiled')).compiledExecution()
      : undefined
    await serve({ schema: createSchema(), execution, ...options, ...place })
  },

  async 'graphql-yoga'({ createSchema }, _, { defer = false }) {
    const { createYoga } = await import('graphql-yoga')
    const plugins = []
    if (defer) {
      const { useDeferStream } = await import('@graphql-yoga/plugin-defer-stream')
      plugins.push(useDeferStream())
    }
    return createServer(createYoga({ schema: createSchema(), plugins }))
  },

  async mercurius({ typeDefs, createResolvers }, place, options) {
    const { default: fastify } = await import('fastify')
    const { default: mercurius } = await import('mercurius')
    const app = fastify()
    app.register(mercurius, { schema: typeDefs, resolvers: createResolvers(), ...options })
    await app.listen(place)
  },

  async 'graphql-http'({ createSchema }) {
    const { createHandler } = await import('graphql-http/lib/use/http')
    const handler = createHandler({ schema: createSchema() })
    return createServer((incoming, outgoing) => {
      if (incoming.url.startsWith('/graphql')) void handler(incoming, outgoing)
      else outgoing.writeHead(404).end()
    })
  },

  /** It runs the plain resolvers of the schema, since Grafast emulates them where a field has no plan. */
  async grafserv({ createSchema }, _, options) {
    const { grafserv } = await import('grafserv/node')
    const server = createServer()
    // A malformed frame would end the process: nothing listens to the errors of its sockets.
    if (options.websockets) process.on('uncaughtException', () => {})
    await grafserv({ schema: createSchema(), preset: { grafserv: options } }).addTo(server)
    return server
  },

  /** On bare node:http, as its documentation says of integrations: without Express, CORS and body-parser. */
  async apollo({ createSchema }) {
    const { ApolloServer, HeaderMap } = await import('@apollo/server')
    const server = new ApolloServer({ schema: createSchema() })
    await server.start()
    return createServer((incoming, outgoing) => {
      readBody(incoming, (text) => void answer(incoming, outgoing, text))
    })

    async function answer({ method, url, headers }, outgoing, text) {
      const mark = url.indexOf('?')
      const response = await server.executeHTTPGraphQLRequest({
        httpGraphQLRequest: {
          method,
          headers: new HeaderMap(Object.entries(headers)),
          search: mark < 0 ? '' : url.slice(mark),
          body: method === 'GET' ? undefined : JSON.parse(text),
        },
        context: async () => ({}),
      })
      outgoing.writeHead(response.status ?? 200, [...response.headers].flat())
      outgoing.end(response.body.string)
    }
  },

  /** The path is required: without it, any path is served. */
  async 'apollo-standalone'({ createSchema }, place) {
    const { ApolloServer } = await import('@apollo/server')
    const { startStandaloneServer } = await import('@apollo/server/standalone')
    const server = new ApolloServer({ schema: createSchema() })
    await startStandaloneServer(server, { listen: { ...place, path: '/graphql' } })
  },

  /** As its documentation says for subscriptions: Express for HTTP, graphql-ws over ws for sockets. */
  async 'apollo-express'({ createSchema }) {
    const { ApolloServer } = await import('@apollo/server')
    const { ApolloServerPluginDrainHttpServer } =
      await import('@apollo/server/plugin/drainHttpServer')
    const { expressMiddleware } = await import('@as-integrations/express5')
    const { default: express } = await import('express')
    const schema = createSchema()
    const app = express()
    const httpServer = createServer(app)
    const sockets = await useSockets(httpServer, schema)
    const server = new ApolloServer({
      schema,
      plugins: [
        ApolloServerPluginDrainHttpServer({ httpServer }),
        { serverWillStart: async () => ({ drainServer: () => sockets.dispose() }) },
      ],
    })
    await server.start()
    app.use('/graphql', express.json(), expressMiddleware(server))
    return httpServer
  },

  async 'graphql-sse'({ createSchema }) {
    const { createHandler } = await import('graphql-sse/lib/use/http')
    return createServer(createHandler({ schema: createSchema() }))
  },

  async 'graphql-ws'({ createSchema }) {
    const server = createServer()
    await useSockets(server, createSchema())
    return server
  },

  /** The reference implementations of the protocols side by side: graphql-http for JSON, and the two above. */
  async 'graphql-ws-sse'({ createSchema }) {
    const { createHandler } = await import('graphql-http/lib/use/http')
    const { createHandler: createStreamHandler } = await import('graphql-sse/lib/use/http')
    const schema = createSchema()
    const handle = createHandler({ schema })
    const stream = createStreamHandler({ schema })
    const server = createServer((request, response) => {
      const wantsStream = /text\/event-stream/i.test(request.headers.accept ?? '')
      // A source that fails would end the process.
      Promise.resolve((wantsStream ? stream : handle)(request, response)).catch(() =>
        response.destroy(),
      )
    })
    await useSockets(server, schema)
    return server
  },
}

/** As the documentation of graphql-ws says for ws. */
async function useSockets(server, schema) {
  const { useServer } = await import('graphql-ws/use/ws')
  const { WebSocketServer } = await import('ws')
  return useServer({ schema }, new WebSocketServer({ server, path: '/graphql' }))
}
