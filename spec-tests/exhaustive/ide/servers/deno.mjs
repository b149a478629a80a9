import { createIde } from '@graphwire/ide'
import { buildSchema, createHandler } from 'graphwire'
import { toFetch } from 'graphwire/fetch'

const schema = buildSchema('type Query { a: Int }', { Query: { a: () => 1 } })
const fetch = toFetch(createHandler({ schema, ide: createIde(), path: '/graphql' }))
const onListen = ({ port }) => console.log(`http://127.0.0.1:${port}/graphql`)
globalThis.Deno.serve({ hostname: '127.0.0.1', port: 0, onListen }, fetch)
