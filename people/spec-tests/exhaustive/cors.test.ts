import t from 'tap'
import { start } from './service/started.js'

const page = { Origin: 'https://app.example.com' }
const other = { Origin: 'https://other.example.com' }

/** The CORS headers of a response. */
function corsOf({ headers }: Response): { readonly [name: string]: string } {
  return Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')))
}

await t.test('without origins, no response has CORS headers', async (t) => {
  const { ask } = await start(t)
  for (const path of ['/people', '/graphql?query={__typename}']) {
    t.strictSame(corsOf(await ask(path, { headers: page })), {})
  }
})

await t.test('pages of the origins may use both surfaces', async (t) => {
  const env = { CORS_ORIGINS: 'https://app.example.com, http://localhost:5173', CORS_MAX_AGE: '60' }
  const { ask, send } = await start(t, [], { env })
  for (const path of ['/people', '/graphql?query={__typename}']) {
    const { headers } = await ask(path, { headers: page })
    t.equal(headers.get('access-control-allow-origin'), page.Origin)
    t.match(headers.get('access-control-expose-headers'), /Idempotency-Replayed.*X-Request-Id/)
    t.match(headers.get('vary'), 'Origin')
    t.strictSame(corsOf(await ask(path, { headers: other })), {})
  }
  // oxfmt-ignore
  const preflights: [path: string, method: string, fields: string][] = [
    ['/person', 'POST', 'idempotency-key,x-api-key'],
    ['/login',  'POST', 'content-type'],
  ]
  for (const [path, method, fields] of preflights) {
    const asked = {
      'Access-Control-Request-Method': method,
      'Access-Control-Request-Headers': fields,
    }
    const preflight = await ask(path, { method: 'OPTIONS', headers: { ...page, ...asked } })
    t.equal(preflight.status, 204)
    t.match(corsOf(preflight), {
      'access-control-allow-origin': page.Origin,
      'access-control-allow-methods': method,
      'access-control-allow-headers': fields,
      'access-control-max-age': '60',
    })
  }
  for (const [method, status] of [
    ['POST', 401],
    ['PUT', 405],
  ] as const) {
    const login = (origin: object) =>
      send(method, '/login', { login: 'a', password: 'b' }, { ...origin })
    const shared = await login(page)
    t.equal(shared.status, status)
    t.equal(shared.headers.get('access-control-allow-origin'), page.Origin)
    t.match(shared.headers.get('access-control-expose-headers'), 'Retry-After')
    t.strictSame(corsOf(await login(other)), {})
  }
  const headers = { 'Idempotency-Key': '"one"' }
  await send('POST', '/person', { name: 'A' }, headers)
  const replayed = await send('POST', '/person', { name: 'A' }, { ...headers, ...page })
  t.equal(replayed.headers.get('idempotency-replayed'), 'true')
  t.equal(replayed.headers.get('access-control-allow-origin'), page.Origin, 'of this request')
})
