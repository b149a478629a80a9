import { createIde } from '@graphwire/ide'
import { Elysia } from 'elysia'
import { buildSchema, createHandler } from 'graphwire'
import { toFetch } from 'graphwire/fetch'

const schema = buildSchema('type Query { a: Int }', { Query: { a: () => 1 } })
const fetch = toFetch(createHandler({ schema, ide: createIde() }))
const app = new Elysia()
app.all('/graphql', ({ request }) => fetch(request), { parse: 'none' })
app.listen({ hostname: '127.0.0.1', port: 0 }, ({ port }) => {
  console.log(`http://127.0.0.1:${port}/graphql`)
})
