import { buildSchema, versionInfo } from 'graphql'
import t from 'tap'
import { compiledExecution } from '../../src/compiled/index.js'
import { createEndpoint, executeInProcess, failure, subscribeInProcess } from '../../src/index.js'
import type { InProcessRequest, Options } from '../../src/index.js'
import { thrower } from '../base/thrower.js'

const sdl = `
  type Query { a: String  me: String  fail: String  wait: String  echo(text: String!): String }
  type Mutation { m: String }
  type Subscription { s: Int  forever: Int }
`

let returned = 0
const rootValue = {
  a: 'x',
  m: 'y',
  me: (_args: unknown, { principal }: { readonly principal: unknown }) => String(principal),
  fail: thrower(new Error('secret')),
  wait: () => new Promise(() => undefined),
  echo: ({ text }: { readonly text: string }) => text,
  async *s() {
    try {
      for (let s = 1; s <= 3; s++) yield { s }
    } finally {
      returned += 1
    }
  },
}

const schema = buildSchema(sdl)

function endpointOf(options: Partial<Options> = {}) {
  return createEndpoint({ schema, rootValue, ...options })
}

const authenticate = () => failure({ kind: 'forbidden' } as const)

/* oxfmt-ignore */
for (const [title, request, expected, options] of [
  ['a query',                              { query: '{ a }' },                                                { data: { a: 'x' } }],
  ['a mutation',                           { query: 'mutation { m }' },                                       { data: { m: 'y' } }],
  ['one of several operations',            { query: 'query A { a } query B { me }', operationName: 'A' },     { data: { a: 'x' } }],
  ['variables as JSON has them',           { query: 'query ($t: String!) { echo(text: $t) }', variables: { t: new Date(0) } }, { data: { echo: '1970-01-01T00:00:00.000Z' } }],
  ['a principal, without authenticate',    { query: '{ me }', principal: 'ada' },                             { data: { me: 'ada' } },               { authenticate }],
  ['a stored document',                    { documentId: 'A' },                                               { data: { a: 'x' } },                  { documents: { A: '{ a }' } }],
  ['a query of @defer, as a whole',        { query: '{ a ... @defer { me } }', principal: 1 },                { data: { a: 'x', me: '1' } }],
  ['a query where sockets take none',      { query: '{ a }' },                                                { data: { a: 'x' } },                  { webSocketOperations: 'subscriptions' }],
  ['the first event of a subscription',    { query: 'subscription { s }' },                                   { data: { s: 1 } }],
  ['no document',                          {},                                                                { errors: [{ extensions: { code: 'INVALID_PARAMETER' } }] }],
  ['an invalid document',                  { query: '{ b }' },                                                { errors: [{ message: /Cannot query field "b"/ }] }],
  ['a bug, masked',                        { query: '{ fail }' },                                             { data: { fail: null }, errors: [{ message: /^Internal server error/ }] }],
  ['a limit',                              { query: '{ a b: a }' },                                           { errors: [{ message: /alias/i }] },   { maxAliases: 0 }],
  ['a denial',                             { query: '{ a }' },                                                { errors: [{ extensions: { code: 'FORBIDDEN' } }] }, { admit: () => ({ kind: 'forbidden' }) }],
  ['a timeout',                            { query: '{ wait }' },                                             { errors: [{ extensions: { code: 'CANCELLED' } }] }, { executionTimeout: 20 }],
  ['headers for hooks',                    { query: '{ a }', headers: { 'X-User': 'ada' } },                  { data: { a: 'x' } },                  { admit: (asked) => (asked.header('x-user') === 'ada' ? undefined : { kind: 'forbidden' }) }],
] as readonly (readonly [string, InProcessRequest, object, Partial<Options>?])[]) {
  if (versionInfo.major < 17 && title.includes('@defer')) continue
  for (const execution of [undefined, compiledExecution({ afterUses: 0 })]) {
    void t.test(`${title}${execution ? ', compiled' : ''}`, async (t) => {
      const bugs: unknown[] = []
      const endpoint = endpointOf({ execution, onBug: (bug) => bugs.push(bug), ...options })
      t.match(await executeInProcess(endpoint, request), expected)
      t.equal(bugs.length, title.startsWith('a bug') ? 1 : 0)
    })
  }
}

