// As its documentation says for Node; nothing but defaults.
import { createServer } from 'node:http'
import { createYoga } from 'graphql-yoga'
import { createSchema } from './people.mjs'
import { port, ready } from './place.mjs'

const yoga = createYoga({ schema: createSchema() })
createServer(yoga).listen(port, '127.0.0.1', () => ready())
