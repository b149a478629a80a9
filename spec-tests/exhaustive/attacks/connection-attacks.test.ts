import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { postBytes, postEcho, rawClient, type RawClient } from '../hosts/raw-client.js'
import { checkResponse } from './check-response.js'
import { runAttacks, type Attack } from './run-attacks.js'
import { send } from '../send.js'
import type { Target } from './target.js'

t.jobs = 2

const hello = postBytes('{"query":"{ hello }"}')
const waits = (ms: number): string => postBytes(`{"query":"{ wait(ms: ${ms}) }"}`)

/** So many connections, opened a few hundred at a time so that none waits behind a full backlog. */
async function connectMany({ port }: Target, count: number): Promise<readonly RawClient[]> {
  const clients: RawClient[] = []
  while (clients.length < count) {
    const more = Math.min(500, count - clients.length)
    clients.push(...(await Promise.all(Array.from({ length: more }, () => rawClient(port)))))
  }
  return clients
}

/** Resolves when so many resolvers wait, in all processes together. */
async function untilWaiting(target: Target, count: number): Promise<void> {
  for (;;) {
    const figures = await target.figures()
    if (figures.reduce((sum, { waiting }) => sum + waiting, 0) >= count) return
    await pause(50)
  }
}

/** What clients do, each on a connection of its own, and when they have done it. */
type Leave = (client: RawClient, target: Target) => unknown

const writeAndLeave =
  (bytes: string): Leave =>
  ({ socket }) =>
    socket.write(bytes, () => socket.destroy())
const readAndLeave: Leave = ({ socket }) => {
  socket.write(postEcho(250_000))
  return new Promise<void>((left) => socket.once('data', () => left(void socket.destroy())))
}

// oxfmt-ignore
const leavers: readonly (readonly [name: string, count: number, leave: Leave])[] = [
  ['1,000 clients that leave in the middle of a head',        1000, writeAndLeave('POST /graphql HTTP/1.1\r\nHost: loc')],
  ['1,000 clients that leave in the middle of a body',        1000, writeAndLeave(waits(60_000).slice(0, -10))],
  ['200 clients that leave in the middle of a large answer',  200,  readAndLeave],
  ['3,000 connections that say nothing and go',               3000, ({ socket }) => socket.destroy()],
]
const endings = [
  ['leave', 'destroy'],
  ['reset the connection', 'resetAndDestroy'],
] as const

const attacks: readonly Attack[] = [
  ...leavers.map(([name, count, leave]): Attack => ({
    name,
    async run(_, target) {
      await Promise.all((await connectMany(target, count)).map((client) => leave(client, target)))
    },
  })),
  ...endings.map(([what, end]): Attack => ({
    name: `450 clients that ${what} while they wait for the answer`,
    async run(_, target) {
      const clients = await connectMany(target, 450)
      for (const client of clients) client.write(waits(60_000))
      await untilWaiting(target, 450)
      for (const { socket } of clients) socket[end]()
    },
  })),
  {
    name: '2,000 connections at once, all of them served twice',
    async run(t, target) {
      const clients = await connectMany(target, 2000)
      for (const round of [1, 2]) {
        for (const client of clients) client.write(hello)
        const answers = await Promise.all(clients.map((client) => client.next()))
        const isServed = answers.every((answer) => answer?.status === 200)
        t.ok(isServed, `round ${round}`)
      }
      for (const { socket } of clients) socket.destroy()
    },
  },
  {
    name: '3,000 requests in a pipeline, all of them answered',
    async run(t, target) {
      const client = await rawClient(target.port)
      let received = 0
      const all = new Promise<void>((resolve) => {
        client.socket.removeAllListeners('data').on('data', (part: Buffer) => {
          received += part.toString('latin1').split('"world"').length - 1
          if (received === 3000) resolve()
        })
      })
      for (let sent = 0; sent < 3000; sent += 100) client.write(hello.repeat(100))
      await all
      t.equal(received, 3000)
      client.socket.destroy()
    },
  },
  {
    name: '50 pipelines of 300 requests whose responses are not read',
    async run(_, target) {
      const clients = await connectMany(target, 50)
      for (const { socket } of clients) {
        socket.pause()
        socket.write(hello.repeat(300))
      }
      await target.ask('{ hello }')
      for (const { socket } of clients) socket.destroy()
    },
  },
  {
    name: '5,000 requests behind one that waits',
    overloads: true,
    async run(t, target) {
      const client = await rawClient(target.port)
      client.write(waits(1000))
      checkResponse(t, await client.ask(hello.repeat(5000)), { status: 200 })
      checkResponse(t, await client.next(), { status: 200 })
      client.socket.destroy()
    },
  },
  {
    name: '3,000 requests that wait in one pipeline',
    overloads: true,
    async run(t, target) {
      const client = await rawClient(target.port)
      checkResponse(t, await client.ask(waits(1000).repeat(3000)), { status: 200 })
      client.socket.destroy()
    },
  },
  {
    name: '2,500 requests at once, of which those beyond the limit are refused',
    overloads: true,
    async run(t, target) {
      const clients = await connectMany(target, 2500)
      for (const client of clients) client.write(waits(1500))
      const answers = await Promise.all(clients.map((client) => client.next()))
      for (const answer of answers.slice(0, 20)) checkResponse(t, answer, { status: [200, 503] })
      const refused = answers.find((answer) => answer?.status === 503)
      checkResponse(t, refused, { status: 503, code: 'OVERLOADED' })
      t.ok(
        answers.every((answer) => answer?.status === 200 || answer?.status === 503),
        'every one was answered',
      )
      for (const { socket } of clients) socket.destroy()
    },
  },
  {
    name: '2,000 clients that are refused and come again on the same connection',
    async run(t, target) {
      const clients = await connectMany(target, 200)
      for (let round = 0; round < 10; round++) {
        for (const client of clients) client.write(postBytes('{'))
        const answers = await Promise.all(clients.map((client) => client.next()))
        t.ok(answers.every((answer) => answer?.status === 400))
      }
      for (const { socket } of clients) socket.destroy()
    },
  },
  {
    name: '1,000 GETs that change their mind about the method, the path and Accept',
    async run(t, { port }) {
      const statuses = await Promise.all(
        Array.from({ length: 1000 }, async (_, at) => {
          const path = at % 2 === 0 ? `/graphql?query={hello}&n=${at}` : `/${at}`
          const headers = { Accept: `text/x${at}, */*;q=0.5` }
          return (await send({ port, method: 'GET', path, headers })).status
        }),
      )
      t.strictSame(new Set(statuses), new Set([200, 404]))
    },
  },
]

runAttacks('a server bears clients that leave, and more of them than it likes', attacks, {
  rounds: 2,
})
runAttacks('two workers bear them, too', attacks, { rounds: 2, workers: 2 })
