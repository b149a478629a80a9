import t from 'tap'
import { defineExtension } from 'graphwire'
import type { TestRequest } from 'graphwire/testing'
import { callOf, createMcp, meta, ofHandshake, stateless, type Rpc } from './books.js'

const usual = createMcp()

const listed = stateless('tools/list')
const getBook = { name: 'GetBook', arguments: { id: '1' } }
const withBody = (json: unknown, request: TestRequest = listed): TestRequest => ({
  ...request,
  json,
})
const message = (members: object): TestRequest =>
  withBody({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: meta }, ...members })
const base64 = (text: string): string =>
  `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`
const named = (header: string): TestRequest =>
  stateless('tools/call', getBook, { 'mcp-name': header })

/** What a request gets: its status, and the code of its error, or 0 for a result. */
// oxfmt-ignore
const rows: [name: string, request: TestRequest, status: number, code: number, text?: RegExp][] = [
  // MCP 2026-07-28, "Streamable HTTP".
  ['a stateless request',      listed,                                                      200, 0],
  ['server/discover',          stateless('server/discover'),                                200, 0],
  ['a call',                   callOf('GetBook', { id: '1' }),                              200, 0],
  ['a call without arguments', callOf('Must'),                                              200, 0],
  ['header names in any case', { ...listed, headers: { 'MCP-PROTOCOL-VERSION': '2026-07-28', 'MCP-METHOD': 'tools/list' } }, 200, 0],
  ['no version in the header', stateless('tools/list', {}, { 'mcp-protocol-version': undefined }), 400, -32020, /MCP-Protocol-Version is missing/],
  ['another version in the header', stateless('tools/list', {}, { 'mcp-protocol-version': '2025-11-25' }), 400, -32020, /does not match/],
  ['the version in the header twice', stateless('tools/list', {}, { 'mcp-protocol-version': '2026-07-28, 2026-07-28' }), 400, -32020],
  ['no Mcp-Method',            stateless('tools/list', {}, { 'mcp-method': undefined }),    400, -32020, /Mcp-Method is missing/],
  ['another Mcp-Method',       stateless('tools/list', {}, { 'mcp-method': 'tools/call' }), 400, -32020],
  ['Mcp-Method in capitals',   stateless('tools/list', {}, { 'mcp-method': 'TOOLS/LIST' }), 400, -32020],
  ['no Mcp-Name',              stateless('tools/call', getBook, { 'mcp-name': undefined }), 400, -32020, /Mcp-Name is missing/],
  ['another Mcp-Name',         named('ListBooks'),                                          400, -32020],
  ['Mcp-Name in Base64',       named(base64('GetBook')),                                    200, 0],
  ['another name in Base64',   named(base64('ListBooks')),                                  400, -32020],
  ['broken Base64',            named('=?base64?R2V0Qm9vaw=?='),                             400, -32020, /Base64/],
  ['Base64 of broken UTF-8',   named('=?base64?/////w==?='),                                400, -32020, /UTF-8/],
  ['the marker in capitals',   named('=?BASE64?R2V0Qm9vaw==?='),                            400, -32020],
  ['Mcp-Name beyond ASCII',    named('Gét'),                                                400, -32020, /invalid characters/],
  [
    'an unknown version',
    stateless('tools/list', { _meta: { ...meta, 'io.modelcontextprotocol/protocolVersion': '2030-01-01' } }, { 'mcp-protocol-version': '2030-01-01' }),
    400,
    -32022,
  ],
  ['an unknown version without _meta',     ofHandshake('tools/list', {}, '2024-11-05'),                           400, -32022],
  ['no _meta',                             stateless('tools/list', { _meta: undefined }),                         400, -32602, /protocolVersion/],
  ['a _meta that is a list',               stateless('tools/list', { _meta: [] }),                                400, -32602],
  ['a version that is no text', stateless('tools/list', { _meta: { ...meta, 'io.modelcontextprotocol/protocolVersion': 1 } }), 400, -32602],
  ['no capabilities', stateless('tools/list', { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } }), 400, -32602, /clientCapabilities/],
  ['capabilities that are a list', stateless('tools/list', { _meta: { ...meta, 'io.modelcontextprotocol/clientCapabilities': [] } }), 400, -32602],
  ['an unknown method',                    stateless('resources/list'),                                           404, -32601, /resources\/list/],
  ['ping, which has been removed',         stateless('ping'),                                                     404, -32601],
  ['initialize, which has been removed',   stateless('initialize', { protocolVersion: '2026-07-28' }),            404, -32601],
  ['subscriptions, which are not offered', stateless('subscriptions/listen', { notifications: {} }),              404, -32601],
  ['an unknown tool',                      callOf('Nope'),                                                        200, -32602, /Unknown tool: "Nope"/],
  ['a name that is no text',               stateless('tools/call', { name: 5 }, { 'mcp-name': '5' }),             400, -32602, /"name"/],
  ['no name',                              stateless('tools/call', {}, { 'mcp-name': 'x' }),                      400, -32602, /"name"/],
  ['arguments that are a list',            callOf('GetBook', []),                                                 400, -32602, /"arguments"/],
  ['arguments that are null',              callOf('Must', null),                                                  200, 0],
  ['a cursor that is null',                stateless('tools/list', { cursor: null }),                             200, 0],
  ['a cursor, though there is one page',   stateless('tools/list', { cursor: 'x' }),                              400, -32602],

  // JSON-RPC.
  ['a batch',                              withBody([{ jsonrpc: '2.0', id: 1, method: 'tools/list' }]),           400, -32600, /batching/],
  ['a text',                               withBody('tools/list'),                                                400, -32600],
  ['null',                                 withBody(null),                                                        400, -32600],
  ['another version of JSON-RPC',          message({ jsonrpc: '1.0' }),                                           400, -32600],
  ['an id that is null',                   message({ id: null }),                                                 400, -32600, /"id"/],
  ['an id that is a fraction',             message({ id: 1.5 }),                                                  400, -32600],
  ['an id that is too large to repeat',    message({ id: 2 ** 53 }),                                              400, -32600],
  ['an id that is a list',                 message({ id: [] }),                                                   400, -32600],
  ['an id of 256 characters',              message({ id: 'x'.repeat(256) }),                                      200, 0],
  ['an id of 257 characters',              message({ id: 'x'.repeat(257) }),                                      400, -32600, /256/],
  ['a method that is no text',             message({ method: 5 }),                                                400, -32600],
  ['a response',                           withBody({ jsonrpc: '2.0', id: 1, result: {} }),                       400, -32600, /Responses/],
  ['params that are a list',               message({ params: [] }),                                               400, -32602],
  ['no JSON',                              { ...listed, json: undefined, body: '{' },                             400, -32700],
  ['no UTF-8',                             { ...listed, json: undefined, body: Buffer.from([0x22, 0xff, 0x22]) }, 400, -32700],

  // MCP 2025-11-25.
  ['initialize',                           ofHandshake('initialize', { protocolVersion: '2025-11-25' }, null),    200, 0],
  ['initialize with the header',           ofHandshake('initialize', { protocolVersion: '2025-11-25' }),          200, 0],
  ['initialize without a version',         ofHandshake('initialize', {}),                                         200, -32602],
  ['ping with a handshake',                ofHandshake('ping'),                                                   200, 0],
  ['tools/list with a handshake',          ofHandshake('tools/list'),                                             200, 0],
  ['tools/list of 2025-06-18',             ofHandshake('tools/list', {}, '2025-06-18'),                           200, 0],
  ['tools/call with a handshake',          ofHandshake('tools/call', getBook),                                    200, 0],
  ['server/discover with a handshake',     ofHandshake('server/discover'),                                        200, -32601],
  ['an unknown method with a handshake',   ofHandshake('prompts/list'),                                           200, -32601],
  ['an unknown tool with a handshake',     ofHandshake('tools/call', { name: 'x' }),                              200, -32602],
  ['no version at all',                    ofHandshake('tools/list', {}, null),                                   400, -32020],

  // HTTP.
  ['a GET',                                { ...listed, method: 'GET', json: undefined },                         405, -32600, /use POST/],
  ['a DELETE',                             { ...listed, method: 'DELETE', json: undefined },                      405, -32600],
  ['a HEAD',                               { ...listed, method: 'HEAD', json: undefined },                        405, -32600],
  ['a QUERY',                              { ...listed, method: 'QUERY' },                                        405, -32600],
  ['a page of another site', stateless('tools/list', {}, { host: 'books.example', origin: 'https://evil.example' }), 403, -32600, /cors\.origins/],
  ['a page whose name leads here', stateless('tools/list', {}, { host: 'evil.example', origin: 'http://evil.example' }), 403, -32600],
  [
    'a page whose name looks like an address',
    stateless('tools/list', {}, { host: '127.0.0.1.evil.example', origin: 'http://127.0.0.1.evil.example' }),
    403,
    -32600,
  ],
  ['a page without a name',  stateless('tools/list', {}, { origin: 'null' }),                                          403, -32600],
  ['a page of this machine', stateless('tools/list', {}, { host: 'localhost:4000', origin: 'http://localhost:4000' }), 200, 0],
  ['a page of this address', stateless('tools/list', {}, { host: '[::1]:4000', origin: 'http://[::1]:4000' }),         200, 0],
  ['Accept without JSON',    stateless('tools/list', {}, { accept: 'text/event-stream' }),                             406, -32600],
  ['Accept with JSON alone', stateless('tools/list', {}, { accept: 'application/json' }),                              200, 0],
  ['no Accept',              stateless('tools/list', {}, { accept: undefined }),                                       200, 0],
  ['a form',                 stateless('tools/list', {}, { 'content-type': 'text/plain' }),                            415, -32600],
  ['another charset',        stateless('tools/list', {}, { 'content-type': 'application/json; charset=latin1' }),      415, -32600],
  ['a coding',               stateless('tools/list', {}, { 'content-encoding': 'gzip' }),                              415, -32600],
  ['a URL that is too long', { ...listed, target: `/mcp?${'x'.repeat(9_000)}` },                                       414, -32600],
]

