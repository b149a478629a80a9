import type { IncomingMessage, ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import t, { type Test } from 'tap'
import { longTurns } from '../../../../../src/base/long-turns.js'
import { toNodeListener, toNodeResponder } from '../../../../../src/hosts/node/index.js'
import { buildSchema, createHandler, type Handler } from '../../../../../src/index.js'
import { host, plain } from '../../hosted.js'
import { slowField } from '../../../../handler/slow-field.js'
import { postBytes, type RawClient } from '../../raw-client.js'

function block(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

/** Node accepts one connection in a turn, and so each has had a response. */
async function connectAll(connect: () => Promise<RawClient>, count: number): Promise<RawClient[]> {
  const clients = await Promise.all(Array.from({ length: count }, connect))
  for (const client of clients) await client.ask(requests.GET('{ __typename }'))
  return clients
}

/** What costs little has no clock. */
const sdl = `
  directive @cost(weight: String!) on FIELD_DEFINITION
  type Query { now: String @cost(weight: "60") }
`

/** How many resolvers ran, and how many in a turn at most. */
function counting() {
  const { calls: counted, resolve: now } = slowField(11)
  const schema = buildSchema(sdl, { Query: { now } })
  return { counted, handler: createHandler({ schema }) }
}

const requests = {
  GET: (query: string) => `GET /?query=${encodeURIComponent(query)} HTTP/1.1\r\nHost: x\r\n\r\n`,
  HEAD: (query: string) => `HEAD /?query=${encodeURIComponent(query)} HTTP/1.1\r\nHost: x\r\n\r\n`,
  POST: (query: string) => postBytes(JSON.stringify({ query })),
  'large POST': (query: string) => postBytes(JSON.stringify({ query }).padEnd(20_000)),
}

const servers = {
  'a hardened server': (t: Test, handler: Handler) => host(t, {}, toNodeListener(handler)),
  'a server of Node': (t: Test, handler: Handler) => plain(t, toNodeListener(handler)),
  'a framework that parses bodies': (t: Test, handler: Handler) => {
    const respond = toNodeResponder(handler)
    const serve = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
      const body = incoming.method === 'POST' ? await json(incoming) : undefined
      const response = await respond(incoming, outgoing, { body })
      outgoing.writeHead(response.status, [...response.headers]).end(response.body)
    }
    return plain(t, (...exchange) => void serve(...exchange))
  },
}

for (const [name, startWith] of Object.entries(servers)) {
  for (const [method, request] of Object.entries(requests)) {
    void t.test(`${name} runs two slow ${method} requests in a turn at most`, async (t) => {
      const { counted, handler } = counting()
      const { connect } = await startWith(t, handler)
      const clients = await connectAll(connect, 20)
      for (const client of clients) client.write(request('{ now }'))
      for (const client of clients) await client.until('HTTP/1.1 200')
      t.ok(counted.most > 0 && counted.most <= 2, `${counted.most} in a turn`)
    })
  }
}

function getFrom(address: string, path = '/?query=%7Bnow%7D'): string {
  return `GET ${path} HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${address}\r\n\r\n`
}

const flood = getFrom('192.0.2.1')
const other = getFrom('192.0.2.2')

/** Requests of one client on each of twenty connections, and one of another client once some of these have run. */
// oxfmt-ignore
const rounds: readonly [title: string, floods: string, ran: number, other: string][] = [
  ['a client behind the same proxy waits for one of another', flood,            2,  other],
  ['so it does for one with pipelines',                       flood.repeat(5), 22, other],
  ['health checks do not wait',                               flood,            2,  getFrom('192.0.2.1', '/livez')],
]
for (const [title, floods, ran, late] of rounds) {
  void t.test(title, async (t) => {
    const { counted, handler } = counting()
    const options = { trustedProxies: 1, livePath: '/livez' }
    const { connect } = await host(t, options, toNodeListener(handler))
    const [client, ...clients] = await connectAll(connect, 21)
    for (const one of clients) one.write(floods)
    while (counted.all < ran) await new Promise(setImmediate)
    const before = counted.all
    t.match(await client?.ask(late), { status: 200 })
    t.ok(counted.all - before <= 5, `${counted.all - before} resolvers ran before`)
  })
}

void t.test('requests behind a late one keep their order', async (t) => {
  const served: string[] = []
  const { connect } = await host(
    t,
    {},
    ({ url = '' }: IncomingMessage, outgoing: ServerResponse) => {
      served.push(url)
      longTurns.note(0)
      if (url === '/slow') block(20)
      outgoing.end()
    },
  )
  const [first, ...clients] = await connectAll(connect, 4)
  served.length = 0
  first?.write(getFrom('', '/slow'))
  for (const [at, client] of clients.entries()) {
    client.write(['a', 'b', 'c', 'd'].map((step) => getFrom('', `/${at}${step}`)).join(''))
  }
  while (served.length < 13) await new Promise(setImmediate)
  for (const at of clients.keys()) {
    const own = served.filter((url) => url.startsWith(`/${at}`))
    t.same(own, [`/${at}a`, `/${at}b`, `/${at}c`, `/${at}d`])
  }
})

// oxfmt-ignore
const flowing: readonly [method: string, left: object][] = [
  ['PUT',  {}],
  // What a parser of another type leaves on a request.
  ['POST', { body: {} }],
]
for (const [method, left] of flowing) {
  void t.test(`the body of a late ${method} that flows already is not lost`, async (t) => {
    const listener = toNodeListener(async ({ body }) => {
      const read = (await body?.read(100)) as Uint8Array
      return { status: 200, headers: [], body: Buffer.from(read) }
    })
    const { connect } = await plain(t, (incoming, outgoing) => {
      Object.assign(incoming, left).on('data', () => undefined)
      longTurns.note(0)
      block(11)
      listener(incoming, outgoing)
    })
    const client = await connect()
    const { body } = await client.ask(postBytes('text', '', `${method} / HTTP/1.1\r\nHost: x\r\n`))
    t.equal(String(body), 'text')
  })
}
