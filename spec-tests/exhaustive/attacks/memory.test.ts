import { Agent, type OutgoingHttpHeaders } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { encodeFrame, opcodes } from '../../../src/conformance/wire/web-socket/frames.js'
import { handshake, init, text } from '../hosts/node/websocket/raw-web-socket.js'
import { postBytes, postLines } from '../hosts/raw-client.js'
import { bodyOf, checkMemory } from './run-attacks.js'
import { send } from '../send.js'
import { startTarget, type Target } from './target.js'

t.jobs = 2

const MiB = 1024 * 1024
const halfBody = `${postLines}Content-Length: ${MiB}\r\n\r\n`
const mostOfBody = Buffer.alloc(MiB - 1, ' ')

const filler = (length: number): string => 'id '.repeat(length / 3)

/** What is different in each of 5,000 requests, or of so many, and how they are answered. */
type Flood = readonly [name: string, bodyAt: (at: number) => string, status: number, more?: More]

interface More {
  readonly count?: number
  readonly headersAt?: (at: number) => OutgoingHttpHeaders
}

const ownHeaders = (at: number): OutgoingHttpHeaders => ({
  Accept: `text/a${at}, */*`,
  'Content-Type': `application/json; a=b${at}`,
  Origin: `https://${at}.example`,
})
const namesAt = (at: number): string =>
  JSON.stringify({
    query: 'query A { hello }',
    operationName: 'A',
    variables: { [`v${at}`]: 'x'.repeat(1000) },
    extensions: { [`e${at}`]: 'x'.repeat(1000) },
  })

// oxfmt-ignore
const floods: readonly Flood[] = [
  ['5,000 valid documents',                             (at) => bodyOf(`query Q${at} { person { id } }`),                     200],
  ['5,000 valid documents of the longest that is kept', (at) => bodyOf(`query Q${at} { echo(text: "${'a'.repeat(8000)}") }`), 200],
  ['1,000 valid documents of as many fields as may be', (at) => bodyOf(`query Q${at} { person { ${filler(900)} } }`),         200, { count: 1000 }],
  ['5,000 invalid documents',                           (at) => bodyOf(`{ person { q${at} } }`),                              422],
  ['5,000 documents of broken syntax',                  (at) => bodyOf(`{ person { id${at} `),                                400],
  ['5,000 documents that are too large',                (at) => bodyOf(`{ people(limit: ${25_000 + at}) { id } }`),           422],
  ['5,000 values of Accept, Content-Type and Origin',   () => bodyOf('{ hello }'),                                            200, { headersAt: ownHeaders }],
  ['5,000 names of operations and variables',           namesAt,                                                              200],
]

for (const graphql of ['16', '17'] as const) {
  void t.test(`memory stays within bounds with graphql ${graphql}`, async (t) => {
    const target = await startTarget({ graphql })
    for (const [name, bodyAt, status, { count = 5000, headersAt } = {}] of floods) {
      await t.test(name, async (t) => {
        const flood = async (from: number, to: number): Promise<void> => {
          // One for each flood: a connection that rests while the figures are taken may be closed meanwhile.
          const agent = new Agent({ keepAlive: true, maxSockets: 10 })
          const statuses = await Promise.all(
            Array.from({ length: to - from }, async (_, at) => {
              const headers = headersAt?.(from + at) ?? {}
              const options = { port: target.port, agent, headers }
              return (await send(options, bodyAt(from + at))).status
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

const unread = bodyOf('query ($t: String) { people(limit: 40) { echo(text: $t) } }', {
  t: 'x'.repeat(200_000),
})

/** Connects many clients, which say `bytes` and do not read. */
async function crowd(
  target: Target,
  count: number,
  bytes: string | Uint8Array,
): Promise<readonly Socket[]> {
  const clients = await target.connectMany(count)
  return clients.map(({ socket }) => {
    socket.pause().write(bytes)
    return socket
  })
}

/** 1 MiB each, of which a byte is missing. */
async function leaveHalfSent(target: Target): Promise<void> {
  // One after the other: a gigabyte at once would stall this process for longer than servers keep a connection that rests.
  for (const socket of await crowd(target, 1000, halfBody)) {
    // Taken by the system, or refused by the server.
    await new Promise<void>((resolve) => {
      socket.resume().write(mostOfBody, () => resolve())
      socket.once('close', () => resolve())
    })
  }
}

const half = { ...text('x'.repeat(120_000)), fin: false }
const halfMessage = [text(init), half, { ...half, opcode: opcodes.continuation }].map(encodeFrame)
const socketBytes = Buffer.concat([Buffer.from(handshake()), ...halfMessage])

const flooded = postBytes(
  bodyOf('subscription { flood(bytes: 8000000) }'),
  'Accept: text/event-stream\r\n',
)

/** What clients make the server hold. A source keeps its event, and Node a copy of what it sends. */
// oxfmt-ignore
const budgets: readonly (readonly [name: string, most: number, fill: (target: Target) => Promise<unknown>, words?: readonly string[]])[] = [
  ['1,000 bodies of 1 MiB that stay half sent',    600e6, leaveHalfSent],
  ['30 connections that do not read 8 MB each',    190e6, (target) => crowd(target, 30, postBytes(unread))],
  ['30 subscriptions that do not read 8 MB each',  480e6, (target) => crowd(target, 30, flooded)],
  ['messages that 400 sockets leave half sent',    75e6,  (target) => crowd(target, 400, socketBytes), ['--websocket']],
]

for (const [name, most, fill, words = []] of budgets) {
  void t.test(`${name} take no more than a budget`, async (t) => {
    const target = await startTarget({ words })
    await target.ask('{ hello }')
    const [before] = await target.figures()
    await fill(target)
    if (fill !== leaveHalfSent) await pause(3000)
    let held = 0
    for (let look = 0; look < 3; look++) {
      const [during] = await target.figures()
      held = Math.max(held, (during?.memory ?? 0) - (before?.memory ?? 0))
    }
    t.comment(`${name}: ${(held / 1e6).toFixed(0)} MB`)
    t.ok(held < most, `${held} bytes`)
    t.equal(await target.ask('{ hello }'), '{"data":{"hello":"world"}}')
    target.leave()
    t.equal((await target.stop()).code, 0)
  })
}
