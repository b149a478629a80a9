import { once } from 'node:events'
import { connect } from 'node:net'
import { GraphQLError } from 'graphql'
import { createRestHandler, type RestOptions } from '@graphwire/rest'
import { buildSchema, failure, type Options } from '../../src/index.js'
import { listen, serve, toNodeListener, type ServeOptions } from '../../src/hosts/node/index.js'

/** How a status is brought about: the options of a server, in words and as they are, and the bytes of a request. */
interface Recipe {
  readonly server: string
  readonly options?: Partial<ServeOptions>
  /** Whether the server has the routes below instead of GraphQL. */
  readonly routes?: true
  readonly request: string
}

/** The bytes that were sent and received, as text. `Date` is left out. */
export interface Exchange {
  readonly server: string
  readonly request: string
  readonly response: string
}

/** Starts a server, sends it the request of a status, and gives what was on the wire. */
export async function exchangeOf(status: string): Promise<Exchange> {
  const recipe = Object.hasOwn(recipes, status) ? recipes[status] : undefined
  if (recipe === undefined) throw new Error(`Add an exchange of ${status} to this file.`)
  const { server, options, routes, request } = recipe
  const { port, close } = routes ? await serveRoutes() : await serveGraphQL(options)
  try {
    const response = await send(port, request)
    return { server, request: readable(request), response: readable(response) }
  } finally {
    await close({ grace: 0, spread: 0 })
  }
}

const never = (): Promise<never> => new Promise(() => {})

const schema = buildSchema(
  `type Query { hello: String  broken: String  slow: String }
   type Mutation { add: Int }`,
  {
    Query: {
      hello: () => 'world',
      broken: () => {
        throw new GraphQLError('The database is down.', { extensions: { code: 'NO_DATABASE' } })
      },
      slow: never,
    },
    Mutation: { add: () => 1 },
  },
)

function serveGraphQL(options: Partial<ServeOptions> = {}) {
  const fixed = { host: '127.0.0.1', port: 0, onBug: () => {}, createId: () => '7f3c' }
  return serve({ schema, ...fixed, ...options })
}

function serveRoutes() {
  return listen(toNodeListener(createRestHandler(routes)), { host: '127.0.0.1', port: 0 })
}

const books = buildSchema(
  `type Query { book(id: ID!): Book }
   type Mutation { print(id: ID!): String  add(id: ID!, title: String!): Book  change(id: ID!, title: String!, ifVersion: Int): Book }
   type Book { id: ID!  title: String!  version: Int! }`,
  {
    Query: { book: () => ({ id: '1', title: 'Emma', version: 2 }) },
    Mutation: {
      print: () => 'queued',
      add: (_source: unknown, book: object) => ({ ...book, version: 1 }),
      change() {
        throw new GraphQLError('The book was changed.', { extensions: { code: 'CONFLICT' } })
      },
    },
  },
)

const routes: RestOptions = {
  schema: books,
  routes: [
    {
      method: 'POST',
      path: '/print/{id}',
      operation: 'mutation Print($id: ID!) { print(id: $id) }',
      status: 202,
    },
    {
      method: 'PUT',
      path: '/book/{id}',
      operation:
        'mutation Add($id: ID!, $title: String!) { add(id: $id, title: $title) { id title version } }',
      status: 201,
      location: '/book/{id}',
      version: 'version',
    },
    {
      method: 'PATCH',
      path: '/book/{id}',
      operation:
        'mutation Change($id: ID!, $title: String!, $ifVersion: Int) { change(id: $id, title: $title, ifVersion: $ifVersion) { id title version } }',
      ifMatch: 'ifVersion',
      version: 'version',
    },
  ],
}

const jsonHead = 'POST /graphql HTTP/1.1\nHost: api.example\nContent-Type: application/json'

function post(body: string, head = jsonHead): string {
  return `${head}\nContent-Length: ${Buffer.byteLength(body)}\n\n${body}`
}

function get(query: string, ...lines: readonly string[]): string {
  const target = `/graphql?query=${encodeURIComponent(query)}`
  return [`GET ${target} HTTP/1.1`, 'Host: api.example', ...lines, '', ''].join('\n')
}

const upgrade = [
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Key: AQIDBAUGBwgJCgsMDQ4PEA==',
]
const hello = '{"query":"{ hello }"}'
const rateLimited: Options['admit'] = () => ({ kind: 'rate-limited', retryAfter: 30 })

