// The same as a module worker. What it imports of files is text by then: see start-worker.ts.
import persons from '../../../fixtures/standard/persons.json'
import sdl from '../../../fixtures/standard/schema.graphql'
import { toFetch } from '../../../dist/src/hosts/fetch/index.js'
import { createHandler } from '../../../dist/src/index.js'
import { createStandardSchema } from '../../../dist/src/standard/standard-schema.js'
import { uploads } from '@graphwire/uploads'

const texts = { 'persons.json': persons, 'schema.graphql': sdl }
const schema = createStandardSchema((name) => texts[name])
export default { fetch: toFetch(createHandler({ schema, path: '/graphql', uploads: uploads() })) }
