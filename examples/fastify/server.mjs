import fastify from 'fastify'
import { buildSchema } from 'graphql'
import { createHandler } from 'graphwire'
import { mergeHeaders, toNodeResponder } from 'graphwire/node'

const schema = buildSchema(`
  type Query { hello(name: String = "world"): String! }
  type Mutation { count: Int! }
`)
let count = 0
const rootValue = { hello: ({ name }) => `Hello, ${name}!`, count: () => ++count }
const respond = toNodeResponder(createHandler({ schema, rootValue }))

const app = fastify()
app.register(async (scope) => {
  // graphwire reads the bodies of this route; other routes keep their parsers.
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
  scope.all('/graphql', async (request, reply) => {
    const response = await respond(request.raw, reply.raw)
    if (response.statusMessage) reply.raw.statusMessage = response.statusMessage
    for (const [name, value] of mergeHeaders(response.headers, reply.getHeaders())) {
      reply.removeHeader(name)
      if (value !== undefined) reply.header(name, value)
    }
    return reply.code(response.status).send(response.body)
  })
})
app.get('/', (_request, reply) => reply.redirect('/graphql?query={hello}'))

const origin = await app.listen({ port: Number(process.env.PORT ?? 4000) })
console.log(`${origin}/graphql`)
