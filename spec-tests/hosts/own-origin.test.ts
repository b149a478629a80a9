import { connect, createServer } from 'node:http2'
import { once } from 'node:events'
import { buildSchema } from 'graphql'
import t from 'tap'
import { toFetch } from '../../src/hosts/fetch.js'
import { toNodeListener } from '../../src/hosts/node/index.js'
import { createHandler } from '../../src/index.js'
import { close, listen } from './start-node.js'

const handler = createHandler({ schema: buildSchema('type Query { a: String }') })
const path = '/graphql?query={a}'

// Where a request says in its own way which host it is for, and not by a header.
const cases: readonly (readonly [origin: string, status: number])[] = [
  ['own', 200],
  ['http://elsewhere.example', 403],
]

for (const [origin, status] of cases) {
  void t.test(`a GET by HTTP/2 with the Origin ${origin} is ${status}`, async (t) => {
    const server = createServer(toNodeListener(handler))
    const port = await listen(server)
    const own = `http://127.0.0.1:${port}`
    const client = connect(own)
    const stream = client.request({ ':path': path, origin: origin === 'own' ? own : origin })
    const [headers] = (await once(stream, 'response')) as [{ ':status': number }]
    t.equal(headers[':status'], status)
    stream.resume()
    await once(stream, 'close')
    client.close()
    await close(server)
  })

  void t.test(`a GET by fetch with the Origin ${origin} is ${status}`, async (t) => {
    const own = 'http://own.example:8080'
    const headers = { origin: origin === 'own' ? own : origin }
    const response = await toFetch(handler)(new Request(own + path, { headers }))
    t.equal(response.status, status)
  })
}

void t.test('a usual port in Host makes no other origin', async (t) => {
  const headers = { host: 'own.example:443', origin: 'https://own.example' }
  const response = await toFetch(handler)(new Request(`https://own.example${path}`, { headers }))
  t.equal(response.status, 200)
})
