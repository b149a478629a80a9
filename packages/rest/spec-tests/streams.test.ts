import * as graphql16 from 'graphql-16'
import * as graphql17 from 'graphql'
import type { GraphQLObjectType } from 'graphql'
import t from 'tap'
import { toFrozenCopy } from 'graphwire/base'
import { testClient } from 'graphwire/testing'
import { createApiDescription, createRestHandler } from '@graphwire/rest'
import type { RestOptions, Route } from '@graphwire/rest'
import { resumable } from 'graphwire'

const sdl = `
  type Query { a: Int }
  type Mutation { a: Int }
  type Change { seen: Float  id: ID!  note: String  fails: Int }
  type Subscription { changed(id: ID): Change  refused: Change  broken: Change  absent: Change  shared: Change }
`

interface Asked {
  readonly lastEventId: string | undefined
}

function changes(_: unknown, { id = '0' }: { id?: string }, { lastEventId }: Asked) {
  return (async function* () {
    yield resumable({ changed: { id, note: lastEventId ?? 'from the start' } }, '7-a')
    yield { changed: { id: `${id}+` } }
    yield { changed: null }
  })()
}

const refusal = (code: string): Error =>
  Object.assign(new graphql17.GraphQLError('Not you.', { extensions: { code } }))

const subscribers: { readonly [field: string]: unknown } = {
  changed: changes,
  refused: () => {
    throw refusal('FORBIDDEN')
  },
  broken: async function* () {
    yield { broken: { id: 1, fails: 1 } }
    throw new Error('secret')
  },
  absent: () => null,
  shared: async function* () {
    yield sharedEvent as object
  },
}

const sharedEvent = toFrozenCopy({ shared: { id: 1, seen: 1 } })
// oxfmt-ignore
const routes: readonly Route[] = [
  { method: 'GET', path: '/changes',            stream: true, operation: 'subscription { changed { id note } }', summary: 'Changes' },
  { method: 'GET', path: '/thing/{id}/changes', stream: true, operation: 'subscription ($id: ID!) { changed(id: $id) { id } }' },
  { method: 'GET', path: '/refused',            stream: true, operation: 'subscription { refused { id } }' },
  { method: 'GET', path: '/broken',             stream: true, operation: 'subscription { broken { id fails } }' },
  { method: 'GET', path: '/absent',             stream: true, operation: 'subscription { absent { id } }' },
  { method: 'GET', path: '/shared',             stream: true, operation: 'subscription { shared { seen } }' },
  { method: 'GET', path: '/a',                                operation: '{ a }' },
]

function handlerOn(module: unknown, options: Partial<RestOptions> = {}) {
  const graphql = module as typeof graphql17
  const schema = graphql.buildSchema(sdl)
  const fields = (schema.getType('Subscription') as GraphQLObjectType).getFields()
  for (const [name, subscribe] of Object.entries(subscribers)) {
    Object.assign(fields[name] as object, { subscribe })
  }
  const change = (schema.getType('Change') as GraphQLObjectType).getFields()
  Object.assign(change['fails'] as object, {
    resolve: () => {
      throw new Error('secret')
    },
  })
  return createRestHandler({
    schema,
    graphql: graphql,
    routes,
    onBug: () => undefined,
    createId: () => 'id-1',
    ...options,
  })
}

const masked =
  '{"type":"urn:graphwire:problem:internal-server-error","title":"Internal server error","status":500,"detail":"Internal server error","code":"INTERNAL_SERVER_ERROR","id":"id-1"}'
const end = 'event: complete\ndata:\n\n'

// oxfmt-ignore
const streams: readonly [target: string, headers: { readonly [name: string]: string }, expected: string][] = [
  ['/changes',         {},                              `:\n\nid: 7-a\ndata: {"id":"0","note":"from the start"}\n\ndata: {"id":"0+","note":null}\n\ndata: null\n\n${end}`],
  ['/changes',         { 'Last-Event-ID': '6-b' },      `:\n\nid: 7-a\ndata: {"id":"0","note":"6-b"}\n\ndata: {"id":"0+","note":null}\n\ndata: null\n\n${end}`],
  ['/changes',         { 'Last-Event-ID': 'a b' },      `:\n\nid: 7-a\ndata: {"id":"0","note":"from the start"}\n\ndata: {"id":"0+","note":null}\n\ndata: null\n\n${end}`],
  ['/changes',         { Accept: 'text/*' },            `:\n\nid: 7-a\ndata: {"id":"0","note":"from the start"}\n\ndata: {"id":"0+","note":null}\n\ndata: null\n\n${end}`],
  ['/thing/9/changes', {},                              `:\n\nid: 7-a\ndata: {"id":"9"}\n\ndata: {"id":"9+"}\n\ndata: null\n\n${end}`],
  ['/broken',          {},                              `:\n\nevent: problem\ndata: ${masked}\n\nevent: problem\ndata: {"type":"urn:graphwire:problem:internal-server-error","title":"Internal server error","status":500,"detail":"Internal server error","code":"INTERNAL_SERVER_ERROR","id":"id-1"}\n\n${end}`],
]

