// As the README says; nothing but defaults.
import { version } from 'graphql'
import { serve } from 'graphwire/node'
import { createSchema } from './people.mjs'
import { port, ready } from './place.mjs'

await serve({ schema: createSchema(), port, host: '127.0.0.1' })
// The engine takes no schema of another copy of graphql, so this is the one that it runs.
ready(version)
