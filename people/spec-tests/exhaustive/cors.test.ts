import t from 'tap'
import { start } from './service/started.js'

const page = { Origin: 'https://app.example.com' }
const other = { Origin: 'https://other.example.com' }

/** The CORS headers of a response. */
function corsOf({ headers }: Response): { readonly [name: string]: string } {
  return Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')))
}

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
  for (const [path, fields] of /* oxfmt-ignore */ [
    ['/person', 'idempotency-key,x-api-key'],
    ['/login',  'content-type'],
  ] as const) {
    const asked = {
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': fields,
    }
    const preflight = await ask(path, { method: 'OPTIONS', headers: { ...page, ...asked } })
    t.equal(preflight.status, 204)
    t.match(corsOf(preflight), {
      'access-control-allow-origin': page.Origin,
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': fields,
      'access-control-max-age': '60',
    })
  }
  const headers = { 'Idempotency-Key': '"one"' }
  await send('POST', '/person', { name: 'A' }, headers)
  const replayed = await send('POST', '/person', { name: 'A' }, { ...headers, ...page })
  t.equal(replayed.headers.get('idempotency-replayed'), 'true')
  t.equal(replayed.headers.get('access-control-allow-origin'), page.Origin, 'of this request')
})
