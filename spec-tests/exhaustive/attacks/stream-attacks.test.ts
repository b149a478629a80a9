import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { postBytes } from '../hosts/raw-client.js'
import { runAttacks, type Attack } from './run-attacks.js'
import { untilAtRest, type Target } from './target.js'

const events = 'Accept: text/event-stream\r\n'
const silence = postBytes('{"query":"subscription { silence }"}', events)
const flood = (bytes: number): string =>
  postBytes(`{"query":"subscription { flood(bytes: ${bytes}) }"}`, events)

/** So many clients, a few hundred at a time, each with its request and the first bytes of its response. */
async function openMany({ port }: Target, count: number, request: string): Promise<Socket[]> {
  const open = async (): Promise<Socket> => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write(request)
    await once(socket, 'data')
    return socket.pause()
  }
  const sockets: Socket[] = []
  while (sockets.length < count) {
    const more = Math.min(250, count - sockets.length)
    sockets.push(...(await Promise.all(Array.from({ length: more }, open))))
  }
  return sockets
}

const ways: readonly ((socket: Socket) => unknown)[] = [
  (socket) => socket.destroy(),
  (socket) => socket.resetAndDestroy(),
  (socket) => socket.resume().end(),
]

const attacks: readonly Attack[] = [
  {
    name: '2,000 clients that subscribe and leave',
    async run(_, target) {
      const sockets = await openMany(target, 2000, silence)
      for (const [at, socket] of sockets.entries()) ways[at % ways.length]?.(socket)
    },
  },
  {
    name: '150 clients that leave in the middle of an event',
    async run(_, target) {
      for (let round = 0; round < 3; round += 1) {
        const sockets = await openMany(target, 50, flood(300_000))
        for (const [at, socket] of sockets.entries()) ways[at % ways.length]?.(socket)
      }
    },
  },
  {
    name: '100 clients that do not read, which are cut',
    async run(_, target) {
      const sockets = await openMany(target, 100, flood(100_000))
      const open = sockets.filter((socket) => !socket.closed)
      const closed = open.map((socket) => once(socket, 'close'))
      await untilAtRest(target)
      for (const socket of sockets) socket.resume()
      await Promise.all(closed)
    },
  },
  ...[
    { name: '20 clients that read as fast as a source without an end gives', count: 20 },
    { name: '300 streams whose clients read all events', count: 300, hangMs: 3000 },
  ].map(({ count, ...attack }): Attack => ({
    ...attack,
    async run(_, target) {
      const sockets = await openMany(target, count, flood(10))
      for (const socket of sockets) socket.resume()
      await pause(2_500)
      for (const socket of sockets) socket.destroy()
    },
  })),
  {
    name: '500 clients that send a body without an end behind their subscription',
    async run(_, target) {
      const head = 'GET /graphql?query=subscription{silence} HTTP/1.1\r\nHost: a\r\n'
      const sockets = await openMany(target, 500, `${head}Transfer-Encoding: chunked\r\n\r\n`)
      const chunk = `1000\r\n${'x'.repeat(0x1000)}\r\n`
      for (const socket of sockets) socket.write(chunk.repeat(20))
      await Promise.all(
        sockets.map(async (socket) => {
          socket.resume()
          await once(socket, 'close')
        }),
      )
    },
  },
  {
    name: '100 connections with 20 subscriptions each in a pipeline',
    async run(_, target) {
      const sockets = await openMany(target, 100, silence.repeat(20))
      for (const [at, socket] of sockets.entries()) ways[at % ways.length]?.(socket)
    },
  },
]

const settings = { rounds: 2, env: { ATTACKED_TIMES: 'short' } } as const
runAttacks('a server bears clients of streams that leave, do not read, or read fast', attacks, {
  ...settings,
  graphql: '17',
})
