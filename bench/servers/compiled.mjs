// With the compiled executor; nothing but defaults otherwise.
import { version } from 'graphql'
import { compiledExecution } from 'graphwire/compiled'
import { serve } from 'graphwire/node'
import { createSchema } from './people.mjs'
import { port, ready } from './place.mjs'

await serve({ schema: createSchema(), execution: compiledExecution(), port, host: '127.0.0.1' })
ready(version)
