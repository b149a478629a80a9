import { Elysia } from 'elysia'
import { buildSchema } from 'graphql'
import { createHandler } from 'graphwire'
import { toFetch } from 'graphwire/fetch'

const schema = buildSchema(`
  type Query { hello(name: String = "world"): String! }
  type Mutation { count: Int! }
`)
let count = 0
const rootValue = { hello: ({ name }) => `Hello, ${name}!`, count: () => ++count }
const fetch = toFetch(createHandler({ schema, rootValue }))

const app = new Elysia()
app.all('/graphql', ({ request }) => fetch(request), { parse: 'none' })
app.listen({ hostname: 'localhost', port: process.env.PORT ?? 4000 }, ({ port }) => {
  console.log(`http://localhost:${port}/graphql`)
})
