import { createServer } from 'node:http'
import { useDisableIntrospection } from '@graphql-yoga/plugin-disable-introspection'
import { createSchema, createYoga } from 'graphql-yoga'
import { findUser, resolvers, typeDefs } from '../shop.mjs'

const isProduction = process.env.NODE_ENV === 'production'
const yoga = createYoga({
  schema: createSchema({ typeDefs, resolvers }),
  context: ({ request }) => ({ user: findUser(request.headers.get('x-user')) }),
  cors: { origin: ['https://app.example.com'], credentials: true },
  plugins: isProduction ? [useDisableIntrospection()] : [],
  graphiql: !isProduction,
})

const server = createServer(yoga)
server.listen(process.env.PORT ?? 4000, 'localhost', () => {
  console.log(`http://localhost:${server.address().port}/graphql`)
})
