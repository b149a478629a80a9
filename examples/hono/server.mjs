import { serve } from '@hono/node-server'
import { setHeaders, toFetch } from 'graphwire/fetch'
import { Hono } from 'hono'
import { handler } from '../api.mjs'

const respond = toFetch(handler)

const app = new Hono()
app.all('/graphql', async (context) => {
  const response = await respond(context.req.raw)
  // Merges with what middleware has set, which Hono prefers. In TypeScript: `response.status as StatusCode`.
  setHeaders(response.headers, context.res.headers)
  return context.newResponse(response.body, response.status)
})
app.get('/', (context) => context.redirect('/graphql?query={hello}'))

const { HOST, PORT = 4000 } = process.env
const hostname = HOST || 'localhost'
serve({ fetch: app.fetch, port: Number(PORT), hostname }, ({ port }) =>
  console.log(`http://localhost:${port}/graphql`),
)
