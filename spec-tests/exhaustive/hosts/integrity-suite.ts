import type { Test } from 'tap'
import { buildSchema, createHandler, type Handler } from '../../../src/index.js'
import { jsonOf, linesOf, valueOf, type Client } from '../../hosts/exchange.js'
import { cookie, routes, type Before } from '../../hosts/mounts.js'
import { createTestedHandler } from '../../hosts/tested-handler.js'

/** Starts a framework and gives a client of its paths; '/graphql' is the endpoint. */
export type StartFramework = (
  t: Test,
  handler: Handler,
  before: Before,
) => Promise<(path: string) => Client>

/** What a framework does for its routes must stay in force for ours, and nothing else may suffer. */
export async function integritySuite(t: Test, start: StartFramework): Promise<void> {
  const fields = { 'X-Framework': 'is here', 'Cache-Control': 'max-age=60' }
  const { handler } = createTestedHandler()
  const at = await start(t, handler, { setsCookie: true, fields })
  const send = at('/graphql')

  await t.test('cookies and headers of both sides are kept', async (t) => {
    const answer = await send({ query: '?query={cookies}' })
    t.equal(answer.status, 200)
    t.same(jsonOf(answer), { data: { cookies: 'baked' } })
    t.same(linesOf(answer, 'set-cookie'), [
      cookie,
      'first=1; Path=/',
      'second=2; Expires=Wed, 01 Jan 2120 00:00:00 GMT',
    ])
    t.equal(valueOf(answer, 'vary'), 'Origin, Accept')
    t.equal(valueOf(answer, 'x-framework'), 'is here')
    t.equal(valueOf(answer, 'cache-control'), 'no-store', 'no answer with a cookie is stored')
  })
  for (const status of [202, 204, 304]) {
    await t.test(`${status} without a body has no type of the framework`, async (t) => {
      const bare: Handler = () => ({ status, headers: ['ETag', '"a"'], body: '' })
      const answer = await (await start(t, bare, { setsCookie: false, fields: {} }))('/graphql')({})
      t.equal(answer.status, status)
      t.equal(valueOf(answer, 'content-type'), undefined)
      t.equal(valueOf(answer, 'content-length'), status === 202 ? '0' : undefined)
    })
  }
  await t.test('our default goes before a lifetime that middleware has set', async (t) => {
    const answer = await send({ query: '?query={echo(text:"x")}' })
    t.equal(answer.status, 200)
    t.equal(valueOf(answer, 'cache-control'), 'private, no-cache')
  })
  await t.test('a field of theirs stays where we say nothing', async (t) => {
    const answer = await send({ body: '{"query":"{ echo(text: \\"x\\") }"}' })
    t.equal(answer.status, 200)
    t.equal(valueOf(answer, 'cache-control'), 'max-age=60')
  })
  await t.test('a refusal has them too, and is no-store', async (t) => {
    const answer = await send({ method: 'DELETE' })
    t.equal(answer.status, 405)
    t.same(linesOf(answer, 'set-cookie'), [cookie])
    t.equal(valueOf(answer, 'vary'), 'Origin, Accept')
    t.equal(valueOf(answer, 'cache-control'), 'no-store')
    t.same(linesOf(answer, 'content-length'), [String(answer.body.byteLength)])
  })
  await t.test('redirects of the framework work beside it', async (t) => {
    const answer = await at(routes.redirect.path)({})
    t.equal(answer.status, 302)
    t.equal(valueOf(answer, 'location'), routes.redirect.to)
    t.same(linesOf(answer, 'set-cookie'), [cookie])
  })
  await t.test('streams of the framework work beside it', async (t) => {
    const answer = await at(routes.stream.path)({})
    t.equal(answer.status, 200)
    t.equal(answer.body.toString(), routes.stream.pieces.join(''))
    t.equal(valueOf(answer, 'vary'), 'Origin')
  })
  await t.test('what middleware says to some caches goes, unless it forbids storing', async (t) => {
    const own = createHandler({ schema: buildSchema('type Query { hello: String }') })
    const before = {
      setsCookie: false,
      fields: {
        'Cache-Control': 'public, max-age=60',
        'CDN-Cache-Control': 'max-age=60',
        'Surrogate-Control': 'private',
        Expires: 'Wed, 01 Jan 2120 00:00:00 GMT',
        'X-Accel-Expires': '60',
      },
    }
    const answer = await (await start(t, own, before))('/graphql')({ query: '?query={hello}' })
    t.equal(valueOf(answer, 'cache-control'), 'no-cache')
    t.equal(valueOf(answer, 'surrogate-control'), 'private')
    for (const name of ['cdn-cache-control', 'expires', 'x-accel-expires']) {
      t.equal(valueOf(answer, name), undefined, name)
    }
  })
}
