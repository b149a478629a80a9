import { request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { postBytes, rawClient, type RawClient } from '../hosts/raw-client.js'
import { checkResponse } from './check-response.js'
import { runAttacks, type Attack } from './run-attacks.js'
import type { Target } from './target.js'

t.setTimeout(300_000)
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

const attacks: readonly Attack[] = [
  {
    name: '1,000 clients that leave in the middle of a head',
    async run(_, target) {
      for (const { socket } of await connectMany(target, 1000)) {
        socket.write('POST /graphql HTTP/1.1\r\nHost: loc', () => socket.destroy())
      }
    },
  },
  {
    name: '1,000 clients that leave in the middle of a body',
    async run(_, target) {
      const half = waits(60_000).slice(0, -10)
      for (const { socket } of await connectMany(target, 1000)) {
        socket.write(half, () => socket.destroy())
      }
    },
  },
  {
    name: '900 clients that leave while they wait for the answer',
    async run(_, target) {
      const clients = await connectMany(target, 900)
      for (const client of clients) client.write(waits(60_000))
      await untilWaiting(target, 900)
      for (const { socket } of clients) socket.destroy()
    },
  },
  {
    name: '900 clients that reset the connection while they wait for the answer',
    async run(_, target) {
      const clients = await connectMany(target, 900)
      for (const client of clients) client.write(waits(60_000))
      await untilWaiting(target, 900)
      for (const { socket } of clients) socket.resetAndDestroy()
    },
  },
  {
    name: '200 clients that leave in the middle of a large answer',
    async run(_, target) {
      const clients = await connectMany(target, 200)
      const large = postBytes(
        JSON.stringify({
          query: 'query ($t: String) { echo(text: $t) }',
          variables: { t: 'x'.repeat(250_000) },
        }),
      )
      await Promise.all(
        clients.map(({ socket }) => {
          socket.write(large)
          return new Promise<void>((left) => {
            socket.once('data', () => {
              socket.destroy()
              left()
            })
          })
        }),
      )
    },
  },
  {
    name: '3,000 connections that say nothing and go',
    async run(_, target) {
      for (const { socket } of await connectMany(target, 3000)) socket.destroy()
    },
  },
  {
    name: '2,000 connections at once, all of them served twice',
    async run(t, target) {
      const clients = await connectMany(target, 2000)
      for (const round of [1, 2]) {
        for (const client of clients) client.write(hello)
        const answers = await Promise.all(clients.map((client) => client.next()))
        t.ok(
          answers.every((answer) => answer?.status === 200),
          `round ${round}`,
        )
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
    name: '50 pipelines of 300 requests that nobody reads',
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
      client.write(hello.repeat(5000))
      checkResponse(t, await client.next(), { status: 200 })
      checkResponse(t, await client.next(), { status: 200 })
      client.socket.destroy()
    },
  },
  {
    name: '3,000 requests that wait in one pipeline',
    overloads: true,
    async run(t, target) {
      const client = await rawClient(target.port)
      client.write(waits(1000).repeat(3000))
      checkResponse(t, await client.next(), { status: 200 })
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
        Array.from({ length: 1000 }, (_, at) => {
          return new Promise<number>((resolve, reject) => {
            request(
              {
                port,
                host: '127.0.0.1',
                agent: false,
                path: at % 2 === 0 ? `/graphql?query={hello}&n=${at}` : `/${at}`,
                headers: { Accept: `text/x${at}, */*;q=0.5` },
              },
              (incoming) => {
                incoming.resume()
                incoming.on('end', () => resolve(incoming.statusCode ?? 0))
              },
            )
              .on('error', reject)
              .end()
          })
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
