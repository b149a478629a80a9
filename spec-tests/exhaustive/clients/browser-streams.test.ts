import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { buildSchema, createEndpoint, resumable } from '../../../src/index.js'
import type { OperationRequest } from '../../../src/index.js'
import { createHostServer, toNodeListener } from '../../../src/hosts/node/index.js'
import type { Outgoing } from '../../../src/hosts/node/exchange/incoming.js'
import { createWebSocketHost } from '../../../src/hosts/node/websocket/index.js'
import { certificate, listen } from '../../hosts/start-node.js'
import { runInPage, skip } from './drive-browser.js'

interface Events {
  readonly seen: readonly (readonly [event: unknown, id: string])[]
  readonly opened: number
}

/** What the page sees, by scene; the last ones are of sockets. */
type Answer = readonly [
  countdown: Events,
  cut: Events,
  tooLong: Events,
  protocol: string,
  ...object[],
]

/** More than browsers open connections of HTTP/1.1 to a server. */
const manyCount = 10

const last = 6
const half = last / 2

/** Ends the first connection of each way in the middle. */
function createSources() {
  let open = 0
  const resumedFrom: { [way: string]: (string | undefined)[] } = { cut: [], tooLong: [] }
  async function* resumed(way: string, { lastEventId, signal }: OperationRequest) {
    resumedFrom[way]?.push(lastEventId)
    const isFirst = lastEventId === undefined
    for (let at = Number(lastEventId ?? 0) + 1; at <= (isFirst ? half : last); at += 1) {
      yield resumable({ [way]: at }, String(at))
    }
    if (!isFirst) return
    if (!signal.aborted) await once(signal, 'abort')
  }
  async function* held(_: unknown, __: unknown, { signal }: OperationRequest) {
    open += 1
    try {
      yield { held: 1 }
      await once(signal, 'abort')
    } finally {
      open -= 1
    }
  }
  const schema = buildSchema(
    `type Query { hello: String }
     type Subscription { countdown: Int  cut: Int  tooLong: Int  held: Int }`,
    {
      Subscription: {
        countdown: {
          async *subscribe() {
            for (const at of [2, 1, 0]) yield { countdown: at }
          },
        },
        cut: { subscribe: (_: unknown, __: unknown, given) => resumed('cut', given as never) },
        tooLong: {
          subscribe: (_: unknown, __: unknown, given) => resumed('tooLong', given as never),
        },
        held: { subscribe: held },
      },
    },
  )
  return { schema, resumedFrom, open: () => open }
}

async function browse(isSecure: boolean) {
  const { schema, resumedFrom, open } = createSources()
  const endpoint = createEndpoint({ schema, maxStreamDuration: 2000, path: '/graphql' })
  const listener = toNodeListener(endpoint.handler)
  const sockets = createWebSocketHost(endpoint)
  const subscription = (field: string): string => `subscription { ${field} }`
  const events = (field: string) => ({ scene: 'events', query: subscription(field) })
  const socket = { scene: 'socket', query: subscription('countdown') }
  const versions = new Set<string>()
  let toCut: Outgoing | undefined
  const { server, close } = createHostServer(
    (incoming, outgoing) => {
      const { url = '', httpVersion } = incoming
      if (url === '/cut') {
        outgoing.end()
        toCut?.destroy()
      } else if (url.startsWith('/graphql')) {
        versions.add(httpVersion)
        if (url.includes('cut')) toCut = outgoing
        listener(incoming, outgoing)
      } else outgoing.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>')
    },
    { sockets, ...(isSecure && { tls: certificate }) },
  )
  const port = await listen(server)
  const url = `http${isSecure ? 's' : ''}://127.0.0.1:${port}/`
  const plan = [
    events('countdown'),
    { ...events('cut'), cutAt: String(half) },
    events('tooLong'),
    { scene: 'many', query: subscription('held'), count: isSecure ? manyCount : 1 },
    socket,
    { ...socket, protocol: 'graphql-ws' },
    { ...socket, host: `localhost:${port}` },
  ]
  try {
    const answer = await runInPage<Answer>(url, 'stream-page.mjs', JSON.stringify(plan))
    // Those that the page has closed.
    while (open() > 0) await nextTurn()
    return { answer, versions: [...versions], resumedFrom, stats: sockets.stats }
  } finally {
    await close({ grace: 0, spread: 0, deadline: 5000 })
  }
}

for (const [name, isSecure] of [
  ['HTTP/1.1', false],
  ['HTTP/2', true],
] as const) {
  void t.test(`EventSource and WebSocket of Chromium, ${name}`, { skip }, async (t) => {
    t.setTimeout(130_000)
    const { answer, versions, resumedFrom, stats } = await browse(isSecure)
    const [countdown, cut, tooLong, protocol, socket, otherProtocol, otherSite] = answer
    t.same(versions, [isSecure ? '2.0' : '1.1'])
    t.equal(protocol, isSecure ? 'h2' : 'http/1.1')

    const counted = [2, 1, 0].map((at) => ({ data: { countdown: at } }))
    t.same(countdown, { seen: counted.map((result) => [result, '']), opened: 1 })

    for (const [way, { seen, opened }] of Object.entries({ cut, tooLong })) {
      const all = Array.from({ length: last }, (_, at) => at + 1)
      const expected = all.map((at) => [{ data: { [way]: at } }, String(at)])
      t.same(seen, expected, `${way}: each event once, in order`)
      t.equal(opened, 2)
      t.same(resumedFrom[way], [undefined, String(half)], 'it says where it was')
    }

    t.match(socket, {
      code: 1000,
      wasClean: true,
      seen: [
        { type: 'connection_ack' },
        ...counted.map((payload) => ({ type: 'next', id: '1', payload })),
        { type: 'complete', id: '1' },
      ],
    })
    // A refused handshake tells a page nothing.
    t.same(otherProtocol, { seen: [], code: 1006, wasClean: false })
    t.same(otherSite, { seen: [], code: 1006, wasClean: false })
    t.equal(stats().open, 0)
  })
}
