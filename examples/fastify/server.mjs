import fastify from 'fastify'
import { buildSchema } from 'graphql'
import { createHandler } from 'graphwire'
import { toFastifyPlugin } from 'graphwire/fastify'

const schema = buildSchema(`
  type Query { hello(name: String = "world"): String! }
  type Mutation { count: Int! }
`)
let count = 0
const rootValue = { hello: ({ name }) => `Hello, ${name}!`, count: () => ++count }
const handler = createHandler({ schema, rootValue })

const app = fastify()
app.register(toFastifyPlugin(handler, { path: '/graphql' }))
app.get('/', (_request, reply) => reply.redirect('/graphql?query={hello}'))

const origin = await app.listen({ port: Number(process.env.PORT ?? 4000) })
console.log(`${origin}/graphql`)