// oxfmt-ignore
const recipes: { readonly [status: string]: Recipe } = {
  101: { server: 'A server with `websocket: true`', options: { websocket: true }, request: `GET /graphql HTTP/1.1\nHost: api.example\n${upgrade.join('\n')}\nSec-WebSocket-Version: 13\nSec-WebSocket-Protocol: graphql-transport-ws\n\n` },
  200: { server: 'A server', request: post(hello) },
  201: { server: 'A server with a route `PUT /book/{id}`', routes: true, request: post('{"title":"Emma"}', 'PUT /book/1 HTTP/1.1\nHost: api.example\nContent-Type: application/json') },
  202: { server: 'A server with a route `POST /print/{id}` that has `status: 202`', routes: true, request: post('{}', 'POST /print/1 HTTP/1.1\nHost: api.example\nContent-Type: application/json') },
  204: { server: 'A server', request: 'OPTIONS /graphql HTTP/1.1\nHost: api.example\n\n' },
  294: { server: 'A server whose field `broken` throws a GraphQLError', request: post('{"query":"{ hello broken }"}') },
  304: { server: 'A server with `etag: true`', options: { etag: true }, request: get('{ hello }', 'If-None-Match: "graphql.lFI+nzcSaM/8oXZOCcwt2CDnt7uK5uPT7hLyO8MyaDg="') },
  400: { server: 'A server', request: post('{"query":"{ hello }"') },
  401: { server: 'A server whose `authenticate` returns `failure({ kind: \'unauthenticated\', challenge: \'Bearer\' })`', options: { authenticate: () => failure({ kind: 'unauthenticated', challenge: 'Bearer' }) }, request: post(hello) },
  403: { server: 'A server without `cors`', request: get('{ hello }', 'Origin: https://other.example') },
  404: { server: 'A server', request: post(hello, 'POST /other HTTP/1.1\nHost: api.example\nContent-Type: application/json') },
  405: { server: 'A server', request: get('mutation { add }') },
  406: { server: 'A server', request: get('{ hello }', 'Accept: text/csv') },
  408: { server: 'A server with `headersTimeout: 100`', options: { headersTimeout: 100, requestTimeout: 100, connectionsCheckingInterval: 50 }, request: 'POST /graphql HTTP/1.1\nHost: api.example\n' },
  409: { server: 'A server with a route `PUT /book/{id}`', routes: true, request: post('{"id":"2","title":"Emma"}', 'PUT /book/1 HTTP/1.1\nHost: api.example\nContent-Type: application/json') },
  412: { server: 'A server with a route `PATCH /book/{id}`', routes: true, request: post('{"title":"Emma"}', 'PATCH /book/1 HTTP/1.1\nHost: api.example\nContent-Type: application/json\nIf-Match: "1"') },
  413: { server: 'A server with `maxBodyBytes: 20`', options: { maxBodyBytes: 20 }, request: post(hello) },
  414: { server: 'A server with `maxUrlLength: 30`', options: { maxUrlLength: 30 }, request: get('{ hello }') },
  415: { server: 'A server', request: post(hello, 'POST /graphql HTTP/1.1\nHost: api.example\nContent-Type: application/x-www-form-urlencoded') },
  417: { server: 'A server', request: post(hello, `${jsonHead}\nExpect: 200-ok`) },
  422: { server: 'A server', request: post('{"query":"{ nope }"}') },
  426: { server: 'A server with `websocket: true`', options: { websocket: true }, request: `GET /graphql HTTP/1.1\nHost: api.example\n${upgrade.join('\n')}\nSec-WebSocket-Version: 12\nSec-WebSocket-Protocol: graphql-transport-ws\n\n` },
  429: { server: 'A server whose `admit` returns `{ kind: \'rate-limited\', retryAfter: 30 }`', options: { admit: rateLimited }, request: post(hello) },
  431: { server: 'A server with `maxHeaderCount: 3`', options: { maxHeaderCount: 3 }, request: post(hello, `${jsonHead}\nX-One: 1`) },
  500: { server: 'A server whose `context` throws', options: { context: () => { throw new Error('A bug.') } }, request: post(hello) },
  501: { server: 'A server', request: `${jsonHead}\nTransfer-Encoding: gzip, chunked\n\n0\n\n` },
  503: { server: 'A server with `executionTimeout: 50`, whose field `slow` takes longer', options: { executionTimeout: 50 }, request: post('{"query":"{ slow }"}') },
  505: { server: 'A server', request: 'GET /graphql HTTP/2.0\nHost: api.example\n\n' },
}

/** Sends the text with the line ends of HTTP, and reads until the response is complete or the connection ends. */
async function send(port: number, request: string): Promise<string> {
  const end = request.indexOf('\n\n')
  const head = end < 0 ? request : request.slice(0, end + 2)
  const body = request.slice(head.length)
  const isChunked = head.includes('Transfer-Encoding')
  const socket = connect(port, '127.0.0.1')
  let response = ''
  socket.setEncoding('utf8')
  const done = new Promise<void>((resolve, reject) => {
    socket.on('data', (text: string) => {
      response += text
      if (isComplete(response)) resolve()
    })
    socket.once('end', resolve).once('error', reject)
  })
  await once(socket, 'connect')
  socket.write(
    `${head.replaceAll('\n', '\r\n')}${isChunked ? body.replaceAll('\n', '\r\n') : body}`,
  )
  await done
  socket.destroy()
  return response
}

function isComplete(response: string): boolean {
  const end = response.indexOf('\r\n\r\n')
  if (end < 0) return false
  const [, length = '0'] = /^content-length: *(\d+)/im.exec(response.slice(0, end)) ?? []
  return Buffer.byteLength(response.slice(end + 4)) >= Number(length)
}

/** Without the line that differs in each run, and with line ends as in a text. */
function readable(bytes: string): string {
  return bytes
    .replaceAll('\r\n', '\n')
    .replace(/^Date: .*\n/m, '')
    .trimEnd()
}
