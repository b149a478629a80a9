import t, { type Test } from 'tap'
import { GraphQLError } from 'graphql'
import { buildSchema } from '../../../src/graphql/schema/build-schema.js'
import { testClient, type TestRequest, type TestResponse } from '../../../src/hosts/testing.js'
import { createEndpoint, createHandler, failure, success } from '../../../src/index.js'
import type { HttpResponse, Options, ParsedJson } from '../../../src/index.js'
import { defer } from '../../base/defer.js'
import { fakeSession, init } from '../../websocket/fake-endpoint.js'
import { clientOf } from '../client-of.js'

type Deferred = ReturnType<typeof defer<string>>

/** A client of a schema whose field `wait` gives what the test tells it to, in order. */
function waiting(options: Partial<Options> = {}) {
  const asked: Deferred[] = []
  let arrived = defer()
  const resolveWait = () => {
    asked.push(defer<string>())
    arrived.resolve()
    return asked.at(-1)?.promise
  }
  const Query = { now: () => 'now', wait: resolveWait }
  const schema = buildSchema('type Query { now: String  wait: String }', { Query })
  const { handler, send, bugs } = clientOf({ schema, ...options })
  /** Sends what waits, and goes on when its resolver runs. */
  const hold = async () => {
    arrived = defer()
    const answer = send(wait)
    await arrived.promise
    return { answer, work: asked.at(-1) as Deferred }
  }
  return { handler, send, hold, asked, bugs }
}

const now = { json: { query: '{ now }' } }
const wait = { json: { query: '{ wait }' } }

function checkOverload(t: Test, response: TestResponse, message: RegExp): void {
  t.equal(response.status, 503)
  t.equal(response.headers.get('retry-after'), '1')
  t.match(response.json(), { errors: [{ message, extensions: { code: 'OVERLOADED' } }] })
}

const tooMany = /^Too many concurrent requests/

void t.test('more requests than maxInFlight are refused until one is answered', async (t) => {
  const { send, hold, asked } = waiting({ maxInFlight: 2 })
  const first = await hold()
  const second = await hold()
  for (const request of [wait, now, { target: '/graphql?query=%7Bnow%7D' }]) {
    checkOverload(t, await send(request), tooMany)
  }
  t.equal(asked.length, 2)
  first.work.resolve('one')
  t.strictSame((await first.answer).json(), { data: { wait: 'one' } })
  t.equal((await send(now)).status, 200)
  const third = await hold()
  checkOverload(t, await send(now), tooMany)
  second.work.resolve('two')
  third.work.resolve('three')
  t.strictSame((await second.answer).json(), { data: { wait: 'two' } })
  t.strictSame((await third.answer).json(), { data: { wait: 'three' } })
  t.equal((await send(now)).status, 200)
})

void t.test('one client has a share of maxInFlight', async (t) => {
  const { send, asked } = waiting({ maxInFlight: 4, trustedProxies: 1 })
  const from = (address: string, request: TestRequest) =>
    send({ ...request, headers: { 'X-Forwarded-For': address } })
  const held = [from('192.0.2.1', wait), from('192.0.2.1', wait)]
  await new Promise(setImmediate)
  for (const request of [wait, now]) checkOverload(t, await from('192.0.2.1', request), tooMany)
  t.equal((await from('192.0.2.2', now)).status, 200)
  t.equal((await send(now)).status, 200, 'a client without an address')
  asked[0]?.resolve('done')
  await held[0]
  t.equal((await from('192.0.2.1', now)).status, 200, 'what was answered counts no more')
  asked[1]?.resolve('done')
  await held[1]
})

const headers = ['Content-Type', 'application/json']
const post = { method: 'POST', target: '/', headers, raw: undefined }

void t.test('an overload is refused at once, before the body is requested', async (t) => {
  const { handler, hold } = waiting({ maxInFlight: 1 })
  const { answer, work } = await hold()
  const unread = { read: () => t.fail('The body was read.') as never }
  t.match(handler({ ...post, body: unread }), { status: 503 })
  t.match(handler({ ...post, method: 'PUT' }), { status: 405 }, 'what is wrong anyhow comes first')
  t.match(handler({ ...post, headers: [] }), { status: 415 })
  work.resolve('done')
  await answer
  t.match(handler({ ...post, body: { read: () => ({ json: now.json }) } }), { status: 200 })
})

