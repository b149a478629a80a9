import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import {
  buildSchema,
  createEndpoint,
  success,
  type Body,
  type HttpResponse,
} from '../../src/index.js'
import { defer } from '../base/defer.js'
import { collectGarbage } from '../collect-garbage.js'

const schema = buildSchema('type Query { hangs: String }', {
  Query: { hangs: async () => new Promise((resolve) => held.push(resolve)) },
})
/** Resolvers that never end, and ignore that their operations were cancelled. */
const held: unknown[] = []

type Endpoint = ReturnType<typeof createEndpoint>

/** A body that does not keep what it has given. */
function bodyOf(json: object): Body {
  const left = [json]
  return { read: () => ({ json: left.pop() }) }
}

const ways: {
  readonly [name: string]: (endpoint: Endpoint, json: object, leaves: boolean) => Promise<unknown>
} = {
  HTTP({ handler }, json, leaves) {
    const gone = new EventTarget()
    const response = handler({
      method: 'POST',
      target: '/',
      headers: ['Content-Type', 'application/json'],
      raw: undefined,
      body: bodyOf(json),
      onClientGone: (listener) => gone.addEventListener('gone', listener),
    })
    if (leaves) gone.dispatchEvent(new Event('gone'))
    return Promise.resolve(response)
  },
  WebSockets({ operations }, json, leaves) {
    const head = { method: 'GET', target: '/', headers: [], raw: undefined }
    const { promise, resolve } = defer()
    const outlet = { next: () => true, complete: resolve, error: () => resolve() }
    const running = operations.start({ head, principal: undefined }, json, outlet)
    if (leaves) running.stop('client-complete')
    if (leaves) resolve()
    return promise
  },
}

async function send(name: string, leaves: boolean): Promise<WeakRef<object>> {
  const endpoint = createEndpoint({ schema, executionTimeout: leaves ? 10_000 : 10 })
  const extra = { large: 'value' }
  await ways[name]?.(endpoint, { query: '{ hangs }', extensions: { extra } }, leaves)
  return new WeakRef(extra)
}

for (const name of Object.keys(ways)) {
  for (const leaves of [true, false]) {
    const title = leaves ? 'its client has left' : 'its time is up'
    void t.test(`${name}: when ${title}, a resolver keeps no extensions`, async (t) => {
      const before = held.length
      const extra = await send(name, leaves)
      t.equal(held.length, before + 1, 'it runs')
      await collectGarbage()
      t.equal(extra.deref(), undefined)
    })
  }
}

/** Of a host that cannot remove listeners, such as fetch. */
function fetchLike(authenticates: boolean) {
  const bugs: unknown[] = []
  const { handler } = createEndpoint({
    schema,
    maxInFlight: 1,
    ...(authenticates && { authenticate: () => Promise.resolve(success(undefined)) }),
    onBug: (bug) => bugs.push(bug),
  })
  const gone = new EventTarget()
  const post = (read: Body['read']) =>
    handler({
      method: 'POST',
      target: '/',
      headers: ['Content-Type', 'application/json'],
      raw: undefined,
      body: { read },
      onClientGone: (listener) => gone.addEventListener('gone', () => void listener()),
    })
  return { bugs, post, leave: () => gone.dispatchEvent(new Event('gone')) }
}

const json = { query: '{ hangs }' }

void t.test('a body that is cut off after the credentials were checked is not a bug', async (t) => {
  const { bugs, post, leave } = fetchLike(true)
  const asked = defer()
  const body = defer<{ readonly refused: HttpResponse }>()
  const response = post(() => {
    asked.resolve()
    return body.promise
  })
  await asked.promise
  leave()
  body.resolve({ refused: { status: 400, headers: [], body: '' } })
  t.match(await response, { status: 400 })
  t.strictSame(bugs, [])
})

for (const authenticates of [false, true]) {
  const title = `a resolver counts after its client has left, ${authenticates ? 'with' : 'without'} credentials`
  void t.test(title, async (t) => {
    const { post, leave } = fetchLike(authenticates)
    const before = held.length
    const response = post(() => Promise.resolve({ json }))
    while (held.length === before) await nextTurn()
    leave()
    t.match(await response, { status: 499 })
    t.match(await post(() => ({ json })), { status: 503, body: /OVERLOADED/ })
  })
}
