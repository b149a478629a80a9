import { buildSchema } from 'graphql'
import { createHandler } from 'graphwire'
import { mergeHeaders, toNodeResponder } from 'graphwire/node'
import Koa from 'koa'

const schema = buildSchema(`
  type Query { hello(name: String = "world"): String! }
  type Mutation { count: Int! }
`)
let count = 0
const rootValue = { hello: ({ name }) => `Hello, ${name}!`, count: () => ++count }
const respond = toNodeResponder(createHandler({ schema, rootValue }))

const graphql = (path) => async (context, next) => {
  if (context.path !== path) return next()
  const { req, res, request, originalUrl } = context
  const response = await respond(req, res, { body: request.body, originalUrl })
  context.status = response.status
  if (response.statusMessage) context.message = response.statusMessage
  for (const [name, value] of mergeHeaders(response.headers, res.getHeaders())) {
    if (value === undefined) context.remove(name)
    else context.set(name, value)
  }
  context.body = response.body
}

const app = new Koa()
app.use(graphql('/graphql')) // in front of a body parser, to keep all checks
app.use((context) => {
  if (context.path === '/') context.redirect('/graphql?query={hello}')
})

const server = app.listen(process.env.PORT ?? 4000, 'localhost', () => {
  console.log(`http://localhost:${server.address().port}/graphql`)
})
