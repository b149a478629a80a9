import { AsyncLocalStorage } from 'node:async_hooks'
import { createServer, request as begin, type IncomingMessage } from 'node:http'
import { json as jsonIn } from 'node:stream/consumers'
import t from 'tap'
import { compiledExecution } from '../../src/compiled/index.js'
import { toNodeListener } from '../../src/hosts/node/index.js'
import { testClient } from '../../src/hosts/testing.js'
import type { Step } from '../../src/handler/road/facts.js'
import type { GoneListener } from '../../src/http/message.js'
import { buildSchema, createHandler, success, type Options } from '../../src/index.js'
import { defer } from '../base/defer.js'
import { listenFor } from '../hosts/start-node.js'
import { slowField } from './slow-field.js'

const schema = buildSchema('type Query { a: String }', { Query: { a: () => 'x' } })
const json = { query: '{ a }' }

async function fall(): Promise<never> {
  await new Promise(setImmediate)
  throw new TypeError('It fell.')
}

const falling: readonly [step: Step, options: Partial<Options>, title?: string][] = [
  ['credentials', { authenticate: fall }],
  ['document', { documents: { get: fall } }],
  ['schema', { schema: fall }],
  ['admit', { admit: fall }],
  ['around', { around: fall }],
  ['around', { around: async (_, proceed) => (await proceed(), fall()) }, ' behind proceed'],
  ['around', { around: async (_, proceed) => (await proceed(), 5 as never) }, ' with its answer'],
  ['context', { context: fall }],
  ['execute', { execute: fall }],
]

for (const [step, options, title = ''] of falling) {
  void t.test(`the report of a bug behind a wait names the step ${step}${title}`, async (t) => {
    const bugs: object[] = []
    const onBug: Options['onBug'] = (_, details) => void bugs.push(details)
    const send = testClient(createHandler({ schema, batch: {}, ...options, onBug }))
    const named = step === 'document' ? { documentId: 'one' } : json
    t.equal((await send({ json: named })).status, 500)
    await send({ json: [named] })
    t.match(bugs, [{ step }, { step }], 'of a batch, too')
  })
}

for (const comes of ['at once', 'late']) {
  void t.test(`hooks behind a body that comes ${comes} have the async context`, async (t) => {
    const context = new AsyncLocalStorage<string>()
    const seen: unknown[] = []
    const note = <Value>(value: Value): Value => (seen.push(context.getStore()), value)
    const arrived = defer()
    const handler = createHandler({
      schema,
      authenticate: () => (arrived.resolve(), note(success('me'))),
      admit: () => note(undefined),
      context: async () => note({}),
    })
    const listener = toNodeListener(handler)
    const server = createServer((...exchange) => context.run('mine', () => listener(...exchange)))
    const port = await listenFor(t, server)
    const response = new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { 'Content-Type': 'application/json' }
      const sent = begin({ port, method: 'POST', headers }, resolve).on('error', reject)
      if (comes === 'late') sent.flushHeaders()
      else arrived.resolve()
      // The server has begun to read by then.
      void arrived.promise.then(() => setImmediate(() => sent.end(JSON.stringify(json))))
    })
    t.same(await jsonIn(await response), { data: { a: 'x' } })
    t.same(seen, ['mine', 'mine', 'mine'])
  })
}

void t.test('a host whose listener cannot be removed may call it after the response', async (t) => {
  const responses: unknown[] = []
  let leave = (): void => undefined
  const { deliver } = createHandler({ schema, context: async () => ({}) })
  const head = { method: 'GET', target: '/?query=%7Ba%7D', headers: [], raw: undefined }
  const onClientGone = (listener: () => void): void => void (leave = listener)
  await new Promise<void>((done) => {
    const take = (response: unknown): void => {
      responses.push(response)
      leave()
      done()
    }
    deliver?.({ ...head, onClientGone }, take, (bug) => void t.fail(String(bug)))
  })
  leave()
  t.match(responses, [{ status: 200 }])
})

