import { GraphQLError } from 'graphql'
import t from 'tap'
import { compiledExecution } from 'graphwire/compiled'
import { failure, success } from 'graphwire'
import type { ExecutedResponse, ParsedJson, OperationRequest, ResultInfo } from 'graphwire'
import { testClient, type TestRequest } from 'graphwire/testing'
import { createMcpHandler, type McpOptions } from '@graphwire/mcp'
import { callOf, createBooks, createMcp, info, ofHandshake, stateless, tools } from './books.js'
import type { Rpc, ToolResult } from './books.js'

function textOf({ content: [only] }: ToolResult): unknown {
  return JSON.parse(only.text)
}

void t.test('a result is the data, and the same as text', async (t) => {
  const result = await createMcp().call('GetBook', { id: '2' })
  const data = {
    book: { id: '2', title: 'Odes', pages: null, genre: 'POEM', price: null, author: null },
  }
  t.strictSame(result.structuredContent, data)
  t.strictSame(textOf(result), data)
  t.equal(result.content[0].type, 'text')
  t.notOk('isError' in result)
})

void t.test('a version with a handshake gets the same without what it does not know', async (t) => {
  const request = ofHandshake('tools/call', { name: 'GetBook', arguments: { id: '1' } })
  const { result, id } = (await createMcp().send(request)).json<Rpc>()
  t.equal(id, 'a')
  t.same(Object.keys(result ?? {}), ['content', 'structuredContent'])
})

const refusal = (code: string) => ({ errors: [{ extensions: { code } }] })
const masked = (field: string, data: unknown) => ({
  errors: [
    {
      message: 'Internal server error',
      path: [field],
      extensions: { code: 'INTERNAL_SERVER_ERROR', id: 'the-id' },
    },
  ],
  data,
})
const denied = [{ message: 'You may not.', path: ['fail'], extensions: { code: 'FORBIDDEN' } }]
const nulled = { fail: null, must: 'Query' }
const unknown = ['limt', '__proto'].map((name) => ({
  message: `Unknown argument "${name}".`,
  extensions: { code: 'BAD_USER_INPUT' },
}))

/** What a model reads of a call that fails. */
// oxfmt-ignore
const failures: readonly [name: string, call: [name: string, args?: object], expected: object, bugs?: number][] = [
  ['an error for clients',            ['Fail', { how: 'no' }],                 { errors: denied, data: nulled }],
  ['a bug',                           ['Fail', { how: 'bug' }],                masked('fail', nulled), 1],
  ['no data',                         ['Must'],                                masked('must', null), 1],
  ['an unknown argument',             ['ListBooks', { limt: 1, __proto: 2 }],  { errors: unknown }],
  ['a missing argument',              ['GetBook', {}],                         refusal('BAD_USER_INPUT')],
  ['an argument of the wrong type',   ['ListBooks', { limit: 'many' }],        refusal('BAD_USER_INPUT')],
  ['an unknown field of an argument', ['ListBooks', { filter: { titel: 1 } }], refusal('BAD_USER_INPUT')],
  ['a call that costs too much',      ['ListBooks', { limit: 100_000 }],       refusal('DOCUMENT_LIMIT_EXCEEDED')],
]

for (const [name, call, expected, bugs = 0] of failures) {
  void t.test(`${name} is a result that the model reads`, async (t) => {
    const mcp = createMcp()
    const result = await mcp.call(...call)
    t.equal(result.isError, true)
    t.notOk('structuredContent' in result, 'which would have to fit the schema')
    t.match(textOf(result), expected)
    t.notMatch(result.content[0].text, /locations|secret/)
    t.equal(mcp.bugs.length, bugs)
  })
}

void t.test('names of the schema are not suggested if that is off', async (t) => {
  const args = { filter: { titels: [] } }
  const text = async (options: Partial<McpOptions>) =>
    (await createMcp(options).call('ListBooks', args)).content[0].text
  t.match(await text({}), /Did you mean/)
  t.notMatch(await text({ suggestions: false }), /Did you mean/)
})

void t.test('the compiled executor gives the same bytes', async (t) => {
  const sent = callOf('GetBook', { id: '1' })
  const plain = createMcp()
  const compiled = createMcp({ execution: compiledExecution() })
  const failing = callOf('Fail', { how: 'no' })
  for (let run = 0; run < 5; run += 1) {
    for (const request of [sent, failing]) {
      t.equal((await compiled.send(request)).body, (await plain.send(request)).body)
    }
  }
})

