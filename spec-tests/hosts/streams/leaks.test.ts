import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { createStreamedEndpoint } from './streamed-endpoint.js'
import type { StreamBody } from '../../../src/index.js'

t.setTimeout(120_000)

const rounds = 50
const perRound = 200

const get = (query: string): string =>
  `GET /graphql?query=${encodeURIComponent(query)} HTTP/1.1\r\nHost: a\r\n\r\n`
const idle = get('subscription { flood(bytes: 1) }')
const large = get('subscription { flood(bytes: 300000) }')

/** How clients come and go. */
// oxfmt-ignore
const ways: readonly (readonly [request: string, leave: (socket: Socket) => unknown])[] = [
  [idle,  (socket) => socket.destroy()],
  [idle,  (socket) => socket.resetAndDestroy()],
  [idle,  (socket) => socket.end()],
  [idle,  (socket) => socket.destroy()],
  [idle,  (socket) => socket.resetAndDestroy()],
  [idle,  (socket) => socket.end()],
  [idle,  (socket) => socket.destroy()],
  [idle,  (socket) => socket.resetAndDestroy()],
  [large, (socket) => socket.destroy()],
  [large, (socket) => socket.resetAndDestroy()],
]

async function comeAndGo(port: number, at: number): Promise<void> {
  const [request, leave] = ways[at % ways.length] ?? ways[0]!
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write(request)
  await once(socket, 'data')
  const closed = once(socket, 'close')
  leave(socket)
  socket.resume()
  await closed
}

void t.test('ten thousand streams leave nothing behind, however their clients leave', async (t) => {
  const file = fileURLToPath(new URL('./leak-server.js', import.meta.url))
  const server = spawn(process.execPath, ['--expose-gc', file], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  t.teardown(() => server.kill())
  const lines = createInterface(server.stdout)[Symbol.asyncIterator]()
  const port = Number((await lines.next()).value)
  const measure = async (): Promise<{ heapUsed: number; made: number }> => {
    server.stdin.write('\n')
    return JSON.parse(String((await lines.next()).value)) as { heapUsed: number; made: number }
  }
  const runRound = (): Promise<unknown> =>
    Promise.all(Array.from({ length: perRound }, (_, at) => comeAndGo(port, at)))
  // What is loaded and compiled at first is no leak.
  for (let round = 0; round < 30; round += 1) await runRound()
  const before = await measure()
  for (let round = 0; round < rounds; round += 1) await runRound()
  const after = await measure()
  t.match(after, { made: before.made + rounds * perRound, returning: 0, stuck: 0 })
  const growth = after.heapUsed / before.heapUsed - 1
  t.ok(growth < 0.05, `the heap has grown by ${(growth * 100).toFixed(1)} %`)
})

void t.test(
  'ten thousand sources are returned in the tick in which their clients leave',
  async (t) => {
    const endpoint = createStreamedEndpoint()
    const flows = []
    for (let at = 0; at < 10_000; at += 1) {
      const head = {
        method: 'GET',
        target: '/graphql?query=subscription{pushed}',
        headers: [],
        raw: undefined,
      }
      const response = (await endpoint.handler(head)) as { readonly body: StreamBody }
      flows.push(response.body.open({ write: () => true, end() {}, cut() {} }))
    }
    t.equal(endpoint.open(), 10_000)
    t.equal(endpoint.stats().open, 10_000)
    for (const flow of flows) flow.gone()
    t.equal(endpoint.open(), 0)
    t.equal(endpoint.stats().open, 0)
  },
)
