import { createRestHandler, type Route } from '@graphwire/rest'
import { testClient } from 'graphwire/testing'
import t from 'tap'
import { start } from './start.js'

const rename = 'mutation ($id: ID!, $name: String!) { rename(id: $id, name: $name) { id } }'

const routes: readonly Route[] = [
  { path: '/products', method: 'GET', operation: '{ products { id name } }' },
  { path: '/products/{id}', method: 'PATCH', operation: rename },
  { path: '/products/{id}', method: 'POST', operation: rename, status: 204 },
  { path: '/image', method: 'GET', operation: '{ image { data extensions } }' },
  {
    path: '/one',
    method: 'GET',
    operation: '{ one { id } }',
    headers: (value) => ({ 'X-Id': (value as { readonly id: string }).id }),
  },
]

function startRoutes() {
  const { options, shop } = start()
  const send = testClient(createRestHandler({ ...options, routes } as never))
  return { shop, send, get: (target: string) => send({ target }) }
}

for (const [method, status] of [
  ['PATCH', 200],
  ['POST', 204],
] as const) {
  void t.test(`routes are stored, and a mutation by ${method} removes them`, async (t) => {
    const { shop, send, get } = startRoutes()
    t.equal((await get('/products')).status, 200)
    await get('/products')
    t.equal(shop.calls, 1)
    const changed = await send({ method, target: '/products/1', json: { name: 'x' } })
    t.equal(changed.status, status)
    const { calls } = shop
    await get('/products')
    t.equal(shop.calls, calls + 1)
  })
}

void t.test(
  'a hit is the same response, whatever the members of its value are called',
  async (t) => {
    const { shop, get } = startRoutes()
    const [first, second] = [await get('/image'), await get('/image')]
    t.equal(shop.calls, 1)
    t.strictSame(first.json(), { data: 'abc', extensions: ['png'] })
    t.equal(second.body, first.body)
    t.match(first.headers.get('etag'), /^".+"$/)
    t.equal(second.headers.get('etag'), first.headers.get('etag'))
  },
)

void t.test('a response to a condition is that of the execution', async (t) => {
  const { shop, send, get } = startRoutes()
  const etag = (await get('/image')).headers.get('etag') ?? ''
  // oxfmt-ignore
  const rows: readonly [field: string, value: string, status: number][] = [
    ['If-None-Match', etag,     304],
    ['If-None-Match', '"no"',   200],
  ]
  for (const [field, value, status] of rows) {
    t.equal((await send({ target: '/image', headers: { [field]: value } })).status, status)
  }
  t.equal(shop.calls, 1)
  t.equal((await send({ target: '/image', headers: { 'If-Match': '"no"' } })).status, 412)
  t.equal((await send({ target: '/image', headers: { 'If-Match': etag } })).status, 200)
  t.equal((await get('/image')).status, 200)
  t.equal(shop.calls, 3)
})

void t.test('each response of a route with headers of its own has them', async (t) => {
  const { shop, get } = startRoutes()
  for (const calls of [1, 2]) {
    t.equal((await get('/one')).headers.get('x-id'), '1')
    t.equal(shop.calls, calls)
  }
})
