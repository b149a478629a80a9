import { createServer } from 'node:http2'
import { buildSchema } from 'graphql'
import t from 'tap'
import { toFetch } from '../../src/hosts/fetch.js'
import { toNodeListener } from '../../src/hosts/node/index.js'
import { createHandler } from '../../src/index.js'
import { http2Client } from './http2-client.js'
import { listenFor } from './start-node.js'

const handler = createHandler({ schema: buildSchema('type Query { a: String }') })
const path = '/graphql?query={a}'

// Where a request says in its own way which host it is for, and not by a header.
for (const [origin, status] of [
  ['own', 200],
  ['http://elsewhere.example', 403],
] as const) {
  void t.test(`a GET by HTTP/2 with the Origin ${origin} is ${status}`, async (t) => {
    const server = createServer(toNodeListener(handler))
    const own = `http://127.0.0.1:${await listenFor(t, server)}`
    const client = http2Client(`${own}/graphql`)
    const headers = { origin: origin === 'own' ? own : origin }
    t.equal((await client.send({ query: '?query={a}', headers })).status, status)
    await client.close()
  })

  void t.test(`a GET by fetch with the Origin ${origin} is ${status}`, async (t) => {
    const own = 'http://own.example:8080'
    const headers = { origin: origin === 'own' ? own : origin }
    t.equal((await toFetch(handler)(new Request(own + path, { headers }))).status, status)
  })
}

void t.test('a usual port in Host makes no other origin', async (t) => {
  const headers = { host: 'own.example:443', origin: 'https://own.example' }
  const response = await toFetch(handler)(new Request(`https://own.example${path}`, { headers }))
  t.equal(response.status, 200)
})
