import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createSchema, createYoga } from 'graphql-yoga'
import { resolvers } from './resolvers.mjs'

const typeDefs = readFileSync(new URL('schema.graphql', import.meta.url), 'utf8')
const yoga = createYoga({ schema: createSchema({ typeDefs, resolvers }) })
createServer((incoming, outgoing) => void yoga(incoming, outgoing)).listen(
  Number(process.argv[2]),
  '127.0.0.1',
)
