import type { Test } from 'tap'
import type { Handler } from '../../src/index.js'
import { jsonOf, linesOf, valueOf, type Client } from './exchange.js'
import { createTestedHandler } from './tested-handler.js'

/** A framework whose middleware and routes surround the handler as this suite expects it. */
export interface FrameworkHost {
  /** A client of one path; '/graphql' is the endpoint. */
  at(path: string): Client
  close(): Promise<void>
}

/** What middleware in front of every route sets. */
export const before = {
  cookie: 'session=abc; Path=/',
  vary: 'Origin',
  field: ['X-Framework', 'is here'],
  storing: ['Cache-Control', 'max-age=60'],
} as const

/** The routes beside the endpoint. */
export const routes = {
  redirect: { path: '/away', to: '/elsewhere' },
  stream: { path: '/stream', pieces: ['one ', 'two ', 'three'] },
} as const

/** What a framework does for its routes must stay in force for ours, and nothing else may suffer. */
export async function integritySuite(
  t: Test,
  start: (handler: Handler) => Promise<FrameworkHost>,
): Promise<void> {
  const host = await start(createTestedHandler().handler)
  t.teardown(() => host.close())

  await t.test('cookies and headers of both sides are kept', async (t) => {
    const answer = await host.at('/graphql')({ query: '?query={cookies}' })
    t.equal(answer.status, 200)
    t.same(jsonOf(answer), { data: { cookies: 'baked' } })
    t.same(linesOf(answer, 'set-cookie'), [
      before.cookie,
      'first=1; Path=/',
      'second=2; Expires=Wed, 01 Jan 2120 00:00:00 GMT',
    ])
    t.equal(valueOf(answer, 'vary'), 'Origin, Accept')
    t.equal(valueOf(answer, before.field[0].toLowerCase()), before.field[1])
    t.equal(valueOf(answer, 'cache-control'), 'no-store', 'no answer with a cookie is stored')
  })
  await t.test('our default goes before a lifetime that middleware has set', async (t) => {
    const answer = await host.at('/graphql')({ query: '?query={echo(text:"x")}' })
    t.equal(answer.status, 200)
    t.equal(valueOf(answer, 'cache-control'), 'private, no-cache')
  })
  await t.test('a field of theirs stays where we say nothing', async (t) => {
    const answer = await host.at('/graphql')({ body: '{"query":"{ echo(text: \\"x\\") }"}' })
    t.equal(answer.status, 200)
    t.equal(valueOf(answer, 'cache-control'), before.storing[1])
  })
  await t.test('a refusal has them too, and is no-store', async (t) => {
    const answer = await host.at('/graphql')({ method: 'DELETE' })
    t.equal(answer.status, 405)
    t.same(linesOf(answer, 'set-cookie'), [before.cookie])
    t.equal(valueOf(answer, 'vary'), 'Origin, Accept')
    t.equal(valueOf(answer, 'cache-control'), 'no-store')
    t.same(linesOf(answer, 'content-length'), [String(answer.body.byteLength)])
  })
  await t.test('redirects of the framework work beside it', async (t) => {
    const answer = await host.at(routes.redirect.path)({})
    t.equal(answer.status, 302)
    t.equal(valueOf(answer, 'location'), routes.redirect.to)
    t.same(linesOf(answer, 'set-cookie'), [before.cookie])
  })
  await t.test('streams of the framework work beside it', async (t) => {
    const answer = await host.at(routes.stream.path)({})
    t.equal(answer.status, 200)
    t.equal(answer.body.toString(), routes.stream.pieces.join(''))
    t.equal(valueOf(answer, 'vary'), 'Origin')
  })
}
