import { readFileSync } from 'node:fs'
import { buildSchema } from 'graphwire'
import { compiledExecution } from 'graphwire/compiled'
import { serve } from 'graphwire/node'
import { resolvers } from './resolvers.mjs'

const typeDefs = readFileSync(new URL('schema.graphql', import.meta.url), 'utf8')
const schema = buildSchema(typeDefs, resolvers)
const port = Number(process.argv[2])
await serve({ schema, execution: compiledExecution(), port, host: '127.0.0.1' })
