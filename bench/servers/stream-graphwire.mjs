// As the README says; with COMPILED=1 as `graphwire serve` does it.
import { version } from 'graphql'
import { compiledExecution } from 'graphwire/compiled'
import { serve } from 'graphwire/node'
import { port, ready } from './place.mjs'
import { createTickSchema } from './ticks.mjs'

const execution = process.env.COMPILED === '1' ? compiledExecution() : undefined
await serve({ schema: createTickSchema(), execution, port, host: '127.0.0.1', websocket: true })
ready(version)
