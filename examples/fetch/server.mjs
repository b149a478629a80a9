import { buildSchema } from 'graphql'
import { createHandler } from 'graphwire'
import { toFetch } from 'graphwire/fetch'

const schema = buildSchema(`
  type Query { hello(name: String = "world"): String! }
  type Mutation { count: Int! }
`)
let count = 0
const rootValue = { hello: ({ name }) => `Hello, ${name}!`, count: () => ++count }
const fetch = toFetch(createHandler({ schema, rootValue, path: '/graphql' }))

// A worker only needs `export default { fetch }`: see ../worker.
const hostname = 'localhost'
const port = Number(process.env.PORT ?? 4000)
const announce = (server) => console.log(`http://${hostname}:${server.port}/graphql`)
if (globalThis.Deno) Deno.serve({ hostname, port, onListen: announce }, fetch)
else if (globalThis.Bun) announce(Bun.serve({ hostname, port, fetch }))
else (await import('@hono/node-server')).serve({ hostname, port, fetch }, announce)
