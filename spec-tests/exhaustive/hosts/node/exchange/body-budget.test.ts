import { once } from 'node:events'
import type { IncomingMessage, RequestListener } from 'node:http'
import { buildSchema } from 'graphql'
import t from 'tap'
import { toNodeListener, toNodeResponder } from '../../../../../src/hosts/node/index.js'
import { createHandler } from '../../../../../src/index.js'
import { jsonOf, valueOf } from '../../../../hosts/exchange.js'
import { host } from '../../hosted.js'
import { postBytes } from '../../raw-client.js'

const schema = buildSchema('type Query { hello: String }')
const handler = createHandler({ schema, rootValue: { hello: 'world' } })
const options = { maxBufferedBytes: 300_000 }

/** The two ways in which an answer gets out: each has one budget for all of its requests. */
const listeners: readonly [name: string, create: () => RequestListener][] = [
  ['toNodeListener', () => toNodeListener(handler, options)],
  [
    'toNodeResponder',
    () => {
      const respond = toNodeResponder(handler, options)
      return async (incoming, outgoing) => {
        const { status, headers, body } = await respond(incoming, outgoing)
        const length = String(Buffer.byteLength(body as string))
        outgoing.writeHead(status, [...headers, 'Content-Length', length]).end(body)
      }
    },
  ],
]

/** A request of so many bytes, its last one missing. */
function almost(bytes: number): { readonly start: string; readonly rest: string } {
  const query = '{"query":"{ hello }"}'
  const whole = postBytes(query + ' '.repeat(bytes - query.length))
  return { start: whole.slice(0, -1), rest: whole.slice(-1) }
}

const large = almost(300_000)
const medium = almost(200_000)
const small = almost(60_000)
const data = { data: { hello: 'world' } }

for (const [name, create] of listeners) {
  void t.test(`${name}: unfinished bodies share a budget, small ones need none`, async (t) => {
    const { connect } = await host(t, options, create())
    const first = await connect()
    first.write(large.start)
    const second = await connect()
    second.write(medium.start)
    // Whichever came too late for the rest of the room is refused, at once.
    const refused = await Promise.race([first.next(), second.next()])
    t.equal(refused?.status, 503)
    t.equal(refused && valueOf(refused, 'retry-after'), '1')
    t.match(refused && jsonOf(refused), { errors: [{ extensions: { code: 'OVERLOADED' } }] })
    const third = await connect()
    third.write(small.start + small.rest)
    const answer = await third.next()
    t.same(answer && jsonOf(answer), data)
  })

  void t.test(`${name}: the room is free again when bodies end or clients leave`, async (t) => {
    const { connect, server } = await host(t, options, create())
    for (let round = 0; round < 3; round++) {
      const client = await connect()
      client.write(large.start + large.rest)
      const answer = await client.next()
      t.same(answer && jsonOf(answer), data)
      const leaving = await connect()
      leaving.write(large.start)
      const [incoming] = (await once(server, 'request')) as [IncomingMessage]
      await once(incoming, 'data')
      leaving.socket.destroy()
      await new Promise((resolve) => incoming.once('close', resolve))
    }
  })
}