void t.test('hooks see the operation of the call', async (t) => {
  const seen: unknown[] = []
  const results: ResultInfo[] = []
  const { send } = createMcp({
    authenticate: () => success('me'),
    admit: ({ principal, params, cost, operation }: OperationRequest) =>
      void seen.push(principal, params.variables, cost > 0, operation.name?.value),
    onResult: (_, result) => void results.push(result),
    responseHeaders: () => ({ 'X-Own': 'yes' }),
  })
  const response = await send(callOf('ListBooks', { limit: 1 }))
  t.equal(response.headers.get('x-own'), 'yes')
  t.strictSame(seen, ['me', { limit: 1 }, true, 'ListBooks'])
  await send(callOf('ListBooks', { limit: 'x' }))
  await send(stateless('tools/list'))
  await send(stateless('server/discover'))
  t.match(results, [
    { status: 200, operationName: 'ListBooks', hasData: true, errorCodes: [] },
    { status: 200, operationName: 'ListBooks', hasData: false, errorCodes: ['BAD_USER_INPUT'] },
  ])
  t.equal(results.length, 2, 'only calls are GraphQL')
})

/** What is wrong with a request, from the first check to the last; each has its own status. */
const wrongs: [status: number, code: number, headers: { readonly [name: string]: string }][] = [
  [431, -32600, Object.fromEntries(Array.from({ length: 120 }, (_, at) => [`x-${at}`, '1']))],
  [403, -32600, { origin: 'https://evil.example' }],
  [406, -32600, { accept: 'text/html' }],
  [415, -32600, { 'content-type': 'text/plain' }],
  [401, -32600, { 'x-key': 'bad' }],
  [400, -32020, { 'mcp-name': 'other' }],
  [429, -32600, { 'x-slow': 'yes' }],
]

const guarded: Partial<McpOptions> = {
  authenticate: ({ headers }) =>
    headers.includes('bad')
      ? failure({ kind: 'unauthenticated', challenge: 'Bearer realm="x"' })
      : success(undefined),
  admit: (request) =>
    request.header('x-slow') === undefined ? undefined : { kind: 'rate-limited', retryAfter: 5 },
}

for (const [at, [status, code]] of wrongs.entries()) {
  void t.test(`${status} goes before what is checked later`, async (t) => {
    const headers: { [name: string]: string } = Object.assign(
      {},
      ...wrongs.slice(at).map(([, , more]) => more),
    )
    const response = await createMcp(guarded).send(
      stateless('tools/call', { name: 'Must' }, headers),
    )
    t.equal(response.status, status, response.body)
    t.equal(response.json<Rpc>().error?.code, code)
  })
}

void t.test('denials keep their status, headers and code', async (t) => {
  const { send } = createMcp(guarded)
  const slow = await send(stateless('tools/call', { name: 'Must' }, { 'x-slow': 'yes' }))
  t.equal(slow.headers.get('retry-after'), '5')
  t.match(slow.json(), { id: 1, error: { code: -32600, data: { code: 'RATE_LIMITED' } } })
  const stranger = await send(stateless('tools/list', {}, { 'x-key': 'bad' }))
  t.equal(stranger.headers.get('www-authenticate'), 'Bearer realm="x"')
  t.match(stranger.json(), { error: { data: { code: 'UNAUTHENTICATED' } } })
})

void t.test('with credentialsFirst, strangers learn nothing else', async (t) => {
  const { send } = createMcp({ ...guarded, credentialsFirst: true, path: '/mcp' })
  const headers = { 'x-key': 'bad' }
  t.equal((await send({ method: 'GET', target: '/mcp', headers })).status, 401)
  t.equal((await send({ method: 'GET', target: '/other', headers })).status, 401)
  t.equal((await send({ method: 'GET', target: '/mcp' })).status, 405)
})

void t.test('a call has a deadline, and ends when its client goes', async (t) => {
  const { send } = createMcp({ executionTimeout: 5 })
  const late = await send(callOf('Slow'))
  t.equal(late.status, 503)
  t.match(late.json(), {
    id: 1,
    error: { code: -32603, data: { code: 'CANCELLED', cause: 'timed-out' } },
  })
  const client = new AbortController()
  const gone = createMcp().send({ ...callOf('Slow'), signal: client.signal })
  setImmediate(() => client.abort())
  t.match((await gone).json(), { error: { data: { cause: 'client-gone' } } })
})

void t.test('bugs are masked', async (t) => {
  const bugs: unknown[] = []
  const { send } = createMcp({
    onBug: (bug) => bugs.push(bug),
    context: () => {
      throw new Error('a secret')
    },
  })
  const response = await send(callOf('Must'))
  t.equal(response.status, 500)
  t.strictSame(response.json<Rpc>().error, {
    code: -32603,
    message: 'Internal server error',
    data: { code: 'INTERNAL_SERVER_ERROR', id: 'the-id' },
  })
  t.match(bugs, [{ message: 'a secret' }])
})

void t.test('a result that is too long is a bug', async (t) => {
  const { send, bugs } = createMcp({ maxResponseBytes: 300 })
  t.equal((await send(callOf('GetBook', { id: '1' }))).status, 500)
  t.equal(bugs.length, 1)
})

void t.test('around sees whether the whole message is too long', async (t) => {
  const seen: string[] = []
  const around: McpOptions['around'] = async (_, proceed) => {
    try {
      const response = await proceed()
      seen.push(`${response.status}`)
      return response
    } catch (error) {
      seen.push('failed')
      throw error
    }
  }
  const call = callOf('GetBook', { id: '1' })
  const { length } = (await createMcp({}).send(call)).body
  t.equal((await createMcp({ around, maxResponseBytes: length }).send(call)).status, 200)
  t.equal((await createMcp({ around, maxResponseBytes: length - 1 }).send(call)).status, 500)
  t.strictSame(seen, ['200', 'failed'])
})