// oxfmt-ignore
const refused: readonly [title: string, request: object, status: number, body: RegExp][] = [
  ['a client that wants JSON',         { target: '/changes', headers: { Accept: 'application/json' } }, 406, /none of the types served: text\/event-stream/],
  ['a route of JSON for a stream',     { target: '/a', headers: { Accept: 'text/event-stream' } },      406, /none of the types served: application\/json/],
  ['a condition on a stream',          { target: '/changes', headers: { 'If-Match': '"1"' } },          400, /If-Match is not supported here/],
  ['a resolver that refuses',          { target: '/refused' },                                          403, /"FORBIDDEN"/],
  ['a resolver that gives no source',  { target: '/absent' },                                           500, /"INTERNAL_SERVER_ERROR"/],
]

for (const module of [graphql17, graphql16]) {
  for (const [target, headers, expected] of streams) {
    const title = `${target} ${JSON.stringify(headers)} on graphql ${module.version}`
    void t.test(title, async (t) => {
      const response = await testClient(handlerOn(module))({ target, headers })
      t.equal(response.status, 200)
      t.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8')
      t.equal(response.headers.get('cache-control'), 'no-store, no-transform')
      t.equal(response.headers.get('etag'), null)
      t.equal(await new Response(response.stream).text(), expected)
    })
  }

  void t.test(`an event is executed once for all on graphql ${module.version}`, async (t) => {
    const client = testClient(handlerOn(module))
    let serialized = 0
    const count = (value: unknown): unknown => ((serialized += 1), value)
    const { GraphQLFloat } = module as typeof graphql17
    const { serialize, coerceOutputValue } = GraphQLFloat
    Object.assign(GraphQLFloat, { serialize: count, coerceOutputValue: count })
    t.teardown(() => Object.assign(GraphQLFloat, { serialize, coerceOutputValue }))
    for (let subscriber = 1; subscriber <= 2; subscriber += 1) {
      const { stream } = await client({ target: '/shared' })
      t.equal(await new Response(stream).text(), `:\n\ndata: {"seen":1}\n\n${end}`)
    }
    t.equal(serialized, 1)
  })

  for (const [title, request, status, body] of refused) {
    void t.test(`${title} is refused on graphql ${module.version}`, async (t) => {
      const response = await testClient(handlerOn(module))(request)
      t.equal(response.status, status)
      t.match(response.body, body)
    })
  }
}

void t.test('HEAD describes a stream, and subscribes to nothing', async (t) => {
  const response = await testClient(handlerOn(graphql17))({ method: 'HEAD', target: '/refused' })
  t.equal(response.status, 200)
  t.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8')
  t.equal(response.stream, undefined)
})

void t.test('the API description has the type of the events', async (t) => {
  const schema = graphql17.buildSchema(sdl)
  const { paths } = createApiDescription({
    schema,
    routes,
    info: { title: 'Changes', version: '1' },
  }) as unknown as { readonly paths: { readonly [path: string]: { readonly get: unknown } } }
  const found = paths['/changes']?.get as {
    readonly parameters: readonly { readonly name: string }[]
    readonly responses: {
      readonly [status: string]: { readonly content: object; readonly headers?: object }
    }
  }
  t.strictSame(Object.keys(found.responses['200']?.content ?? {}), ['text/event-stream'])
  t.equal(found.responses['200']?.headers, undefined)
  t.equal(found.responses['304'], undefined)
  t.equal(found.responses['412'], undefined)
  t.strictSame(
    found.parameters.map(({ name }) => name),
    ['Last-Event-ID'],
  )
})

const subscription = 'subscription { changed { id } }'
// oxfmt-ignore
const mistakes: readonly [title: string, route: Partial<Route>, message: RegExp][] = [
  ['a subscription that is no stream', { operation: subscription },                                  /a subscription needs stream: true/],
  ['a query as a stream',              { operation: '{ a }', stream: true },                         /a stream needs a subscription, not a query/],
  ['a mutation as a stream',           { operation: 'mutation { a }', stream: true, method: 'POST' }, /a stream needs a subscription, not a mutation/],
  ['a stream by POST',                 { operation: subscription, stream: true, method: 'POST' },    /a stream can only be a GET/],
  ['a stream with a version',          { operation: subscription, stream: true, version: 'id' },     /a stream cannot have version/],
  ['a stream with a status',           { operation: subscription, stream: true, status: 202 },       /a stream cannot have status/],
  ['a stream with a location',         { operation: subscription, stream: true, location: '/{id}' }, /a stream cannot have location/],
  ['a stream with headers',            { operation: subscription, stream: true, headers: () => ({}) }, /a stream cannot have headers/],
  ['a stream that is a word',          { operation: subscription, stream: 'yes' as never },          /stream: expected a boolean/],
]

for (const [title, route, message] of mistakes) {
  void t.test(`${title} is a mistake`, async (t) => {
    const wrong = { method: 'GET', path: '/x', ...route } as Route
    t.throws(() => handlerOn(graphql17, { routes: [wrong] }), message)
  })
}
