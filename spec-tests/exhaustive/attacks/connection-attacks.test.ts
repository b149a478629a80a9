import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { postBytes, postEcho, type RawClient } from '../hosts/raw-client.js'
import { send } from '../send.js'
import { checkResponse } from './check-response.js'
import { attacksOf, runAttacks, type Attack } from './run-attacks.js'
import { askAll, sumOf } from './target.js'

t.jobs = 2

const hello = postBytes('{"query":"{ hello }"}')
const waits = (ms: number): string => postBytes(`{"query":"{ wait(ms: ${ms}) }"}`)

/** What clients do, each on a connection of its own, and when they have done it. */
type Leave = (client: RawClient) => unknown

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

const statusesOf = (answers: Awaited<ReturnType<typeof askAll>>): readonly unknown[] =>
  answers.map((answer) => answer?.status)

const attacks = [
  ...leavers.map(([name, count, leave]): Attack => ({
    name,
    run: async (_, { connectMany }) => Promise.all((await connectMany(count)).map(leave)),
  })),
  ...endings.map(([what, end]): Attack => ({
    name: `450 clients that ${what} while they wait for the answer`,
    async run(_, { connectMany, load }) {
      const clients = await connectMany(450)
      for (const client of clients) client.write(waits(60_000))
      while (sumOf(await load(), 'waiting') < 450) await pause(50)
      for (const { socket } of clients) socket[end]()
    },
  })),
  ...attacksOf({
    async '2,000 connections at once, all of them served twice'(t, { connectMany }) {
      const clients = await connectMany(2000)
      for (const round of [1, 2]) {
        const answers = await askAll(clients, hello)
        t.strictSame(new Set(statusesOf(answers)), new Set([200]), `round ${round}`)
      }
    },
    async '50 pipelines of 300 requests whose responses are not read'(_, target) {
      const clients = await target.connectMany(50)
      for (const { socket } of clients) {
        socket.pause()
        socket.write(hello.repeat(300))
      }
      await target.ask('{ hello }')
    },
    async '2,000 clients that are refused and come again on the same connection'(t, target) {
      const clients = await target.connectMany(200)
      for (let round = 0; round < 10; round++) {
        t.strictSame(new Set(statusesOf(await askAll(clients, postBytes('{')))), new Set([400]))
      }
    },
    async '1,000 GETs that change their mind about the method, the path and Accept'(t, { port }) {
      const statuses = await Promise.all(
        Array.from({ length: 1000 }, async (_, at) => {
          const path = at % 2 === 0 ? `/graphql?query={hello}&n=${at}` : `/${at}`
          const headers = { Accept: `text/x${at}, */*;q=0.5` }
          return (await send({ port, method: 'GET', path, headers })).status
        }),
      )
      t.strictSame(new Set(statuses), new Set([200, 404]))
    },
  }),
  ...attacksOf(
    {
      async '5,000 requests behind one that waits'(t, { connect }) {
        const client = await connect()
        client.write(waits(1000))
        checkResponse(t, await client.ask(hello.repeat(5000)), { status: 200 })
        checkResponse(t, await client.next(), { status: 200 })
      },
      async '3,000 requests that wait in one pipeline'(t, { connect }) {
        checkResponse(t, await (await connect()).ask(waits(1000).repeat(3000)), { status: 200 })
      },
      async '2,500 requests at once, of which those beyond the limit are refused'(t, target) {
        const answers = await askAll(await target.connectMany(2500), waits(1500))
        for (const answer of answers.slice(0, 20)) checkResponse(t, answer, { status: [200, 503] })
        const refused = answers.find((answer) => answer?.status === 503)
        checkResponse(t, refused, { status: 503, code: 'OVERLOADED' })
        t.strictSame(new Set(statusesOf(answers)), new Set([200, 503]), 'every one was answered')
      },
    },
    { overloads: true },
  ),
]

runAttacks('a server bears clients that leave, and more of them than it likes', attacks, {
  rounds: 2,
})
runAttacks('two workers bear them, too', attacks, { rounds: 2, workers: 2 })
