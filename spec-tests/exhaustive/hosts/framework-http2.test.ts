import { once } from 'node:events'
import { connect, createServer, type OutgoingHttpHeaders } from 'node:http2'
import t, { type Test } from 'tap'
import { buildSchema, createHandler, fieldValue, type Handler } from '../../../src/index.js'
import { toNodeListener } from '../../../src/hosts/node/index.js'
import type { Host } from '../../hosts/exchange.js'
import { mounts, type Mount } from '../../hosts/mounts.js'
import { hostSuite } from '../../hosts/shared-suite.js'
import { close, http2Host, listen } from '../../hosts/start-node.js'

const hosts: { readonly [name: string]: Mount } = {
  toNodeListener: (handler) => toNodeListener(handler),
  Koa: mounts.Koa,
  Fastify: mounts.Fastify,
}

async function serve(handler: Handler, mount: Mount) {
  const listener = await mount(handler)
  const server = createServer((incoming, outgoing) => void listener(incoming, outgoing))
  return { server, origin: `http://127.0.0.1:${await listen(server)}` }
}

async function start(handler: Handler, mount: Mount): Promise<Host> {
  const { server, origin } = await serve(handler, mount)
  return http2Host(origin, () => close(server))
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

// oxfmt-ignore
const authorities: readonly (readonly [host: string | undefined, status: number])[] = [
  [undefined,          200],
  ['own.example',      200],
  ['OWN.example',      200],
  ['own.example:80',   200],
  ['own.example:8080', 400],
  ['other.example',    400],
]

async function open(t: Test, mount: Mount) {
  const { server, origin } = await serve(echo, mount)
  const client = connect(origin)
  t.teardown(async () => {
    client.close()
    await close(server)
  })
  return async (name: string, sent: OutgoingHttpHeaders) => {
    const path = `/graphql?query={field(name:"${name}")}`
    const stream = client.request({ ':path': path, ...sent })
    const [fields] = (await once(stream, 'response')) as [Record<string, unknown>]
    const json: unknown = JSON.parse(Buffer.concat(await stream.toArray()).toString())
    return { fields, json }
  }
}

for (const [host, mount] of Object.entries(hosts)) {
  if (host !== 'toNodeListener') {
    void t.test(`${host} on HTTP/2`, (t) => hostSuite(t, (handler) => start(handler, mount)))
  }

  void t.test(`${host} on HTTP/2: lines that come several times`, async (t) => {
    const ask = await open(t, mount)
    for (const [name, sent, read] of requests) {
      const { fields, json } = await ask(name, sent)
      t.strictSame(json, { data: { field: read } })
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
  })

  void t.test(`${host} on HTTP/2: a Host beside :authority`, async (t) => {
    const ask = await open(t, mount)
    const own = { ':authority': 'own.example' }
    for (const [other, status] of authorities) {
      const { fields, json } = await ask(
        'host',
        other === undefined ? own : { ...own, host: other },
      )
      t.equal(fields[':status'], status, String(other))
      if (status === 200) t.strictSame(json, { data: { field: 'own.example' } })
      else t.match(json, { errors: [{ extensions: { code: 'INVALID_HOST' } }] })
    }
    const { json } = await ask('host', { host: 'host.example' })
    t.strictSame(json, { data: { field: 'host.example' } })
  })
}
