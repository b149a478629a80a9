import { once } from 'node:events'
import { connect, createServer, type OutgoingHttpHeaders } from 'node:http2'
import fastify from 'fastify'
import Koa from 'koa'
import t from 'tap'
import { buildSchema, createHandler, fieldValue, type Handler } from '../../../src/index.js'
import {
  mergeHeaders,
  toNodeListener,
  toNodeResponder,
  type Incoming,
  type Outgoing,
} from '../../../src/hosts/node/index.js'
import type { Host } from '../../hosts/exchange.js'
import { http2Client } from '../../hosts/http2-client.js'
import { hostSuite } from '../../hosts/shared-suite.js'
import { close, listen } from '../../hosts/start-node.js'

type Listener = (incoming: Incoming, outgoing: Outgoing) => unknown

/** The middleware as docs/hosts.md shows it. */
function inKoa(handler: Handler): Listener {
  const app = new Koa()
  const respond = toNodeResponder(handler)
  app.use(async (context) => {
    const { req, res, originalUrl } = context
    const answer = await respond(req, res, { originalUrl })
    context.status = answer.status
    for (const [name, value] of mergeHeaders(answer.headers, res.getHeaders())) {
      if (value === undefined) context.remove(name)
      else context.set(name, value)
    }
    context.body = answer.body
  })
  const callback = app.callback()
  return (incoming, outgoing) => void callback(incoming, outgoing)
}

/** The route as docs/hosts.md shows it. */
async function inFastify(handler: Handler): Promise<Listener> {
  const app = fastify({ http2: true })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', (_request, _payload, done) => done(null))
  const respond = toNodeResponder(handler)
  app.all('/graphql', async (request, reply) => {
    const answer = await respond(request.raw, reply.raw)
    for (const [name, value] of mergeHeaders(answer.headers, reply.getHeaders())) {
      reply.removeHeader(name)
      if (value !== undefined) reply.header(name, value)
    }
    return reply.code(answer.status).send(answer.body)
  })
  await app.ready()
  return (incoming, outgoing) => app.routing(incoming as never, outgoing as never)
}

// oxfmt-ignore
const hosts: readonly (readonly [
  name: string,
  mount: (handler: Handler) => Listener | Promise<Listener>,
])[] = [
  ['toNodeListener', toNodeListener],
  ['Koa',            inKoa],
  ['Fastify',        inFastify],
]

async function start(listener: Listener): Promise<Host> {
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing))
  const port = await listen(server)
  const client = http2Client(`http://127.0.0.1:${port}/graphql`)
  return {
    send: client.send,
    lacks: ['reason-phrase'],
    async close() {
      await client.close()
      await close(server)
    },
  }
}

const echo = createHandler({
  schema: buildSchema('type Query { field(name: String!): String }'),
  rootValue: {
    field: ({ name }: { name: string }, { head }: { head: { headers: readonly string[] } }) =>
      fieldValue(head.headers, name),
  },
  responseHeaders: () => ({
    // Node's HTTP/2 takes one value of each of the first four.
    ETag: ['"a"', '"b"'],
    'Content-Language': ['en', 'de'],
    Location: ['/a', '/b'],
    'Content-Location': ['/a', '/b'],
    Link: ['</a>', '</b>'],
    'Set-Cookie': ['a=1', 'b=2'],
  }),
})

/** What clients send beside a query for a field, and what the handler reads there. */
// oxfmt-ignore
const requests: readonly (readonly [name: string, sent: OutgoingHttpHeaders, read: string])[] = [
  ['x-mine', { 'x-mine': ['a', 'b'] },                            'a, b'],
  ['cookie', { cookie: ['a=1', 'b=2; c=3'] },                     'a=1; b=2; c=3'],
  ['accept', { accept: ['text/html;q=0.5', 'application/json'] }, 'text/html;q=0.5, application/json'],
]

for (const [host, mount] of hosts) {
  if (host !== 'toNodeListener') {
    void t.test(`${host} on HTTP/2`, (t) =>
      hostSuite(t, async (handler) => start(await mount(handler))),
    )
  }

  void t.test(`${host} on HTTP/2: lines that come several times`, async (t) => {
    const listener = await mount(echo)
    const server = createServer((incoming, outgoing) => void listener(incoming, outgoing))
    const port = await listen(server)
    const client = connect(`http://127.0.0.1:${port}`)
    for (const [name, sent, read] of requests) {
      const stream = client.request({ ':path': `/graphql?query={field(name:"${name}")}`, ...sent })
      const [fields] = (await once(stream, 'response')) as [Record<string, unknown>]
      const body = Buffer.concat(await stream.toArray()).toString()
      t.strictSame(JSON.parse(body), { data: { field: read } })
      t.match(fields, {
        ':status': 200,
        etag: '"a", "b"',
        'content-language': 'en, de',
        location: '/a, /b',
        'content-location': '/a, /b',
        link: '</a>, </b>',
        'set-cookie': ['a=1', 'b=2'],
      })
    }
    client.close()
    await close(server)
  })
}

// oxfmt-ignore
const authorities: readonly (readonly [host: string | undefined, status: number])[] = [
  [undefined,          200],
  ['own.example',      200],
  ['OWN.example',      200],
  ['own.example:80',   200],
  ['own.example:8080', 400],
  ['other.example',    400],
]

for (const [name, mount] of hosts) {
  void t.test(`${name} on HTTP/2: a Host beside :authority`, async (t) => {
    const listener = await mount(echo)
    const server = createServer((incoming, outgoing) => void listener(incoming, outgoing))
    const port = await listen(server)
    const client = connect(`http://127.0.0.1:${port}`)
    for (const [host, status] of authorities) {
      const stream = client.request({
        ':path': '/graphql?query={field(name:"host")}',
        ':authority': 'own.example',
        ...(host !== undefined && { host }),
      })
      const [fields] = (await once(stream, 'response')) as [{ readonly ':status': number }]
      const body = Buffer.concat(await stream.toArray()).toString()
      t.equal(fields[':status'], status, `${String(host)}: ${body}`)
      if (status === 200) t.strictSame(JSON.parse(body), { data: { field: 'own.example' } })
      else t.match(JSON.parse(body), { errors: [{ extensions: { code: 'INVALID_HOST' } }] })
    }
    const alone = client.request({
      ':path': '/graphql?query={field(name:"host")}',
      host: 'host.example',
    })
    t.match(Buffer.concat(await alone.toArray()).toString(), 'host.example')
    client.close()
    await close(server)
  })
}