void t.test('it is looked at again when the body has come', async (t) => {
  const { handler, hold } = waiting({ maxInFlight: 1 })
  const arriving = defer<ParsedJson>()
  const refused = handler({ ...post, body: { read: () => arriving.promise } })
  const { answer, work } = await hold()
  arriving.resolve({ json: now.json })
  t.match(await refused, { status: 503, body: /OVERLOADED/ })
  work.resolve('done')
  t.equal((await answer).status, 200)
})

const other = buildSchema('type Query { now: String }')

/** What may wait, and then go on, deny or fail. */
const hooks: { readonly [name: string]: (work: () => Promise<string>) => Partial<Options> } = {
  authenticate: (work) => ({
    authenticate: async () =>
      (await work()) === 'yes' ? success('me') : failure({ kind: 'forbidden' }),
  }),
  admit: (work) => ({ admit: () => work().then(() => undefined) }),
  context: (work) => ({ context: work }),
  schema: (work) => ({ schema: () => work().then(() => other) }),
}

for (const [name, make] of Object.entries(hooks)) {
  void t.test(`a request that waits for ${name} is counted, however that ends`, async (t) => {
    const gates: Deferred[] = []
    const work = (): Promise<string> => (gates.push(defer<string>()), gates.at(-1)!.promise)
    const { send } = waiting({ maxInFlight: 1, ...make(work) })
    for (const end of ['yes', 'no', 'a bug', 'yes']) {
      const first = send(now)
      checkOverload(t, await send(now), tooMany)
      t.equal(gates.length, 1, 'the refused one did not call it')
      if (end === 'a bug') gates.pop()?.reject(new Error('away'))
      else gates.pop()?.resolve(end)
      const denied = name === 'authenticate' && end === 'no' ? 403 : 200
      t.equal((await first).status, end === 'a bug' ? 500 : denied)
    }
  })
}

// oxfmt-ignore
const ends: readonly [what: string, options: Partial<Options>, end: (work: Deferred) => void, status: number][] = [
  ['an error',   {},                        (work) => work.reject(new Error('broken')), 294],
  ['a time-out', { executionTimeout: 200 }, () => undefined,                            503],
]

for (const [what, options, end, status] of ends) {
  void t.test(`a place is free again after ${what}, once, though the work goes on`, async (t) => {
    const { send, hold } = waiting({ maxInFlight: 1, ...options })
    for (let round = 0; round < 2; round++) {
      const { answer, work } = await hold()
      checkOverload(t, await send(now), tooMany)
      end(work)
      t.equal((await answer).status, status)
      t.equal((await send(now)).status, 200)
      work.resolve('late')
      await new Promise(setImmediate)
    }
    const { answer, work } = await hold()
    checkOverload(t, await send(now), tooMany)
    work.resolve('done')
    await answer
  })
}

const tooLate: readonly (readonly [what: string, thrown: Error, bugs: readonly object[]])[] = [
  ['a failure is a bug', new Error('too late'), [{ message: 'too late' }]],
  ['a denial is none', new GraphQLError('too late', { extensions: { code: 'FORBIDDEN' } }), []],
]

for (const [what, thrown, expected] of tooLate) {
  for (const when of ['while its request runs', 'while its request waits']) {
    void t.test(`behind a client that leaves ${when}, ${what}`, async (t) => {
      const client = new AbortController()
      const { send, bugs } = waiting({
        authenticate: async () => success(undefined),
        admit: () => {
          if (when.endsWith('runs')) client.abort()
          else queueMicrotask(() => client.abort())
          return new Promise((_, reject) => setImmediate(reject, thrown))
        },
      })
      const response = await send({ target: '/?query=%7Bnow%7D', signal: client.signal })
      t.equal(response.status, 499)
      await new Promise((resolve) => setTimeout(resolve, 5))
      t.match(bugs, expected)
      t.equal(bugs.length, expected.length)
    })
  }
}

void t.test('what is answered at once is never counted', async (t) => {
  const { handler, send, hold } = waiting({ maxInFlight: 1 })
  const head = { method: 'GET', target: '/?query=%7Bnow%7D', headers: [], raw: undefined }
  // Requests within requests: the outer ones have not been answered yet.
  let level = 0
  const statuses: number[] = []
  const deep = { ...head, target: '/?query=%7Bdeep%7D' }
  const resolveDeep = () => {
    if (++level < 5) statuses.push((nested(deep) as HttpResponse).status)
    return level
  }
  const ofDeep = buildSchema('type Query { deep: Int }', { Query: { deep: resolveDeep } })
  const nested = createHandler({ maxInFlight: 1, schema: ofDeep })
  t.match(nested(deep), { status: 200 })
  t.strictSame(statuses, [200, 200, 200, 200])
  for (let round = 0; round < 10; round++) t.match(handler(head), { status: 200 })
  const { answer, work } = await hold()
  checkOverload(t, await send(now), tooMany)
  work.resolve('done')
  await answer
})