for (const [name, request, status, code, text] of rows) {
  void t.test(`${name}: ${status}${code === 0 ? '' : ` and ${code}`}`, async (t) => {
    const response = await usual.send(request)
    t.equal(response.status, status, response.body)
    t.equal(response.headers.get('content-type'), 'application/json')
    t.equal(response.headers.get('cache-control'), 'no-store')
    if (request.method === 'HEAD') return
    const { jsonrpc, id, result, error } = response.json<Rpc & { jsonrpc: string }>()
    t.equal(jsonrpc, '2.0')
    t.equal(error?.code ?? 0, code)
    t.equal(result === undefined, code !== 0)
    if (text) t.match(error?.message, text)
    const sent = request.json as { id?: unknown } | undefined
    const isSeen = typeof sent?.id === 'string' || Number.isSafeInteger(sent?.id)
    const isRead =
      status !== 403 && status !== 405 && status !== 406 && status !== 415 && status !== 414
    const isRepeated = isSeen && isRead && String(sent?.id).length <= 256
    t.equal(id, isRepeated ? sent?.id : undefined, 'the id of the request, if it could be read')
  })
}

void t.test('the data of an unknown version names those that are supported', async (t) => {
  const response = await usual.send(ofHandshake('tools/list', {}, '1999-01-01'))
  t.same(response.json<Rpc>().error?.data, {
    supported: ['2026-07-28', '2025-11-25', '2025-06-18'],
    requested: '1999-01-01',
  })
})

