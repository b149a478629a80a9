import { buildSchema } from 'graphql'
import { createHandler } from 'graphwire'
import { answerNodeRequest, mergeHeaders } from 'graphwire/node'
import Koa from 'koa'

const schema = buildSchema(`
  type Query { hello(name: String = "world"): String! }
  type Mutation { count: Int! }
`)
let count = 0
const rootValue = { hello: ({ name }) => `Hello, ${name}!`, count: () => ++count }
const handler = createHandler({ schema, rootValue })

const graphql = (path) => async (context, next) => {
  if (context.path !== path) return next()
  const { req, res, request } = context
  const answer = await answerNodeRequest(handler, req, res, { body: request.body })
  context.status = answer.status
  if (answer.statusMessage) context.message = answer.statusMessage
  for (const [name, value] of mergeHeaders(answer.headers, (field) => res.getHeader(field))) {
    context.set(name, value)
  }
  context.body = answer.body
}

const app = new Koa()
app.use(graphql('/graphql')) // in front of a body parser, to keep all checks
app.use((context) => context.redirect('/graphql?query={hello}'))

const server = app.listen(process.env.PORT ?? 4000, 'localhost', () => {
  console.log(`http://localhost:${server.address().port}/graphql`)
})
