import { Elysia } from 'elysia'
import { toFetch } from 'graphwire/fetch'
import { handler } from '../api.mjs'

const fetch = toFetch(handler)

const app = new Elysia()
app.all('/graphql', ({ request }) => fetch(request), { parse: 'none' })
app.listen({ hostname: 'localhost', port: process.env.PORT ?? 4000 }, ({ port }) => {
  console.log(`http://localhost:${port}/graphql`)
})
