import { readFileSync } from 'node:fs'
import { createSecureServer } from 'node:http2'
import { toNodeListener } from 'graphwire/node'
import { handler } from '../api.mjs'

const { KEY = 'key.pem', CERT = 'cert.pem', PORT = 4000 } = process.env
const server = createSecureServer(
  { key: readFileSync(KEY), cert: readFileSync(CERT), allowHTTP1: true },
  toNodeListener(handler),
)
server.listen(PORT, 'localhost', () => {
  console.log(`https://localhost:${server.address().port}/graphql`)
})
