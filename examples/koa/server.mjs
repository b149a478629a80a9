import { buildSchema } from 'graphql'
import { createHandler } from 'graphwire'
import { toKoaMiddleware } from 'graphwire/koa'
import Koa from 'koa'

const schema = buildSchema(`
  type Query { hello(name: String = "world"): String! }
  type Mutation { count: Int! }
`)
let count = 0
const rootValue = { hello: ({ name }) => `Hello, ${name}!`, count: () => ++count }
const handler = createHandler({ schema, rootValue })

const app = new Koa()
app.use(toKoaMiddleware(handler, { path: '/graphql' })) // in front of a body parser, to keep all checks
app.use((context) => {
  if (context.path === '/') context.redirect('/graphql?query={hello}')
})

const server = app.listen(process.env.PORT ?? 4000, 'localhost', () => {
  console.log(`http://localhost:${server.address().port}/graphql`)
})
