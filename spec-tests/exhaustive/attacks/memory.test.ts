import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { init, opcodes, RawWebSocket, text } from '../hosts/node/websocket/raw-web-socket.js'
import { postBytes, rawClient, type RawClient } from '../hosts/raw-client.js'
import { checkMemory } from './run-attacks.js'
import { startTarget, type Target } from './target.js'

t.setTimeout(300_000)
t.jobs = 2

/** Sends a request over a kept connection and gives the status of the answer. */
function send(
  { port }: Target,
  agent: Agent,
  body: string,
  headers: { readonly [name: string]: string },
): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        port,
        agent,
        host: '127.0.0.1',
        path: '/graphql',
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
      },
      (incoming) => {
        incoming.resume()
        incoming.on('end', () => resolve(incoming.statusCode ?? 0))
        incoming.on('error', reject)
      },
    )
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

const MiB = 1024 * 1024
const halfBody =
  'POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n' +
  `Content-Length: ${MiB}\r\n\r\n`
const mostOfBody = Buffer.alloc(MiB - 1, ' ')

const document = (query: string): string => JSON.stringify({ query })
const filler = (length: number): string => 'id '.repeat(length / 3)

/** What is different in each of 5,000 requests, or of so many, and how they are answered. */
// oxfmt-ignore
const floods: readonly (readonly [
  name: string,
  request: (at: number) => {
    readonly body: string
    readonly headers?: { readonly [name: string]: string }
  },
  status: number,
  count?: number,
])[] = [
  ['5,000 valid documents',                             (at) => ({ body: document(`query Q${at} { person { id } }`) }),                     200],
  ['5,000 valid documents of the longest that is kept', (at) => ({ body: document(`query Q${at} { echo(text: "${'a'.repeat(8000)}") }`) }), 200],
  ['1,000 valid documents of as many fields as may be', (at) => ({ body: document(`query Q${at} { person { ${filler(900)} } }`) }),         200, 1000],
  ['5,000 invalid documents',                           (at) => ({ body: document(`{ person { q${at} } }`) }),                              422],
  ['5,000 documents of broken syntax',                  (at) => ({ body: document(`{ person { id${at} `) }),                                400],
  ['5,000 documents that are too large',                (at) => ({ body: document(`{ people(limit: ${10_000 + at}) { id } }`) }),           422],
  [
    '5,000 values of Accept, Content-Type and Origin',
    (at) => ({
      body: document('{ hello }'),
      headers: {
        Accept: `text/a${at}, */*`,
        'Content-Type': `application/json; a=b${at}`,
        Origin: `https://${at}.example`,
      },
    }),
    200,
  ],
  [
    '5,000 names of operations and variables',
    (at) => ({
      body: JSON.stringify({
        query: 'query A { hello }',
        operationName: 'A',
        variables: { [`v${at}`]: 'x'.repeat(1000) },
        extensions: { [`e${at}`]: 'x'.repeat(1000) },
      }),
    }),
    200,
  ],
]

for (const graphql of ['16', '17'] as const) {
  void t.test(`memory stays within bounds with graphql ${graphql}`, async (t) => {
    const target = await startTarget({ graphql })
    for (const [name, requestAt, status, count = 5000] of floods) {
      await t.test(name, async (t) => {
        const flood = async (from: number, to: number): Promise<void> => {
          // One for each flood: a connection that rests while the figures are taken may be closed meanwhile.
          const agent = new Agent({ keepAlive: true, maxSockets: 10 })
          const statuses = await Promise.all(
            Array.from({ length: to - from }, (_, at) => {
              const { body, headers = {} } = requestAt(from + at)
              return send(target, agent, body, headers)
            }),
          )
          agent.destroy()
          t.strictSame([...new Set(statuses)], [status])
        }
        const before = await target.figures()
        await flood(0, count / 2)
        const half = await target.figures()
        await flood(count / 2, count)
        checkMemory(t, before, half, await target.figures())
      })
    }
    t.equal((await target.stop()).code, 0)
  })
}

