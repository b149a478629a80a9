import { readFileSync } from 'node:fs'
import { buildSchema } from 'graphwire'
import { serve } from 'graphwire/node'
import { resolvers } from './resolvers.mjs'

const typeDefs = readFileSync(new URL('schema.graphql', import.meta.url), 'utf8')
const schema = buildSchema(typeDefs, resolvers)
await serve({ schema, port: Number(process.argv[2]), host: '127.0.0.1' })
