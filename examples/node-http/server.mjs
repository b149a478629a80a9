import { createServer } from 'node:http'
import { toNodeListener } from 'graphwire/node'
import { handler } from '../api.mjs'

const server = createServer(toNodeListener(handler))
server.listen(process.env.PORT ?? 4000, 'localhost', () => {
  console.log(`http://localhost:${server.address().port}/graphql`)
})