for (const [origin, status] of [
  ['https://app.example', 200],
  ['https://other.example', 403],
] as const) {
  void t.test(`a page of ${origin} is ${status}, as a function of cors.origins says`, async (t) => {
    const origins = async (one: string): Promise<boolean> => one === 'https://app.example'
    const { send } = createMcp({ cors: { origins } })
    const response = await send(stateless('tools/list', {}, { origin, host: 'books.example' }))
    t.equal(response.status, status)
  })
}

void t.test('a page of an origin of cors.origins is served', async (t) => {
  const origin = 'https://app.example'
  const { send } = createMcp({ cors: { origins: [origin] } })
  const response = await send(stateless('tools/list', {}, { origin, host: 'books.example' }))
  t.equal(response.status, 200)
  t.equal(response.headers.get('access-control-allow-origin'), origin)
  const headers = {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'mcp-method',
  }
  const preflight = await send({ method: 'OPTIONS', target: '/mcp', headers })
  t.equal(preflight.status, 204)
  t.equal(preflight.headers.get('access-control-allow-methods'), 'POST')
  t.equal(preflight.headers.get('access-control-allow-headers'), 'mcp-method')
  const foreign = await send({
    method: 'OPTIONS',
    target: '/mcp',
    headers: { ...headers, origin: 'https://evil.example' },
  })
  t.equal(foreign.status, 403)
})

