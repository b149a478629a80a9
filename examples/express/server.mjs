import express from 'express'
import { buildSchema } from 'graphql'
import { createHandler } from 'graphwire'
import { toNodeListener } from 'graphwire/node'

const schema = buildSchema(`
  type Query { hello(name: String = "world"): String! }
  type Mutation { count: Int! }
`)
let count = 0
const rootValue = { hello: ({ name }) => `Hello, ${name}!`, count: () => ++count }
const handler = createHandler({ schema, rootValue })

const app = express()
app.all('/graphql', toNodeListener(handler)) // before express.json(), to keep all checks
app.use(express.json())
app.get('/', (_request, response) => response.redirect('/graphql?query={hello}'))

const server = app.listen(process.env.PORT ?? 4000, 'localhost', () => {
  console.log(`http://localhost:${server.address().port}/graphql`)
})
