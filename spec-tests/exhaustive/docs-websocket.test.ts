import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import t from 'tap'
import { root } from './runtimes/runtime.js'

const page = readFileSync(`${root}docs/websocket.md`, 'utf8')
const codes = [...page.matchAll(/```js\n([^]*?)```/g)].map(([, code = '']) => code)

/** What the page says in words: a schema, its endpoint, and a client that asks. */
const given = `
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { buildSchema, createEndpoint } from 'graphwire'
import { createClient } from 'graphql-ws'
import { WebSocket } from 'ws'
const schema = buildSchema('type Query { hello: String }', { Query: { hello: () => 'Hello' } })
const endpoint = createEndpoint({ schema, path: '/graphql' })
async function askOn(server) {
  const { port } = server.address()
  const client = createClient({ url: 'ws://localhost:' + port + '/graphql', webSocketImpl: WebSocket })
  for await (const result of client.iterate({ query: '{ hello }' })) assert.equal(result.data.hello, 'Hello')
  await client.dispose()
  const response = await fetch('http://localhost:' + port + '/graphql?query={hello}')
  assert.deepEqual(await response.json(), { data: { hello: 'Hello' } })
  const other = new WebSocket('ws://localhost:' + port + '/other', 'graphql-transport-ws')
  const [refused, { statusCode }] = await once(other, 'unexpected-response')
  assert.equal(statusCode, 404)
  refused.destroy()
}
async function askBoth(fetchHandler, openSocket) {
  const response = await fetchHandler(new Request('http://localhost/graphql?query={hello}'))
  assert.deepEqual(await response.json(), { data: { hello: 'Hello' } })
  const headers = { upgrade: 'websocket', 'sec-websocket-protocol': 'graphql-transport-ws' }
  const sent = await openSocket(new Request('http://localhost/graphql', { headers }))
  assert.deepEqual(sent, ['{"type":"connection_ack"}'])
}`

const withHost = `${given}
import { createWebSocketHost } from 'graphwire/websocket'
const sockets = createWebSocketHost(endpoint)`

const deno = `${given}
const sent = []
const listeners = {}
const socket = {
  protocol: 'graphql-transport-ws', readyState: 1, bufferedAmount: 0,
  send: (text) => sent.push(text), close() {},
  addEventListener: (type, listener) => (listeners[type] = listener),
}
let handle
globalThis.Deno = {
  serve: (handler) => (handle = handler),
  upgradeWebSocket: (request, { protocol }) => ({ socket, response: new Response(protocol) }),
}`

const bun = `${given}
let served
globalThis.Bun = { serve: (options) => (served = options) }`

const askExpress = 'await askOn(server); await sockets.close(); server.close()'
const dispose = 'await client.dispose()'
const askFastify = 'await askOn(app.server); await app.close()'

/** What stands around each example, in the order of the page. */
const rows: readonly [name: string, before: string, after: string][] = [
  ['serve', '', ''],
  ['a server of your own', '', ''],
  ['Express', withHost, `await once(server, 'listening'); ${askExpress}`],
  ['Fastify', withHost, `await app.listen({ port: 0, host: 'localhost' }); ${askFastify}`],
  [
    'Deno',
    deno,
    `await askBoth(handle, async (request) => {
      assert.equal(await (await handle(request)).text(), 'graphql-transport-ws')
      listeners.message({ data: '{"type":"connection_init"}' })
      return sent
    })`,
  ],
  [
    'Bun',
    bun,
    `const server = { upgrade: (request, { data }) => Boolean(server.data = data) }
    await askBoth((request) => served.fetch(request, server), async (request) => {
      assert.equal(served.fetch(request, server), undefined)
      const sent = []
      const socket = { data: server.data, send: (text) => sent.push(text), getBufferedAmount: () => 0 }
      served.websocket.open(socket)
      served.websocket.message(socket, '{"type":"connection_init"}')
      return sent
    })`,
  ],
  ['a client with a token', `const freshToken = async () => 'a token'`, dispose],
  ['a client that tries again', `import { createClient } from 'graphql-ws'`, dispose],
]

t.equal(codes.length, rows.length)

for (const [at, [name, before, after]] of rows.entries()) {
  if (name === 'a server of your own') continue
  void t.test(`the example of ${name} runs`, async (t) => {
    const code = (codes[at] ?? '').replace('listen(4000)', 'listen(0)')
    // Only Node from version 22 on has a WebSocket.
    const global = `import { WebSocket as Any } from 'ws'\nglobalThis.WebSocket ??= Any`
    const words = ['--input-type=module', '--eval', [global, before, code, after].join('\n')]
    const { status, stderr } = spawnSync(process.execPath, words, { cwd: root, encoding: 'utf8' })
    t.equal(status, 0, stderr)
  })
}

void t.test('that of a server of your own is examples/websocket', async (t) => {
  t.equal(codes[1], readFileSync(`${root}examples/websocket/server.mjs`, 'utf8'))
})