void t.test('OPTIONS and a 405 name the methods', async (t) => {
  for (const [method, target, status] of [
    ['OPTIONS', '*', 204],
    ['GET', '/mcp', 405],
  ] as const) {
    const response = await usual.send({ method, target })
    t.equal(response.status, status)
    t.equal(response.headers.get('allow'), 'POST, OPTIONS')
  }
})

void t.test('another path than that of the option is 404', async (t) => {
  const { send } = createMcp({ path: '/mcp' })
  t.equal((await send(listed)).status, 200)
  t.equal((await send({ ...listed, target: '/mcp?x' })).status, 200)
  for (const method of ['POST', 'GET', 'OPTIONS']) {
    const body = method === 'POST' ? { json: {} } : {}
    t.equal((await send({ method, target: '/other', ...body })).status, 404, method)
  }
})

const notifications: [name: string, headers: { [name: string]: string }, status: number][] = [
  ['without a version', {}, 202],
  ['of the handshake', { 'mcp-protocol-version': '2025-11-25' }, 202],
  ['of the stateless version', { 'mcp-protocol-version': '2026-07-28' }, 202],
  ['of an unknown version', { 'mcp-protocol-version': '1999-01-01' }, 400],
]

for (const [name, headers, status] of notifications) {
  void t.test(`a notification ${name} is ${status}`, async (t) => {
    for (const method of ['notifications/initialized', 'notifications/cancelled', 'tools/call']) {
      const response = await usual.send({ headers, json: { jsonrpc: '2.0', method } })
      t.equal(response.status, status)
      if (status === 202) t.equal(response.body, '')
      else t.notOk('id' in response.json<object>())
    }
  })
}

void t.test('the results of the handshake', async (t) => {
  const { send } = createMcp({ instructions: 'Ask for books.' })
  const initialize = async (version: string) =>
    (await send(ofHandshake('initialize', { protocolVersion: version }, null))).json<Rpc>().result
  t.strictSame(await initialize('2025-11-25'), {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'books', version: '1.2.3' },
    instructions: 'Ask for books.',
  })
  t.match(await initialize('2025-06-18'), { protocolVersion: '2025-06-18' })
  t.match(await initialize('2024-11-05'), { protocolVersion: '2025-11-25' }, 'else the newest')
  t.match(await initialize('2026-07-28'), { protocolVersion: '2025-11-25' }, 'that has a handshake')
  t.strictSame((await send(ofHandshake('ping'))).json<Rpc>().result, {})
  const { result } = (await send(ofHandshake('tools/list'))).json<Rpc>()
  t.same(Object.keys(result ?? {}), ['tools'])
})

const serverInfo = { 'io.modelcontextprotocol/serverInfo': { name: 'books', version: '1.2.3' } }

void t.test('the results of the stateless version', async (t) => {
  const { result } = (await usual.send(stateless('server/discover'))).json<Rpc>()
  t.strictSame(result, {
    resultType: 'complete',
    _meta: serverInfo,
    supportedVersions: ['2026-07-28', '2025-11-25', '2025-06-18'],
    capabilities: { tools: {} },
    ttlMs: 300_000,
    cacheScope: 'public',
  })
  const list = (await usual.send(listed)).json<Rpc>().result
  const { tools, ...others } = list ?? {}
  t.ok(Array.isArray(tools))
  t.strictSame(others, {
    resultType: 'complete',
    _meta: serverInfo,
    ttlMs: 300_000,
    cacheScope: 'public',
  })
})

void t.test('what may differ between callers is private, and its time is an option', async (t) => {
  const authenticate = () => ({ ok: true as const, value: 1 })
  for (const options of [
    { authenticate },
    { use: [defineExtension({ name: 'auth', authenticate })] },
  ]) {
    const { send } = createMcp({ ...options, toolsTtl: 0 })
    for (const method of ['server/discover', 'tools/list']) {
      const { result } = (await send(stateless(method))).json<Rpc>()
      t.match(result, { ttlMs: 0, cacheScope: 'private' }, method)
    }
  }
})