void t.test('headers may be those of a request', async (t) => {
  const seen: unknown[] = []
  const endpoint = endpointOf({ context: ({ head }) => void seen.push(...head.headers) })
  const headers = { Cookie: 'a=1' }
  await executeInProcess(endpoint, { query: '{ a }', headers })
  await executeInProcess(endpoint, { query: '{ a }', headers: new Headers(headers) })
  t.strictSame(seen, ['Cookie', 'a=1', 'cookie', 'a=1'])
})

void t.test('hooks see where it comes from', async (t) => {
  const seen: string[] = []
  const endpoint = endpointOf({
    onResult: (_request, { transport, status }) => seen.push(`${transport} ${status}`),
    onStreamEnd: ({ transport, cause, events }) => seen.push(`${transport} ${cause} ${events}`),
  })
  await executeInProcess(endpoint, { query: '{ a }' })
  await executeInProcess(endpoint, { query: '{ b }' })
  for await (const _ of subscribeInProcess(endpoint, { query: 'subscription { s }' })) continue
  t.strictSame(seen.join(), 'in-process 200,in-process 422,in-process 200,in-process complete 3')
})

void t.test('a subscription gives its events one by one, and ends with the loop', async (t) => {
  const endpoint = endpointOf()
  const request = { query: 'subscription { s }' }
  const events: unknown[] = []
  for await (const { data } of subscribeInProcess(endpoint, request)) events.push(data)
  t.strictSame(events, [{ s: 1 }, { s: 2 }, { s: 3 }])
  returned = 0
  for await (const { data } of subscribeInProcess<{ s: number }>(endpoint, request)) {
    if (data?.s === 2) break
  }
  t.equal(returned, 1)
  t.equal(endpoint.stats().open, 0)
  const results = []
  for await (const result of subscribeInProcess(endpoint, { query: '{ a }' })) results.push(result)
  t.strictSame(results, [{ data: { a: 'x' } }])
})

const forever = { query: 'subscription { forever }' }
const next = () => new Promise(() => undefined)

void t.test('credentials that expire end a subscription with an error', async (t) => {
  const never = { forever: () => ({ [Symbol.asyncIterator]: () => ({ next }) }) }
  // The clock of streams does not keep the process alive.
  const alive = setInterval(() => undefined, 1000)
  t.teardown(() => clearInterval(alive))
  const endpoint = endpointOf({ rootValue: never, credentialExpiry: () => 0 })
  const results = []
  for await (const result of subscribeInProcess(endpoint, forever)) results.push(result)
  t.match(results, [{ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] }])
})

void t.test('a subscription that waits for an event ends at once', async (t) => {
  let isReturned = false
  const end = async () => ((isReturned = true), { done: true })
  const quiet = { forever: () => ({ [Symbol.asyncIterator]: () => ({ next, return: end }) }) }
  const endpoint = endpointOf({ rootValue: quiet })
  const results = subscribeInProcess(endpoint, forever)
  const waiting = results.next()
  await new Promise(setImmediate)
  t.equal(endpoint.stats().open, 1)
  t.match(await results.return(), { done: true })
  t.match(await waiting, { done: true })
  t.equal(isReturned, true)
  t.equal(endpoint.stats().open, 0)
  const unread = subscribeInProcess(endpoint, forever)
  await unread.return()
  t.match(await unread.next(), { done: true }, 'not even begun')
})

void t.test('a signal cancels the operation', async (t) => {
  const endpoint = endpointOf()
  const gone = new Error('gone')
  const controller = new AbortController()
  const waiting = executeInProcess(endpoint, { query: '{ wait }', signal: controller.signal })
  controller.abort(gone)
  await t.rejects(waiting, gone)
  await t.rejects(executeInProcess(endpoint, { query: '{ a }', signal: controller.signal }), gone)
})

void t.test('a signal ends a subscription even if no event is asked for', async (t) => {
  const gone = new Error('gone')
  const controller = new AbortController()
  const endpoint = endpointOf()
  const request = { query: 'subscription { s }', signal: controller.signal }
  const results = subscribeInProcess(endpoint, request)
  t.match(await results.next(), { value: { data: { s: 1 } } })
  controller.abort(gone)
  t.equal(endpoint.stats().open, 0)
  await t.rejects(results.next(), gone)
})
