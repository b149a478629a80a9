import { responseCache, type ResponseCacheOptions } from '@graphwire/response-cache'
import { createMcpHandler } from '@graphwire/mcp'
import { createRestHandler } from '@graphwire/rest'
import { uploads } from '@graphwire/uploads'
import { createHandler, type Handler, type OperationRequest } from 'graphwire'
import { testClient, type TestRequest } from 'graphwire/testing'
import t from 'tap'
import { multipart, parameters, uploadHeaders } from '../../uploads/spec-tests/multipart.js'
import { createShop } from './shop.js'
import { start } from './start.js'

const size = 'query ($of: Anything) { size(of: $of) }'

// oxfmt-ignore
const values: readonly [title: string, value: unknown, isStored: boolean][] = [
  ['JSON',                    { a: [1.5, 'b', true, null, {}, []] },  true],
  ['without a prototype',     Object.create(null),                    true],
  ['an object of a class',    new Error('a'),                         false],
  ['one within a list',       { a: [{ b: new Map([[1, 2]]) }] },      false],
  ['a date',                  new Date(0),                            false],
  ['a function',              () => 1,                                false],
  ['a big integer',           1n,                                     false],
  ['a number that is none',   NaN,                                    false],
  ['a member without value',  { a: undefined },                       false],
]
for (const [title, value, isStored] of values) {
  void t.test(`variables, ${isStored ? 'stored' : 'not stored'}: ${title}`, async (t) => {
    const { options, shop } = start()
    const handler = createHandler(options)
    const ask = () =>
      handler({
        method: 'POST',
        target: '/',
        headers: ['Content-Type', 'application/json'],
        raw: undefined,
        // As a middleware has made them of the body.
        body: { read: () => ({ json: { query: size, variables: { of: value } } }) },
      })
    for (const response of [await ask(), await ask()]) t.equal(response.status, 200)
    t.equal(shop.calls, isStored ? 1 : 2)
  })
}

void t.test('a client never gets the response to the file of another', async (t) => {
  const { options } = start()
  const send = testClient(
    createHandler({ ...options, uploads: uploads({ maxFileBytes: 1000 }) } as never),
  )
  const upload = (content: string) =>
    send({
      headers: uploadHeaders,
      body: multipart(
        ...parameters({ query: size, variables: { of: null } }, { 0: ['variables.of'] }),
        { name: '0', filename: 'a.txt', content },
      ),
    })
  t.strictSame((await upload('of Ada')).json(), { data: { size: 1 } })
  t.strictSame((await upload('of Bob')).json(), { data: { size: 2 } })
})

type Options = ResponseCacheOptions<unknown, string>

// oxfmt-ignore
const returned: readonly [name: 'session' | 'version', title: string, give: () => unknown, problem: string | undefined][] = [
  ['session', 'a string',              () => 'ada',                      undefined],
  ['session', 'undefined',             () => undefined,                  undefined],
  ['session', 'null',                  () => null,                       'null'],
  ['session', 'a number',              () => 5,                          '5'],
  ['session', 'an object',             () => ({}),                       'an object'],
  ['session', 'a promise',             () => Promise.resolve('ada'),     'a Promise'],
  ['session', 'a promise that fails',  () => Promise.reject(Error('a')), 'a Promise'],
  ['version', 'a string',              () => 'a',                        undefined],
  ['version', 'undefined',             () => undefined,                  undefined],
  ['version', 'null',                  () => null,                       'null'],
  ['version', 'a promise',             () => Promise.resolve('a'),       'a Promise'],
]
for (const [name, title, give, problem] of returned) {
  void t.test(
    `${name} ${problem === undefined ? 'may' : 'must not'} return ${title}`,
    async (t) => {
      const bugs: unknown[] = []
      const options = { [name]: give } as unknown as Options
      const { ask } = start(options, { onBug: (bug) => void bugs.push(bug) })
      const { status } = await ask('{ me { id name } }')
      t.equal(status, problem === undefined ? 200 : 500)
      const message = `responseCache: ${name}: expected a string or undefined, got ${problem}.`
      t.strictSame(
        bugs.map((bug) => (bug as Error).message),
        problem === undefined ? [] : [message],
      )
    },
  )
}

const operation = 'query Size($of: Anything) { size(of: $of) }'

const json = { Accept: 'application/json', 'Content-Type': 'application/json' }
const call = { name: 'Size', arguments: { of: 'it' } }

/** Requests that a router which removes prefixes makes alike, but for their body. */
const requests: { readonly [surface: string]: TestRequest } = {
  graphql: { json: { query: operation, operationName: 'Size', variables: { of: 'it' } } },
  rest: { json: { of: 'it' } },
  mcp: { json: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call } },
}

function startSurfaces(): { readonly [surface: string]: Handler } {
  const { schema } = createShop()
  const cache = responseCache()
  const options = { schema, use: [cache.extension] }
  return {
    graphql: createHandler(options),
    rest: createRestHandler({ ...options, routes: [{ path: '/', method: 'POST', operation }] }),
    mcp: createMcpHandler({ ...options, tools: [operation], info: { name: 'a', version: '1' } }),
  }
}

const shown: { readonly [surface: string]: object } = {
  graphql: { data: { size: Number } },
  mcp: { jsonrpc: '2.0', id: 1, result: { structuredContent: { size: Number } } },
}

for (const first of Object.keys(requests)) {
  for (const second of Object.keys(requests)) {
    void t.test(`${second} answers in its own way after ${first}`, async (t) => {
      const surfaces = startSurfaces()
      const ask = async (surface: string) => {
        const headers = { ...json, 'MCP-Protocol-Version': '2025-06-18' }
        const { status, body } = await testClient(surfaces[surface] as Handler)({
          ...requests[surface],
          target: '/',
          headers,
        })
        t.equal(status, 200)
        return JSON.parse(body) as unknown
      }
      await ask(first)
      t.match(await ask(second), shown[second] ?? Number)
    })
  }
}

void t.test('a prefix that a router has removed tells targets apart', async (t) => {
  const { shop, options } = start()
  const handler = createHandler(options)
  const query = { json: { query: '{ products { id } }' } }
  const ask = (originalTarget: string) =>
    testClient((request) => handler({ ...request, originalTarget }))({ ...query, target: '/' })
  for (const prefix of ['/a/', '/b/', '/a/']) t.equal((await ask(prefix)).status, 200)
  t.equal(shop.calls, 2)
})

void t.test('hooks see how an operation came', async (t) => {
  const { schema } = createShop()
  const seen: OperationRequest['via'][] = []
  const admit = ({ via }: OperationRequest): undefined => void seen.push(via)
  const options = { schema, admit }
  const handlers = [
    createHandler(options),
    createRestHandler({ ...options, routes: [{ path: '/', method: 'POST', operation }] }),
    createMcpHandler({ ...options, tools: [operation], info: { name: 'a', version: '1' } }),
  ]
  for (const [at, request] of Object.values(requests).entries()) {
    const headers = { ...json, 'MCP-Protocol-Version': '2025-06-18' }
    await testClient(handlers[at] as Handler)({ ...request, target: '/', headers })
  }
  t.strictSame(seen, ['http', 'route', 'tool'])
})
