// As the README says; nothing but defaults.
import { version } from 'graphql'
import { serve } from 'graphwire/node'
import { port, ready } from './place.mjs'
import { createTickSchema } from './ticks.mjs'

await serve({ schema: createTickSchema(), port, host: '127.0.0.1', websocket: true })
ready(version)