void t.test('formatError and headers of resolvers work as in GraphQL', async (t) => {
  const { call } = createMcp({ formatError: (shown) => ({ ...shown, message: 'changed' }) })
  t.match(textOf(await call('Fail', { how: 'no' })), { errors: [{ message: 'changed' }] })
  const { send } = createMcp({
    context: (request) => (request.responseHeaders.set('X-Cost', String(request.cost)), request),
  })
  t.ok((await send(callOf('GetBook', { id: '1' }))).headers.get('x-cost'))
})

void t.test(
  'a response that around has stored is sent with the id and version of each call',
  async (t) => {
    let stored: ExecutedResponse | undefined
    const { send } = createMcp({
      around: async (_, proceed) => (stored ??= await proceed()),
    })
    const first = (await send(callOf('GetBook', { id: '1' }))).json<Rpc>()
    t.same(Object.keys(JSON.parse(stored?.body as string)), ['content', 'structuredContent'])
    const { json, ...head } = callOf('GetBook', { id: '1' })
    const second = (await send({ ...head, json: { ...(json as object), id: 2 } })).json<Rpc>()
    t.strictSame(second, { ...first, id: 2 })
    const third = await send(ofHandshake('tools/call', { name: 'GetBook', arguments: { id: '1' } }))
    const { content, structuredContent } = first.result ?? {}
    t.strictSame(third.json(), { jsonrpc: '2.0', id: 'a', result: { content, structuredContent } })
  },
)

/** What `around` makes itself, and the message with the id of the call. */
// oxfmt-ignore
const ownReplies: readonly [name: string, status: number, body: string | Uint8Array, expected: object][] = [
  ['a result',           200, ' {"content":[]}',              { status: 200, json: { id: 1, result: { content: [], resultType: 'complete' } } }],
  ['an error',           429, '{"code":-32000,"message":""}', { status: 429, json: { id: 1, error: { code: -32000, message: '' } } }],
  ['a list',             200, '[]',                           { status: 500, json: { id: 1, error: { code: -32603 } } }],
  ['a text',             200, 'text',                         { status: 500, json: { id: 1, error: { code: -32603 } } }],
  ['bytes of an object', 200, new TextEncoder().encode('{}'), { status: 500, json: { id: 1, error: { code: -32603 } } }],
]

for (const [name, status, body, expected] of ownReplies) {
  void t.test(`around itself makes ${name}`, async (t) => {
    const { send } = createMcp({ around: () => ({ status, headers: [], body }) })
    const response = await send(callOf('Must'))
    t.match({ status: response.status, json: response.json() }, expected)
  })
}

void t.test('around sees an error without its message', async (t) => {
  const seen: unknown[] = []
  const { send } = createMcp({
    context: () => {
      throw new GraphQLError('No.', { extensions: { code: 'FORBIDDEN' } })
    },
    around: async (_, proceed) => {
      const response = await proceed()
      seen.push(response.status, JSON.parse(response.body as string))
      return response
    },
  })
  const { error } = (await send(callOf('Must'))).json<Rpc>()
  t.strictSame(seen, [403, error])
})

void t.test('a custom executor is used, and its null data is no error', async (t) => {
  const send = testClient(
    createMcpHandler({
      schema: createBooks(),
      info,
      tools: ['query A { must }', 'query B { must }'],
      execute: ({ operationName }) =>
        operationName === 'A'
          ? { data: { must: 'yes' } }
          : { data: null, errors: [new GraphQLError('No.')] },
    }),
  )
  const call = async (request: TestRequest) => (await send(request)).json<Rpc>().result
  t.match(await call(callOf('A')), { structuredContent: { must: 'yes' } })
  t.match(await call(callOf('B')), {
    isError: true,
    content: [{ text: '{"errors":[{"message":"No."}],"data":null}' }],
  })
})

void t.test('a call whose body came while others began to wait is refused', async (t) => {
  const handler = createMcpHandler({ schema: createBooks(), tools, info, maxInFlight: 1 })
  const send = testClient(handler)
  const { json, headers = {} } = stateless('tools/list')
  const lines = Object.entries(headers).flatMap(([name, value]) => [name, String(value)])
  let arrive = (_body: ParsedJson): void => undefined
  const arriving = new Promise<ParsedJson>((resolve) => (arrive = resolve))
  const head = { method: 'POST', target: '/mcp', headers: lines, raw: undefined }
  const late = handler({ ...head, body: { read: () => arriving } })
  const client = new AbortController()
  const slow = send({ ...callOf('Slow'), signal: client.signal })
  await new Promise(setImmediate)
  arrive({ json })
  t.match(await late, { status: 503, body: /"code":-32603.*OVERLOADED/ })
  client.abort()
  await slow
})
