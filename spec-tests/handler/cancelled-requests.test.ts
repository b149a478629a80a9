import t from 'tap'
import { buildSchema, createEndpoint, type Body } from '../../src/index.js'
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
