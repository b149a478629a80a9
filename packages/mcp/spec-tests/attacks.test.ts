import t from 'tap'
import type { TestRequest } from 'graphwire/testing'
import { createMcpHandler } from '@graphwire/mcp'
import { Random, seedOf } from '../../../spec-tests/fuzz/random.js'
import { callOf, createBooks, createMcp, info, meta, stateless, tools } from './books.js'
import type { Rpc, ToolResult } from './books.js'

const { send, call, bugs } = createMcp()

const rpc = (text: string, headers: { readonly [name: string]: string } = {}): TestRequest => ({
  target: '/mcp',
  headers: {
    'content-type': 'application/json',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'tools/call',
    'mcp-name': 'GetBook',
    ...headers,
  },
  body: text,
})
const metaText = JSON.stringify(meta)
const callText = (rest: string): string =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":${metaText},"name":"GetBook",${rest}}}`

void t.test('deep arguments are refused before anything looks at them', async (t) => {
  const deep = `${'{"not":'.repeat(100_000)}1${'}'.repeat(100_000)}`
  const response = await send(rpc(callText(`"arguments":{"id":${deep}}`)))
  t.equal(response.status, 400)
  t.match(response.json(), {
    error: { code: -32600, data: { code: 'JSON_TOO_DEEP', allowed: 128 } },
  })
})

void t.test('wide arguments cost as much as they take', async (t) => {
  const wide = { any: Array.from({ length: 100_000 }, () => ({})) }
  const result = await call('ListBooks', { filter: wide })
  t.equal(result.isError, true)
  t.match(result.content[0].text, /DOCUMENT_LIMIT_EXCEEDED/)
})

void t.test('many unknown arguments, with long names', async (t) => {
  const names = Array.from({ length: 5_000 }, (_, at) => [`${'x'.repeat(50)}${at}`, 1])
  const started = performance.now()
  const result = await call('ListBooks', { ['y'.repeat(100_000)]: 1, ...Object.fromEntries(names) })
  const { text } = result.content[0]
  const { errors } = JSON.parse(text) as { errors: readonly [{ message: string }] }
  t.equal(errors.length, 5)
  t.ok(errors[0].message.length < 150)
  t.ok(text.length < 2_000)
  t.ok(performance.now() - started < 5_000)
})

void t.test('values are not repeated at length', async (t) => {
  const requests = [
    callOf('ListBooks', { limit: 'z'.repeat(100_000) }),
    stateless('z'.repeat(1_000)),
    stateless('tools/call', { name: 'z'.repeat(1_000) }),
    stateless(
      'tools/list',
      { _meta: { ...meta, 'io.modelcontextprotocol/protocolVersion': 'z'.repeat(1_000) } },
      { 'mcp-protocol-version': 'z'.repeat(1_000) },
    ),
  ]
  for (const request of requests) {
    const { body, status } = await send(request)
    t.ok(body.length < 800, `${status}: ${body.length} characters`)
  }
})

void t.test('names of prototypes are names like any other', async (t) => {
  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf']) {
    t.match((await send(callOf(name))).json(), { error: { code: -32602 } }, name)
    t.match((await send(stateless(name))).json(), { error: { code: -32601 } }, name)
    const text = callText(`"arguments":{"id":"1",${JSON.stringify(name)}:{"x":1}}`)
    const { result } = (await send(rpc(text))).json<Rpc>()
    t.match((result as unknown as ToolResult).content[0].text, /Unknown argument/, name)
  }
  const inherited = await send(
    rpc(
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"__proto__":{"name":"GetBook"},"_meta":${metaText}}}`,
    ),
  )
  t.match(inherited.json(), { error: { code: -32602 } })
  t.equal(({} as { x?: unknown }).x, undefined)
})

void t.test('of members that are repeated the last one counts, for the headers too', async (t) => {
  const twice = (first: string, last: string): string =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"_meta":${metaText},"name":"${first}","name":"${last}","arguments":{"id":"1"}}}`
  t.match((await send(rpc(twice('ListBooks', 'GetBook')))).json(), {
    result: { structuredContent: { book: { id: '1' } } },
  })
  t.match((await send(rpc(twice('GetBook', 'ListBooks')))).json(), { error: { code: -32020 } })
})

void t.test('free documents are not executed', async (t) => {
  const query = '{ books { id } }'
  for (const args of [{ query }, { id: '1', query }, { operationName: 'X', id: '1' }]) {
    t.equal((await call('GetBook', args)).isError, true)
  }
  t.equal((await send({ ...stateless('tools/call'), json: { query } })).status, 400)
  t.match((await send(callOf(query))).json(), { error: { code: -32602 } })
})

void t.test('a body that is too large, and one with a coding that is not there', async (t) => {
  t.equal((await send(rpc(' '.repeat(1_048_577)))).status, 413)
  t.equal((await send(rpc(callText('"arguments":{}'), { 'content-encoding': 'br' }))).status, 415)
})

