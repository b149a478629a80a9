import { serve } from '@hono/node-server'
import { buildSchema } from 'graphql'
import { createHandler } from 'graphwire'
import { setHeaders, toFetch } from 'graphwire/fetch'
import { Hono } from 'hono'

const schema = buildSchema(`
  type Query { hello(name: String = "world"): String! }
  type Mutation { count: Int! }
`)
let count = 0
const rootValue = { hello: ({ name }) => `Hello, ${name}!`, count: () => ++count }
const respond = toFetch(createHandler({ schema, rootValue }))

const app = new Hono()
app.all('/graphql', async (context) => {
  const response = await respond(context.req.raw)
  // Merges with what middleware has set; if you returned the response, Hono would let that win.
  setHeaders(response.headers, context.res.headers)
  return context.newResponse(response.body, response.status)
})
app.get('/', (context) => context.redirect('/graphql?query={hello}'))

serve(
  { fetch: app.fetch, port: Number(process.env.PORT ?? 4000), hostname: 'localhost' },
  ({ port }) => console.log(`http://localhost:${port}/graphql`),
)
