// The standard schema under Bun and Deno, for the conformance suite.
import { toFetch } from '../../../dist/src/hosts/fetch/index.js'
import { createHandler } from '../../../dist/src/index.js'
import { createStandardSchema } from '../../../dist/src/standard/standard-schema.js'
import { uploads } from '@graphwire/uploads'

const schema = createStandardSchema()
const fetch = toFetch(createHandler({ schema, path: '/graphql', uploads: uploads() }))
const hostname = '127.0.0.1'
const announce = ({ port }) => console.log(`http://${hostname}:${port}/graphql`)
if (globalThis.Deno) Deno.serve({ hostname, port: 0, onListen: announce }, fetch)
else announce(Bun.serve({ hostname, port: 0, fetch, idleTimeout: 30 }))
