import type { Test } from 'tap'
import { buildSchema, createHandler, type Handler } from '../../../src/index.js'
import { jsonOf, linesOf, valueOf, type Client } from '../../hosts/exchange.js'
import { createTestedHandler } from '../../hosts/tested-handler.js'

/** A framework whose middleware and routes surround the handler as this suite expects it. */
export interface FrameworkHost {
  /** A client of one path; '/graphql' is the endpoint. */
  at(path: string): Client
  close(): Promise<void>
}

/** What middleware in front of every route sets. */
export interface Before {
  /** Whether it sets the cookie; the frameworks have ways of their own for it. */
  readonly setsCookie: boolean
  readonly vary: string
  readonly fields: readonly (readonly [name: string, value: string])[]
}

export const cookie = 'session=abc; Path=/'

const before: Before = {
  setsCookie: true,
  vary: 'Origin',
  fields: [
    ['X-Framework', 'is here'],
    ['Cache-Control', 'max-age=60'],
  ],
}

/** The routes beside the endpoint. */
export const routes = {
  redirect: { path: '/away', to: '/elsewhere' },
  stream: { path: '/stream', pieces: ['one ', 'two ', 'three'] },
} as const

/** What a framework does for its routes must stay in force for ours, and nothing else may suffer. */
export async function integritySuite(
  t: Test,
  start: (handler: Handler, before: Before) => Promise<FrameworkHost>,
): Promise<void> {
  const host = await start(createTestedHandler().handler, before)
  t.teardown(() => host.close())

  await t.test('cookies and headers of both sides are kept', async (t) => {
    const answer = await host.at('/graphql')({ query: '?query={cookies}' })
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
      const bare = await start(() => ({ status, headers: ['ETag', '"a"'], body: '' }), before)
      t.teardown(() => bare.close())
      const answer = await bare.at('/graphql')({})
      t.equal(answer.status, status)
      t.equal(valueOf(answer, 'content-type'), undefined)
      t.equal(valueOf(answer, 'content-length'), status === 202 ? '0' : undefined)
    })
  }
  await t.test('our default goes before a lifetime that middleware has set', async (t) => {
    const answer = await host.at('/graphql')({ query: '?query={echo(text:"x")}' })
    t.equal(answer.status, 200)
    t.equal(valueOf(answer, 'cache-control'), 'private, no-cache')
  })
  await t.test('a field of theirs stays where we say nothing', async (t) => {
    const answer = await host.at('/graphql')({ body: '{"query":"{ echo(text: \\"x\\") }"}' })
    t.equal(answer.status, 200)
    t.equal(valueOf(answer, 'cache-control'), 'max-age=60')
  })
  await t.test('a refusal has them too, and is no-store', async (t) => {
    const answer = await host.at('/graphql')({ method: 'DELETE' })
    t.equal(answer.status, 405)
    t.same(linesOf(answer, 'set-cookie'), [cookie])
    t.equal(valueOf(answer, 'vary'), 'Origin, Accept')
    t.equal(valueOf(answer, 'cache-control'), 'no-store')
    t.same(linesOf(answer, 'content-length'), [String(answer.body.byteLength)])
  })
  await t.test('redirects of the framework work beside it', async (t) => {
    const answer = await host.at(routes.redirect.path)({})
    t.equal(answer.status, 302)
    t.equal(valueOf(answer, 'location'), routes.redirect.to)
    t.same(linesOf(answer, 'set-cookie'), [cookie])
  })
  await t.test('streams of the framework work beside it', async (t) => {
    const answer = await host.at(routes.stream.path)({})
    t.equal(answer.status, 200)
    t.equal(answer.body.toString(), routes.stream.pieces.join(''))
    t.equal(valueOf(answer, 'vary'), 'Origin')
  })
  for (const [title, control, { ours, setsCookie = false, theirs = {}, left }] of storing) {
    await t.test(title, async (t) => {
      const handler = createHandler({ schema, ...(ours && { responseHeaders: () => ours }) })
      const fields = Object.entries(theirs)
      const one = await start(handler, { ...before, setsCookie, fields })
      t.teardown(() => one.close())
      const answer = await one.at('/graphql')({ query: '?query={hello}' })
      t.equal(answer.status, 200)
      t.equal(valueOf(answer, 'cache-control'), control)
      for (const name of targeted) t.equal(valueOf(answer, name), left?.[name], name)
    })
  }
}

const schema = buildSchema('type Query { hello: String }', { Query: { hello: () => 'Hello' } })

/** `control` is the Cache-Control that the client gets. */
type StoringRow = readonly [title: string, control: string, said: Said]

interface Said {
  /** Default: what the engine says, which is no-cache. */
  readonly ours?: { readonly [name: string]: string }
  readonly setsCookie?: boolean
  readonly theirs?: { readonly [name: string]: string }
  /** The fields of `targeted` that it gets. */
  readonly left?: { readonly [name: string]: string }
}

/** For some caches, these go before Cache-Control. */
const targeted = ['cdn-cache-control', 'surrogate-control', 'expires', 'x-accel-expires'] as const

const forCaches = {
  'CDN-Cache-Control': 'max-age=60',
  'Surrogate-Control': 'max-age=60',
  Expires: 'Wed, 01 Jan 2120 00:00:00 GMT',
  'X-Accel-Expires': '60',
}
const open = { 'Cache-Control': 'public, max-age=60' }

// oxfmt-ignore
const storing: readonly StoringRow[] = [
  ['with a cookie of middleware, our default is no-store', 'no-store',           { setsCookie: true }],
  ['with a cookie of middleware, what ours opens is no-store', 'no-store', { setsCookie: true, ours: { ...open, 'CDN-Cache-Control': 'max-age=60' } }],
  ['our default does not weaken a no-store of middleware', 'no-store',           { theirs: { 'Cache-Control': 'no-store' } }],
  ['our default does not weaken a private of middleware',  'private, no-cache',  { theirs: { 'Cache-Control': 'private, max-age=5' } }],
  ['where ours restricts storing, what middleware says to some caches goes', 'no-cache', { theirs: { 'Cache-Control': 'public, max-age=60', ...forCaches } }],
  ['also where ours is private',                           'private, max-age=5', { ours: { 'Cache-Control': 'private, max-age=5' }, theirs: forCaches }],
  [
    'but what forbids storing stays',
    'no-cache',
    { theirs: { 'CDN-Cache-Control': 'no-store', 'Surrogate-Control': 'private' }, left: { 'cdn-cache-control': 'no-store', 'surrogate-control': 'private' } },
  ],
  [
    'what ours says to some caches replaces what middleware says to them',
    'public, max-age=60',
    { ours: { ...open, 'CDN-Cache-Control': 'max-age=5' }, theirs: forCaches, left: { 'cdn-cache-control': 'max-age=5' } },
  ],
]
