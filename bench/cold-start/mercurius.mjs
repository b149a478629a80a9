import { readFileSync } from 'node:fs'
import fastify from 'fastify'
import mercurius from 'mercurius'
import { resolvers } from './resolvers.mjs'

const schema = readFileSync(new URL('schema.graphql', import.meta.url), 'utf8')
const app = fastify()
app.register(mercurius, { schema, resolvers })
await app.listen({ port: Number(process.argv[2]), host: '127.0.0.1' })