for (const [title, options, count, status] of [
  ['Infinity counts nothing', { maxInFlight: Infinity }, 1500, 200],
  ['by default a thousand may wait', {}, 1000, 503],
] as const) {
  void t.test(title, async (t) => {
    const { send, asked } = waiting(options)
    const answers = Array.from({ length: count }, () => send(wait))
    await new Promise((resolve) => setImmediate(resolve))
    t.equal(asked.length, count)
    t.equal((await send(now)).status, status)
    for (const { resolve } of asked) resolve('x')
    t.ok((await Promise.all(answers)).every((answer) => answer.status === 200))
  })
}

function block(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

/** Sends until the status is as wanted; how long that takes is up to the machine. */
async function sendUntil(send: () => Promise<TestResponse>, status: number): Promise<TestResponse> {
  const end = performance.now() + 20_000
  for (;;) {
    const response = await send()
    if (response.status === status || performance.now() > end) return response
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

void t.test('a loop that lags more than maxEventLoopDelay refuses, and recovers', async (t) => {
  const { send } = waiting({ maxEventLoopDelay: 500 })
  for (let round = 0; round < 2; round++) {
    t.equal((await sendUntil(() => send(now), 200)).status, 200)
    block(900)
    // The timer that measures is due; until it has run nothing is known.
    const refused = await sendUntil(() => send(now), 503)
    checkOverload(t, refused, /^The server is overloaded/)
    t.equal((await sendUntil(() => send(now), 200)).status, 200, 'recovered')
  }
})

void t.test('after a lag and then silence the first request is taken', async (t) => {
  const { send } = waiting({ maxEventLoopDelay: 200 })
  t.equal((await sendUntil(() => send(now), 200)).status, 200)
  // Behind the first look at the loop and before the second, which is the last where nobody asks.
  await new Promise((resolve) => setTimeout(resolve, 60))
  block(400)
  await new Promise((resolve) => setTimeout(resolve, 200))
  t.equal((await send(now)).status, 200)
})

void t.test('without maxEventLoopDelay a lag refuses nothing', async (t) => {
  const { send } = waiting()
  await send(now)
  block(300)
  for (let round = 0; round < 20; round++) {
    t.equal((await send(now)).status, 200)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
})

void t.test('a body that is being decoded is in flight', async (t) => {
  const decoding = defer()
  const decoded = success(new TextEncoder().encode(JSON.stringify(now.json)))
  const decoders = { slow: async () => decoding.promise.then(() => decoded) }
  const { send } = waiting({ maxInFlight: 1, decoders })
  const types = { 'Content-Type': 'application/json', 'Content-Encoding': 'slow' }
  const encoded = { body: 'x', headers: types }
  const first = send(encoded)
  checkOverload(t, await send(encoded), tooMany)
  decoding.resolve()
  t.equal((await first).status, 200)
  t.equal((await send(encoded)).status, 200)
})

void t.test('a client that leaves a socket in authenticate has its place till then', async (t) => {
  const known = defer()
  const authenticate: Options['authenticate'] = ({ target }) =>
    target === '/socket' ? known.promise.then(() => success(undefined)) : success(undefined)
  const schema = buildSchema('type Query { now: String }', { Query: { now: () => 'now' } })
  const { handler, operations } = createEndpoint({ schema, maxInFlight: 1, authenticate })
  const ofSocket = { head: { target: '/socket' }, authenticate: operations.authenticate }
  const { session } = fakeSession(ofSocket)
  const send = testClient(handler)
  session.receive(init)
  t.equal((await send(now)).status, 503)
  const late = fakeSession(ofSocket)
  late.session.receive(init)
  t.match(late.port.take(), [/^<close 1013 /], 'another is not authenticated')
  session.gone()
  t.equal((await send(now)).status, 503)
  known.resolve()
  // Behind a long turn it ends in a later one.
  while ((await send(now)).status === 503) await new Promise(setImmediate)
})