void t.test(
  'bodies that many clients leave half sent take no more than the process has',
  async (t) => {
    const target = await startTarget()
    const [before] = await target.figures()
    const clients = await Promise.all(Array.from({ length: 1000 }, () => rawClient(target.port)))
    // One after the other: a gigabyte at once would stall this process for longer than servers keep a connection that rests.
    for (const { socket } of clients) {
      socket.write(halfBody)
      // Taken by the system, or refused by the server.
      await new Promise<void>((resolve) => {
        socket.write(mostOfBody, () => resolve())
        socket.once('close', () => resolve())
      })
    }
    const [during] = await target.figures()
    const grown = (during?.memory ?? 0) - (before?.memory ?? 0)
    t.comment(`1,000 incomplete bodies take ${(grown / 1e6).toFixed(0)} MB`)
    t.ok(grown < 600e6, `${grown} bytes`)
    for (const { socket } of clients) socket.destroy()
    t.equal((await target.stop()).code, 0)
  },
)

function leave(clients: readonly RawClient[]): void {
  for (const { socket } of clients) socket.destroy()
}

const unread = JSON.stringify({
  query: 'query ($t: String) { people(limit: 40) { echo(text: $t) } }',
  variables: { t: 'x'.repeat(200_000) },
})

/** Asks for 30 responses of 8 MB, and reads none of them. A source keeps its event, and Node a copy of what it sends. */
const readers: readonly (readonly [
  name: string,
  most: number,
  ask: (port: number) => Promise<() => void>,
])[] = [
  [
    '30 connections',
    190e6,
    async (port) => {
      const clients = await Promise.all(Array.from({ length: 30 }, () => rawClient(port)))
      for (const { socket } of clients) socket.pause().write(postBytes(unread))
      return () => leave(clients)
    },
  ],
  [
    '30 subscriptions',
    480e6,
    async (port) => {
      const clients = await Promise.all(Array.from({ length: 30 }, () => rawClient(port)))
      const body = JSON.stringify({ query: 'subscription { flood(bytes: 8000000) }' })
      const bytes = postBytes(body, 'Accept: text/event-stream\r\n')
      for (const { socket } of clients) socket.pause().write(bytes)
      return () => leave(clients)
    },
  ],
]

for (const [name, most, ask] of readers) {
  void t.test(`${name} that do not read 8 MB each take no more than a budget`, async (t) => {
    const target = await startTarget()
    await target.ask('{ hello }')
    const [before] = await target.figures()
    const end = await ask(target.port)
    let held = 0
    await pause(3000)
    for (let look = 0; look < 3; look++) {
      const [during] = await target.figures()
      held = Math.max(held, (during?.memory ?? 0) - (before?.memory ?? 0))
    }
    t.comment(`${name} hold ${(held / 1e6).toFixed(0)} MB`)
    t.ok(held < most, `${held} bytes`)
    t.equal(await target.ask('{ hello }'), '{"data":{"hello":"world"}}')
    end()
    t.equal((await target.stop()).code, 0)
  })
}

void t.test('messages that 400 sockets leave half sent take no more than a budget', async (t) => {
  const target = await startTarget({ words: ['--websocket'] })
  const [before] = await target.figures()
  const half = { ...text('x'.repeat(120_000)), fin: false }
  const sockets = await Promise.all(
    Array.from({ length: 400 }, () => RawWebSocket.open(target.port)),
  )
  for (const socket of sockets) {
    socket.tell(init)
    socket.send(half, { ...half, opcode: opcodes.continuation })
  }
  await pause(2000)
  const [during] = await target.figures()
  const grown = (during?.memory ?? 0) - (before?.memory ?? 0)
  t.comment(`400 incomplete messages take ${(grown / 1e6).toFixed(0)} MB`)
  t.ok(grown < 60e6, `${grown} bytes`)
  for (const { socket } of sockets) socket.destroy()
  t.equal((await target.stop()).code, 0)
})
