import t from 'tap'
import { buildSchema } from '../../../src/graphql/schema/build-schema.js'
import { testClient } from '../../../src/hosts/testing.js'
import { createHandler, failure, type Ide, type Options } from '../../../src/index.js'
import { thrower } from '../../base/thrower.js'
import { clientOf } from '../client-of.js'

const html = ['Content-Type', 'text/html']
const js = ['Content-Type', 'text/javascript']
const script = { status: 200, headers: js, body: new Uint8Array([97]) }
let executions = 0

const schema = buildSchema('type Query { a: Int }', { Query: { a: () => (executions += 1) } })

const ide: Ide = {
  page({ target }, { edition }) {
    return { status: 200, headers: html, body: `page of ${edition} at ${target}` }
  },
  asset: (name) => (name === 'a.js' ? script : undefined),
}

const needsKey: Options['authenticate'] = () =>
  failure({ kind: 'unauthenticated', challenge: 'Bearer' })

function clientFor(options: Partial<Options> = {}) {
  return testClient(createHandler({ schema, ide, path: '/graphql', ...options }))
}

const chromium =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7'
const firefox = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

// oxfmt-ignore
const accepts: readonly [accept: string | undefined, isPage: boolean][] = [
  [chromium,                                                 true],
  [firefox,                                                  true],
  ['text/html',                                              true],
  ['text/html, */*',                                         true],
  ['text/html, application/json',                            true],
  ['application/json, text/html',                            false],
  ['*/*, text/html',                                         false],
  ['text/html;q=0.9, application/json',                      false],
  ['text/html;q=0.9, application/graphql-response+json',     false],
  ['text/html;q=0.9, text/event-stream',                     false],
  ['application/json;q=0.5, text/html;q=0.6',                true],
  ['text/html;q=0',                                          false],
  ['text/*',                                                 false],
  ['*/*',                                                    false],
  ['application/graphql-response+json',                      false],
  ['',                                                       false],
  [undefined,                                                false],
]

for (const [accept, isPage] of accepts) {
  const what = isPage ? 'the page' : 'no page'
  void t.test(`Accept: ${accept ?? '(none)'} gets ${what}`, async (t) => {
    const headers = accept === undefined ? {} : { Accept: accept }
    for (const method of ['GET', 'HEAD']) {
      const { headers: fields } = await clientFor()({ method, headers, target: '/graphql' })
      t.equal(fields.get('content-type') === 'text/html', isPage, method)
    }
  })
}

// oxfmt-ignore
const requests: readonly [method: string, target: string, options: Partial<Options>, status: number, body: string | undefined][] = [
  ['GET',     '/graphql',                {},                          200, 'page of 2026-09 at /graphql'],
  ['GET',     '/graphql?query={a}',      {},                          200, 'page of 2026-09 at /graphql?query={a}'],
  ['GET',     '/graphql',                { edition: '2025-05' },      200, 'page of 2025-05 at /graphql'],
  ['GET',     '/graphql',                { edition: 'september2026' },200, 'page of 2026-09 at /graphql'],
  ['GET',     '/graphql',                { get: false },              200, 'page of 2026-09 at /graphql'],
  ['GET',     '/graphql',                { path: undefined },         200, 'page of 2026-09 at /graphql'],
  ['GET',     '/',                       { path: '/' },               200, 'page of 2026-09 at /'],
  ['GET',     '/other',                  {},                          404, undefined],
  ['POST',    '/graphql',                {},                          406, undefined],
  ['DELETE',  '/graphql',                {},                          405, undefined],
  ['OPTIONS', '/graphql',                {},                          204, undefined],
  ['GET',     '/graphql?ide=a.js',       {},                          200, 'a'],
  ['HEAD',    '/graphql?ide=a.js',       {},                          200, ''],
  ['GET',     '/?ide=a.js',              { path: '/' },               200, 'a'],
  ['GET',     '/any?ide=a.js',           { path: undefined },         200, 'a'],
  ['GET',     '/other?ide=a.js',         {},                          404, undefined],
  ['GET',     '/graphql?ide=b.js',       {},                          200, 'page of 2026-09 at /graphql?ide=b.js'],
  ['GET',     '/graphql?ide=a.js&query={a}', {},                      200, 'page of 2026-09 at /graphql?ide=a.js&query={a}'],
  ['GET',     '/graphql?query={a}&ide=a.js', {},                      200, 'page of 2026-09 at /graphql?query={a}&ide=a.js'],
  ['POST',    '/graphql?ide=a.js',       {},                          406, undefined],
]

