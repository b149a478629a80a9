import { readFileSync } from 'node:fs'
import { createSecureServer } from 'node:http2'
import { buildSchema } from 'graphql'
import { createHandler } from 'graphwire'
import { toNodeListener } from 'graphwire/node'

const schema = buildSchema(`
  type Query { hello(name: String = "world"): String! }
  type Mutation { count: Int! }
`)
let count = 0
const rootValue = { hello: ({ name }) => `Hello, ${name}!`, count: () => ++count }
const handler = createHandler({ schema, rootValue, path: '/graphql' })

const { KEY = 'key.pem', CERT = 'cert.pem', PORT = 4000 } = process.env
const server = createSecureServer(
  { key: readFileSync(KEY), cert: readFileSync(CERT), allowHTTP1: true },
  toNodeListener(handler),
)
server.listen(PORT, 'localhost', () => {
  console.log(`https://localhost:${server.address().port}/graphql`)
})
