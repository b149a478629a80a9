import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { postBytes } from '../hosts/raw-client.js'
import { attacksOf, runAttacks, type Attack } from './run-attacks.js'
import { startTarget, untilAtRest, type Target } from './target.js'

const events = 'Accept: text/event-stream\r\n'
const silence = postBytes('{"query":"subscription { silence }"}', events)
const flood = (bytes: number): string =>
  postBytes(`{"query":"subscription { flood(bytes: ${bytes}) }"}`, events)

/** So many clients, each with its request and the first bytes of its response. */
async function openMany(target: Target, count: number, request: string): Promise<Socket[]> {
  const sockets: Socket[] = []
  while (sockets.length < count) {
    const clients = await target.connectMany(Math.min(250, count - sockets.length))
    await Promise.all(
      clients.map(async ({ socket }) => {
        socket.removeAllListeners('data').write(request)
        await once(socket, 'data')
        sockets.push(socket.pause())
      }),
    )
  }
  return sockets
}

const ways: readonly ((socket: Socket) => unknown)[] = [
  (socket) => socket.destroy(),
  (socket) => socket.resetAndDestroy(),
  (socket) => socket.resume().end(),
]

function leaveInTurn(sockets: readonly Socket[]): void {
  for (const [at, socket] of sockets.entries()) ways[at % ways.length]?.(socket)
}

const attacks = [
  ...attacksOf({
    async '2,000 clients that subscribe and leave'(_, target) {
      leaveInTurn(await openMany(target, 2000, silence))
    },
    async '150 clients that leave in the middle of an event'(_, target) {
      for (let round = 0; round < 3; round += 1) {
        leaveInTurn(await openMany(target, 50, flood(300_000)))
      }
    },
    async '100 clients that do not read, which are cut'(_, target) {
      const sockets = await openMany(target, 100, flood(100_000))
      const open = sockets.filter((socket) => !socket.closed)
      const closed = open.map((socket) => once(socket, 'close'))
      await untilAtRest(target)
      for (const socket of sockets) socket.resume()
      await Promise.all(closed)
    },
    async '500 clients that send a body without an end behind their subscription'(_, target) {
      const head = 'GET /graphql?query=subscription{silence} HTTP/1.1\r\nHost: a\r\n'
      const sockets = await openMany(target, 500, `${head}Transfer-Encoding: chunked\r\n\r\n`)
      const chunk = `1000\r\n${'x'.repeat(0x1000)}\r\n`
      for (const socket of sockets) socket.write(chunk.repeat(20))
      await Promise.all(sockets.map((socket) => once(socket.resume(), 'close')))
    },
    async '100 connections with 20 subscriptions each in a pipeline'(_, target) {
      leaveInTurn(await openMany(target, 100, silence.repeat(20)))
    },
  }),
  ...[
    { name: '20 clients that read as fast as a source without an end gives', count: 20 },
    { name: '300 streams whose clients read all events', count: 300, hangMs: 3000 },
  ].map(({ count, ...attack }): Attack => ({
    ...attack,
    async run(_, target) {
      for (const socket of await openMany(target, count, flood(10))) socket.resume()
      await pause(2_500)
    },
  })),
]

runAttacks('a server bears clients of streams that leave, do not read, or read fast', attacks, {
  rounds: 2,
  env: { ATTACKED_TIMES: 'short' },
  graphql: '17',
})

void t.test('five thousand streams leave nothing, however their clients leave', async (t) => {
  const target = await startTarget()
  const comeAndGo = async (rounds: number): Promise<void> => {
    for (let round = 0; round < rounds; round += 1) {
      const large = await openMany(target, 40, flood(300_000))
      leaveInTurn([...(await openMany(target, 160, silence)), ...large])
      await untilAtRest(target)
    }
  }
  // What is loaded and compiled at first is not a leak.
  await comeAndGo(10)
  const [before] = await target.figures()
  await comeAndGo(25)
  const [after] = await target.figures()
  const growth = (after?.heap ?? Infinity) / (before?.heap ?? 0) - 1
  t.ok(growth < 0.05, `the heap has grown by ${(growth * 100).toFixed(1)} %`)
  t.equal((await target.stop()).code, 0)
})