for (const [method, target, options, status, body] of requests) {
  const name = `${method} ${target} ${JSON.stringify(options)}`
  void t.test(`${name} is ${status} and executes nothing`, async (t) => {
    const before = executions
    const headers = { Accept: 'text/html', 'Content-Type': 'application/json' }
    const response = await clientFor(options)({ method, target, headers })
    t.equal(response.status, status)
    if (body !== undefined) t.equal(response.body, body)
    t.equal(executions, before)
  })
}

void t.test('the page needs no credential, an operation does', async (t) => {
  for (const credentialsFirst of [false, true]) {
    const send = clientFor({ credentialsFirst, authenticate: needsKey })
    t.equal((await send({ headers: { Accept: chromium } })).status, 200)
    t.equal((await send({ target: '/graphql?ide=a.js' })).status, 200)
    t.equal((await send({ json: { query: '{ a }' } })).status, 401)
  }
})

void t.test('an IDE that throws is a masked 500, with the headers of hooks', async (t) => {
  const page = thrower(new Error('secret'))
  const responseHeaders = () => ({ 'X-Of-Hook': '1' })
  const { send, bugs } = clientOf({ schema, ide: { ...ide, page }, responseHeaders })
  const response = await send({ headers: { Accept: chromium } })
  t.equal(response.status, 500)
  t.equal(response.headers.get('x-of-hook'), '1')
  t.notMatch(response.body, /secret/)
  t.equal(bugs.length, 1)
})

// oxfmt-ignore
const withoutIde: readonly [method: string, target: string, accept: string, options: Partial<Options>, status: number, isPage: boolean][] = [
  ['GET',    '/graphql',               chromium,           {},                         422, true],
  ['GET',    '/graphql',               firefox,            { edition: '2025-05' },     400, true],
  ['HEAD',   '/graphql',               chromium,           {},                         422, true],
  ['GET',    '/graphql',               chromium,           { get: false },             405, true],
  ['GET',    '/graphql',               'text/html',        {},                         406, true],
  ['GET',    '/graphql',               'text/html;q=0',    {},                         406, false],
  ['GET',    '/graphql',               '*/*',              {},                         422, false],
  ['GET',    '/graphql',               'application/json', {},                         422, false],
  ['GET',    '/graphql?query={a}',     chromium,           {},                         200, false],
  ['GET',    '/graphql?query={b}',     chromium,           {},                         422, false],
  ['GET',    '/graphql?query={a}',     'text/html',        {},                         406, false],
  ['GET',    '/other',                 chromium,           {},                         404, false],
  ['GET',    '/graphql',               chromium,           { authenticate: needsKey }, 401, false],
  ['POST',   '/graphql',               'text/html',        {},                         406, false],
  ['DELETE', '/graphql',               chromium,           {},                         405, false],
]

for (const [method, target, accept, options, status, isPage] of withoutIde) {
  const name = `${method} ${target} with ${accept} and ${Object.keys(options).join()}`
  void t.test(`without an IDE, ${name} is ${status}, a page: ${isPage}`, async (t) => {
    const send = clientFor({ ide: undefined, ...options })
    const response = await send({ method, target, headers: { Accept: accept } })
    t.equal(response.status, status)
    const type = response.headers.get('content-type') ?? ''
    t.match(type, isPage ? /^text\/html; charset=utf-8$/ : /json/)
    t.equal(response.headers.get('vary'), 'Accept')
    if (status === 405) t.ok(response.headers.has('allow'))
    if (isPage && method === 'GET') t.match(response.body, 'This is a GraphQL endpoint.')
  })
}

void t.test('an IDE that lacks a function is a mistake', async (t) => {
  const lame = { page: ide.page } as unknown as Ide
  t.throws(() => clientFor({ ide: lame }), { message: /^createHandler: ide\.asset: expected/ })
})
