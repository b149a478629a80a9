import { createIde } from '@graphwire/ide'
import { buildSchema, createHandler } from 'graphwire'
import { toFetch } from 'graphwire/fetch'

const schema = buildSchema('type Query { a: Int }', { Query: { a: () => 1 } })
const fetch = toFetch(createHandler({ schema, ide: createIde({ brotli: false }) }))

export { fetch as GET, fetch as POST }