/** Values of every type, and some that matter to the protocol. */
// oxfmt-ignore
const words: readonly unknown[] = [
  null, true, false, 0, 1, -1, 1.5, 1e308, 2 ** 53, '', '1', '2.0', 'x', [], {}, [[]], { id: '1' }, [1], '\ud800', '__proto__',
  'tools/call', 'tools/list', 'initialize', 'server/discover', 'GetBook', 'ListBooks', '2026-07-28', '2025-11-25',
  meta, { _meta: meta, name: 'GetBook', arguments: { id: '1' } },
]
const members = ['jsonrpc', 'id', 'method', 'params', 'result', 'error', '__proto__', 'extra']
const inner = '_meta name arguments cursor protocolVersion constructor id limit filter'.split(' ')

function mutate(value: unknown, random: Random, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || random.chance(0.1)) {
    return random.chance(0.3) ? random.pick(words) : value
  }
  const entries = Object.entries(value).flatMap(([name, one]) =>
    random.chance(0.08) ? [] : [[name, mutate(one, random, depth + 1)] as const],
  )
  if (random.chance(0.2))
    entries.push([random.pick(depth === 0 ? members : inner), random.pick(words)])
  // As JSON does it: `__proto__` is a member.
  return entries.reduce<object>(
    (made, [name, one]) =>
      Object.defineProperty(made, name, { value: one, enumerable: true, configurable: true }),
    {},
  )
}

const seeds: readonly TestRequest[] = [
  callOf('GetBook', { id: '1' }),
  callOf('ListBooks', { limit: 1, filter: { genre: 'POEM', not: { titles: ['x'] } } }),
  stateless('tools/list'),
  stateless('server/discover'),
]

void t.test('whatever is sent, the response is one of JSON-RPC, and never a bug', async (t) => {
  const statuses = new Map<number, number>()
  for (let at = 0; at < 4_000; at += 1) {
    const random = new Random(seedOf('mcp', at))
    const seed = random.pick(seeds)
    const json = mutate(seed.json, random)
    const headers = random.chance(0.7) ? mirrored(json) : mutateHeaders(seed, random)
    const response = await send({ target: '/mcp', headers, body: JSON.stringify(json) })
    const { status, body } = response
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    const fault = faultOf(status, body)
    if (fault !== undefined)
      t.fail(`case ${at}: ${fault}: ${status} ${body} for ${JSON.stringify(json)}`)
  }
  t.same(bugs, [], 'no bug')
  for (const status of [200, 202, 400, 404])
    t.ok((statuses.get(status) ?? 0) > 20, `${status}: ${statuses.get(status)}`)
})

function mutateHeaders({ headers = {} }: TestRequest, random: Random): Headers {
  const entries = Object.entries(headers).flatMap(([name, value]) => {
    if (random.chance(0.05)) return []
    const word = random.chance(0.05) ? random.pick(words) : value
    return [[name, isHeader(word) ? word : String(value)]]
  })
  return Object.fromEntries(entries) as Headers
}

type Headers = { readonly [name: string]: string }

function isHeader(value: unknown): value is string {
  return typeof value === 'string' && /^[\x20-\x7e]*$/.test(value)
}

/** The headers that fit a body, as far as it has what they repeat. */
function mirrored(json: unknown): Headers {
  const { method, params } = (json ?? {}) as { method?: unknown; params?: { name?: unknown } }
  return {
    'content-type': 'application/json',
    'mcp-protocol-version': '2026-07-28',
    ...(isHeader(method) && { 'mcp-method': method }),
    ...(isHeader(params?.name) && { 'mcp-name': params.name }),
  }
}

function faultOf(status: number, body: string): string | undefined {
  if (status >= 500) return 'a failure of the server'
  if (status === 202) return body === '' ? undefined : 'a notification has no response'
  const { jsonrpc, id, result, error } = JSON.parse(body) as Rpc & { jsonrpc: unknown }
  if (jsonrpc !== '2.0') return 'no JSON-RPC'
  if ((result === undefined) === (error === undefined))
    return 'neither a result nor an error, or both'
  if (result !== undefined && id === undefined) return 'a result without an id'
  if (id !== undefined && typeof id !== 'string' && !Number.isSafeInteger(id))
    return 'an id that is none'
  if (error !== undefined && (!Number.isInteger(error.code) || typeof error.message !== 'string'))
    return 'an error that is none'
  return undefined
}

void t.test('members that a parsed body inherits are not what a client sent', async (t) => {
  const handler = createMcpHandler({ schema: createBooks(), tools, info })
  const { json, headers = {} } = stateless('tools/list')
  const lines = Object.entries(headers).flatMap(([name, value]) => [name, String(value)])
  const post = async (parsed: unknown) => {
    const body = { read: () => ({ json: parsed }) }
    const head = { method: 'POST', target: '/mcp', headers: lines, raw: undefined }
    return (await handler({ ...head, body })).status
  }
  t.equal(await post(json), 200)
  t.equal(await post(Object.create(json as object)), 400)
})
