import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { buildSchema, execute, parse, validate } from 'graphql'
import { resolvers } from './resolvers.mjs'

// A minimal server on graphql-js: nothing is checked. The others are compared with it.
const schema = buildSchema(readFileSync(new URL('schema.graphql', import.meta.url), 'utf8'))
schema.getQueryType().getFields().hello.resolve = resolvers.Query.hello

createServer(async (incoming, outgoing) => {
  let text = ''
  for await (const chunk of incoming) text += chunk
  const document = parse(JSON.parse(text).query)
  const errors = validate(schema, document)
  const result = errors.length > 0 ? { errors } : execute({ schema, document })
  outgoing.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8' })
  outgoing.end(JSON.stringify(result))
}).listen(Number(process.argv[2]), '127.0.0.1')
