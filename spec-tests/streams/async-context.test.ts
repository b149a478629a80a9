import { AsyncLocalStorage } from 'node:async_hooks'
import t from 'tap'
import { createEndpoint, type Endpoint, type Options } from '../../src/index.js'
import { buildSchema } from '../../src/options/define-options.js'
import { readStream } from './stream-test.js'

/* Middleware puts the user into an AsyncLocalStorage. Resolvers of events see the subscriber, not a publisher or another one. */

const users = new AsyncLocalStorage<string>()

/** The resolver of each event says who the user is. */
function endpointOf(
  subscribe: () => AsyncIterable<unknown>,
  options: Partial<Options> = {},
): Endpoint {
  const schema = buildSchema('type Query { a: Int } type Subscription { user: String }', {
    Subscription: { user: { subscribe, resolve: () => users.getStore() } },
  })
  return createEndpoint({ schema, ...options })
}

function readAs(user: string, endpoint: Endpoint): Promise<string> {
  const json = { query: 'subscription { user }' }
  return users.run(user, async () => readStream(endpoint, { json }))
}

void t.test('streams that take turns', async (t) => {
  async function* events(): AsyncGenerator<number> {
    for (let n = 0; n < 60; n += 1) yield n
  }
  const endpoint = endpointOf(events)
  const names = ['ada', 'bob', 'eve']
  const texts = await Promise.all(names.map((name) => readAs(name, endpoint)))
  for (const [at, text] of texts.entries()) {
    t.equal(text.split(`"user":"${names[at]}"`).length, 61, text.slice(-200))
  }
})

void t.test('an event that another user publishes', async (t) => {
  const events: IteratorResult<unknown>[] = []
  let publish = (): void => undefined
  let waits = (): void => undefined
  const waiting = new Promise<void>((resolve) => (waits = resolve))
  const source = {
    [Symbol.asyncIterator]: () => source,
    next: () => Promise.reject(new Error('it is polled')),
    onReady: (listener: () => void) => void (publish = listener),
    poll() {
      waits()
      return events.shift()
    },
  }
  const text = readAs(
    'ada',
    endpointOf(() => source),
  )
  await waiting
  events.push({ done: false, value: 1 }, { done: true, value: undefined })
  users.run('bob', () => publish())
  t.match(await text, '{"data":{"user":"ada"}}')
})

void t.test('a stream that is too long', async (t) => {
  const seen: (string | undefined)[] = []
  async function* events(_: unknown, __: unknown, { signal }: { readonly signal: AbortSignal }) {
    signal.addEventListener('abort', () => seen.push(users.getStore()))
    yield await new Promise(() => undefined)
  }
  const endpoint = endpointOf(events as never, { maxStreamDuration: 1000 })
  await Promise.all(['ada', 'bob'].map((name) => readAs(name, endpoint)))
  t.strictSame(seen, [undefined, undefined], 'the clock has no user')
})

void t.test('a recheck of the credentials', async (t) => {
  const seen: (string | undefined)[] = []
  const recheck = (): boolean => {
    seen.push(users.getStore())
    return false
  }
  async function* events(): AsyncGenerator<number> {
    yield await new Promise(() => undefined)
  }
  const endpoint = endpointOf(events, { recheck, recheckInterval: 1000 })
  await Promise.all(['ada', 'bob'].map((name) => readAs(name, endpoint)))
  t.same(new Set(seen), new Set(['ada', 'bob']))
})