void t.test('requests that have waited for the same do not go on all in one turn', async (t) => {
  const gate = defer()
  const { calls, resolve: a } = slowField(4)
  const context = new AsyncLocalStorage<number>()
  const seen: unknown[] = []
  const handler = createHandler({
    schema: buildSchema('type Query { a: String }', { Query: { a } }),
    context: async () => gate.promise.then(() => ({})),
    onResult: () => void seen.push(context.getStore()),
  })
  const send = testClient(handler)
  const order = Array.from({ length: 20 }, (_, at) => at)
  const sent = order.map((at) => context.run(at, async () => send({ json })))
  gate.resolve()
  for (const { status } of await Promise.all(sent)) t.equal(status, 200)
  t.ok(calls.most <= 6, `${calls.most} in a turn`)
  t.same(seen, order, 'each in its context')
})

function slowly(slow: () => Promise<unknown>): Pick<Options, 'schema' | 'maxInFlight' | 'batch'> {
  const ofSlow = buildSchema('type Query { slow: Int }', { Query: { slow } })
  return { schema: ofSlow, maxInFlight: 1, batch: {} }
}

const slowHead = { method: 'GET', target: '/?query=%7Bslow%7D', headers: [], raw: undefined }
const slowBatch = {
  method: 'POST',
  target: '/',
  headers: ['Content-Type', 'application/json'],
  raw: undefined,
  body: { read: () => ({ json: [{ query: '{ slow }' }] }) },
}
const slowRequests = { request: slowHead, batch: slowBatch }

// oxfmt-ignore
const left: readonly [what: string, toOptions: (wait: () => Promise<number>) => Options][] = [
  ['a hook',               (wait) => ({ ...slowly(async () => 1), context: wait })],
  ['a resolver',           (wait) => slowly(wait)],
  ['a resolver of a plan', (wait) => ({ ...slowly(wait), execution: compiledExecution({ afterUses: 0 }) })],
]
for (const [kind, request] of Object.entries(slowRequests)) {
  for (const [what, toOptions] of left) {
    void t.test(`the ${kind} of a client that left has its place until ${what} ends`, async (t) => {
      const ends: (() => void)[] = []
      const wait = (): Promise<number> => new Promise((resolve) => ends.push(() => resolve(1)))
      // On a busy machine a batch begins in a later turn.
      const hasBegun = async (): Promise<void> => {
        while (ends.length === 0) await new Promise(setImmediate)
      }
      const handler = createHandler(toOptions(wait))
      for (let round = 0; round < 3; round += 1) {
        let leave = (): PromiseLike<unknown> | void => undefined
        const onClientGone = (listener: GoneListener): void => void (leave = listener)
        const waiting = handler({ ...request, onClientGone })
        await hasBegun()
        const ended = leave()
        t.match(await waiting, { body: /CANCELLED/ })
        await new Promise(setImmediate)
        t.match(handler(request), { status: 503 }, 'it has the only place')
        ends.pop()?.()
        await ended
      }
      const last = handler(request)
      await hasBegun()
      ends.pop()?.()
      t.match(await last, { status: 200 })
    })
  }
}

void t.test('a client that left has its place no longer than executionTimeout', async (t) => {
  const never = slowly(() => new Promise(() => undefined))
  const handler = createHandler({ ...never, executionTimeout: 20 })
  let leave = (): PromiseLike<unknown> | void => undefined
  const waiting = handler({ ...slowHead, onClientGone: (listener) => void (leave = listener) })
  const ended = leave()
  t.match(await waiting, { status: 499 })
  t.match(handler(slowHead), { status: 503 })
  // The timer of the place does not keep a process alive.
  const alive = setInterval(() => undefined, 1000)
  await ended
  clearInterval(alive)
  t.match(await handler(slowHead), { status: 503, body: /timed|too long|TIME/ })
})

void t.test(
  'a batch whose client leaves while it starts has its place until it ends',
  async (t) => {
    const found = defer<typeof schema>()
    let leave = (): PromiseLike<unknown> | void => undefined
    const handler = createHandler({
      maxInFlight: 1,
      batch: {},
      authenticate: () => Promise.resolve(success(undefined)),
      schema: () => (leave(), found.promise),
    })
    const onClientGone = (listener: GoneListener): void => void (leave = listener)
    t.match(await handler({ ...slowBatch, onClientGone }), { status: 499 })
    t.match(await handler(slowBatch), { status: 503 })
    found.resolve(schema)
    while ((await handler(slowBatch)).status === 503) await new Promise(setImmediate)
  },
)
