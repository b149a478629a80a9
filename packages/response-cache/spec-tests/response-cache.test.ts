import {
  buildSchema,
  createHandler,
  createEndpoint,
  defineExtension,
  type Options,
} from 'graphwire'
import { testClient } from 'graphwire/testing'
import {
  addCacheHints,
  memoryStore,
  responseCache,
  type ResponseCacheOptions,
} from '@graphwire/response-cache'
import t, { type Test } from 'tap'
import { start } from './start.js'

/** Returns a function that moves the clock so many milliseconds ahead of the real one. */
function skipTime(t: Test): (ahead: number) => void {
  const { now } = Date
  t.teardown(() => (Date.now = now))
  return (ahead) => {
    Date.now = () => now() + ahead
  }
}

/** Whether the second of two equal requests is answered without execution. */
async function isHit({ shop, ask }: ReturnType<typeof start>, query: string): Promise<boolean> {
  const first = await ask(query)
  const { calls } = shop
  const second = await ask(query)
  if (!second.headers.has('age')) return false
  return shop.calls === calls && second.body === first.body
}

// oxfmt-ignore
const rows: readonly [title: string, query: string, isStored: boolean, options?: ResponseCacheOptions<unknown, string>, more?: Partial<Options<unknown, string>>][] = [
  ['a query for everyone',                      '{ products { id name } }',     true],
  ['a query for everyone, without sessions',    '{ products { id name } }',     true,  { session: () => undefined }],
  ['a private query',                           '{ me { id name } }',           true],
  ['a private query without a session',         '{ me { id name } }',           false, { session: () => undefined }],
  ['a private query with an empty session',     '{ me { id name } }',           false, { session: () => '' }],
  ['a field without a lifetime',                '{ products { id } now }',      false],
  ['what a resolver makes private',             '{ secretly }',                 false],
  ['what a resolver keeps from being stored',   '{ unstored }',                 false],
  ['a response with errors',                    '{ products { id } broken }',   false],
  ['a response with a cookie',                  '{ cookie }',                   false],
  ['what a resolver varies by `vary`',          '{ varies(by: "accept-language") }', true, { vary: ['Accept-Language', 'X-Tenant'] }],
  ['what a resolver varies by something else',  '{ varies(by: "X-Other") }',    false, { vary: ['Accept-Language'] }],
  ['introspection',                             '{ __schema { queryType { name } } }', false],
  ['a mutation',                                'mutation { rename(id: 1, name: "x") { id } }', false],
  ['a body that is too long',                   '{ products { id name } }',     false, { maxBodyLength: 20 }],
  ['a store that is too small',                 '{ products { id name } }',     false, { store: memoryStore({ maxBytes: 100 }) }],
]
for (const [title, query, isStored, options, more] of rows) {
  void t.test(`${isStored ? 'stored' : 'not stored'}: ${title}`, async (t) => {
    t.equal(await isHit(start(options, more), query), isStored)
  })
}

void t.test('a hit is the same response, with its age', async (t) => {
  const { send } = start({}, { cacheHints: true, etag: true })
  const request = { target: '/?query={products{id}}', headers: { Accept: 'application/json' } }
  const first = await send(request)
  const second = await send(request)
  t.equal(second.body, first.body)
  t.equal(second.headers.get('content-type'), first.headers.get('content-type'))
  t.equal(second.headers.get('cache-control'), 'max-age=60, public')
  t.equal(first.headers.get('age'), null)
  t.match(second.headers.get('age'), /^\d+$/)
  const etag = first.headers.get('etag') ?? ''
  const known = await send({ ...request, headers: { ...request.headers, 'If-None-Match': etag } })
  t.equal(known.status, 304)
})

// oxfmt-ignore
const others: readonly [title: string, one: object, other: object][] = [
  ['another Accept',        { headers: { Accept: 'application/json' } },  { headers: { Accept: 'application/graphql-response+json' } }],
  ['another language',      { headers: { 'Accept-Language': 'en' } },     { headers: { 'Accept-Language': 'de' } }],
  ['other variables',       { variables: { n: 1 } },                      { variables: { n: 2 } }],
  ['another operation',     { operationName: 'A' },                       { operationName: 'B' }],
]
for (const [title, one, other] of others) {
  void t.test(`a miss: ${title}`, async (t) => {
    const { shop, send } = start({ vary: ['Accept-Language'] })
    const query = 'query A($n: Int = 0) { products(n: $n) { id } } query B { products { id } }'
    const sendOne = ({ headers = {}, ...params }: { headers?: Record<string, string> }) =>
      send({ json: { query, operationName: 'A', ...params }, headers })
    await sendOne(one)
    await sendOne(one)
    t.equal(shop.calls, 1)
    await sendOne(other)
    t.equal(shop.calls, 2)
  })
}

// oxfmt-ignore
const varying: readonly [title: string, query: string, vary: string][] = [
  ['for everyone',                        '{ products { id } }',              'Accept, Accept-Language, X-Tenant'],
  ['for everyone, varied by a resolver',  '{ varies(by: "accept-language") }', 'Accept, Accept-Language, X-Tenant'],
  ['private',                             '{ me { id } }',                    'Accept, Authorization, Cookie, Accept-Language, X-Tenant'],
  ['without a lifetime',                  '{ now }',                          'Accept, Accept-Language, X-Tenant'],
]
for (const [title, query, vary] of varying) {
  void t.test(`other caches know what it depends on: a response ${title}`, async (t) => {
    const options = { vary: ['Accept-Language', 'X-Tenant'], staleWhileRevalidate: 60 }
    const { send } = start(options, { cacheHints: true, etag: true })
    const skip = skipTime(t)
    const ask = (headers = {}) => send({ target: `/?query=${query}`, headers })
    const first = await ask()
    const responses = [first, await ask()]
    if (title !== 'without a lifetime') {
      responses.push(await ask({ 'If-None-Match': first.headers.get('etag') ?? '' }))
      skip(61_000)
      responses.push(await ask())
    }
    for (const { headers } of responses) t.equal(headers.get('vary'), vary)
    t.strictSame(
      responses.map(({ status }) => status),
      [200, 200, 304, 200].slice(0, responses.length),
    )
  })
}

void t.test('no caller gets what is private to another', async (t) => {
  const { ask } = start()
  for (let round = 0; round < 2; round += 1) {
    for (const user of ['ada', 'bob', '', '","ada', 'ada"]']) {
      const { data } = (await ask('{ me { id name } }', { user })).json<{
        data: { me: { name: string } }
      }>()
      t.equal(data.me.name, user)
    }
  }
})

void t.test('what turns out to be private is not sent to others that wait for it', async (t) => {
  const { ask, shop } = start()
  const answers = ['ada', 'bob', 'eve'].map((user) => ask('{ secretlyLater }', { user }))
  await shop.waiting(1)
  shop.go()
  await shop.waiting(2)
  shop.go()
  for (const [at, user] of ['ada', 'bob', 'eve'].entries()) {
    t.strictSame((await answers[at])?.json(), { data: { secretlyLater: user } })
  }
})

const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

/** Asks twice at the same time, and returns how often the query is executed. */
async function executions({ ask, shop }: ReturnType<typeof start>, query: string): Promise<number> {
  const { calls } = shop
  const answers = [ask(query), ask(query)]
  await turns()
  const count = shop.calls - calls
  while (shop.calls === calls || (await isOpen(answers))) {
    shop.go()
    await turns()
  }
  return count
}

async function isOpen(answers: readonly Promise<unknown>[]): Promise<boolean> {
  return (await Promise.race([Promise.all(answers), turns().then(() => 'open')])) === 'open'
}

void t.test('queries whose responses are not for others do not wait for each other', async (t) => {
  const started = start()
  const { ask, shop, cache } = started
  const query = '{ secretlyLater }'
  t.equal(await executions(started, query), 1)
  t.equal(await executions(started, query), 2)
  await cache.invalidate([{ typename: 'Product' }])
  t.equal(await executions(started, query), 2, 'nor after an invalidation')
  for (let at = 0; at < 1000; at += 1) await ask(`{ a${at}: secretly }`)
  t.equal(await executions(started, query), 1, 'a thousand queries are remembered')
  t.equal(await executions(started, query), 2)
  shop.isSecret = false
  t.equal(await executions(started, query), 2)
  skipTime(t)(61_000)
  t.equal(await executions(started, query), 1, 'the last response was stored')
})

void t.test('queries that miss at the same time are executed once', async (t) => {
  const { ask, shop } = start()
  const answers = Array.from({ length: 20 }, () => ask('{ slow }'))
  await shop.waiting(1)
  shop.go()
  const bodies = (await Promise.all(answers)).map(({ body }) => body)
  t.equal(new Set(bodies).size, 1)
  t.equal(shop.calls, 1)
})

void t.test(
  'if the first of them fails, the next one is executed, and all get a response',
  async (t) => {
    let fails = 1
    const failing = start()
    const { cache, options } = failing
    const transaction = defineExtension({
      name: 'transaction',
      async around(_, proceed) {
        const response = await proceed()
        if (fails-- > 0) throw new Error('rolled back')
        return response
      },
    })
    const use = [cache.extension, transaction]
    const send = testClient(createHandler({ ...options, use }))
    const answers = Array.from({ length: 5 }, () => send({ json: { query: '{ slow }' } }))
    await failing.shop.waiting(1)
    failing.shop.go()
    await failing.shop.waiting(1)
    failing.shop.go()
    const statuses = (await Promise.all(answers)).map(({ status }) => status)
    t.strictSame(statuses, [500, 200, 200, 200, 200])
    t.equal(failing.shop.calls, 2)
  },
)

void t.test(
  'a query that does not end keeps others waiting only until its time is up',
  async (t) => {
    const { ask, shop } = start({}, { executionTimeout: 20 })
    t.equal((await ask('{ slow }')).status, 503)
    const second = ask('{ slow }')
    await shop.waiting(2)
    shop.go()
    t.equal((await second).status, 200)
  },
)

void t.test('clients that leave one after another do not keep others waiting', async (t) => {
  const { send, shop } = start()
  const ask = (signal?: AbortSignal) =>
    send({ json: { query: '{ slow }' }, ...(signal && { signal }) })
  const leaving = Array.from({ length: 3 }, () => new AbortController())
  const gone = leaving.map(({ signal }) => ask(signal))
  const staying = [ask(), ask()]
  for (const [at, client] of leaving.entries()) {
    await shop.waiting(at + 1)
    client.abort()
  }
  await Promise.all(gone)
  await shop.waiting(4)
  t.equal(shop.calls, 5, 'the others no longer wait for each other')
  shop.go()
  for (const answer of staying) t.equal((await answer).status, 200)
})

void t.test('after its lifetime a response is sent once more, while it is made anew', async (t) => {
  const { ask, shop } = start({ staleWhileRevalidate: 60 })
  const skip = skipTime(t)
  t.equal((await ask('{ products { name } }')).status, 200)
  shop.names[0] = 'Stool'
  skip(61_000)
  t.match((await ask('{ products { name } }')).body, 'Chair')
  while (shop.calls < 2) await new Promise((resolve) => setImmediate(resolve))
  t.match((await ask('{ products { name } }')).body, 'Stool')
  t.equal(shop.calls, 2)
  skip(200_000)
  t.match((await ask('{ products { name } }')).body, 'Stool')
  t.equal(shop.calls, 3, 'too old to be sent')
})

void t.test('a clock that is set back does not make a response last longer', async (t) => {
  const { ask, shop } = start()
  await ask('{ one { id } }')
  skipTime(t)(-3_600_000)
  await ask('{ one { id } }')
  t.equal(shop.calls, 2)
  await ask('{ one { id } }')
  t.equal(shop.calls, 2)
})

void t.test('ten responses are made anew at a time', async (t) => {
  const { ask, shop } = start({ staleWhileRevalidate: 60 })
  const skip = skipTime(t)
  const queries = Array.from({ length: 12 }, (_, at) => `{ later { a${at}: name } }`)
  for (const query of queries) await ask(query)
  skip(61_000)
  shop.pauses = queries.length
  for (const query of queries) t.match((await ask(query)).body, 'Chair')
  await shop.waiting(10)
  t.equal(shop.calls, 22)
  shop.go()
  // The others are, with a later request.
  while (shop.calls < 24) {
    for (const query of queries.slice(10)) await ask(query)
    await new Promise((resolve) => setImmediate(resolve))
  }
  shop.go()
})

/** The tags of a response, and how many such responses may fit into a megabyte. */
// oxfmt-ignore
const tagged: readonly [title: string, tags: (response: number) => readonly string[], most: number][] = [
  ['of its own',        (response) => Array.from({ length: 1000 }, (_, at) => `Product:${response}-${at}`),     3],
  ['shared with others', () => Array.from({ length: 1000 }, (_, at) => `Product:${at}`),                        9],
  ['that are long',     (response) => Array.from({ length: 100 }, (_, at) => `${at}`.padEnd(1000, `${response}`)), 9],
]
for (const [title, tagsOf, most] of tagged) {
  void t.test(`tags ${title} take room in the store`, async (t) => {
    const store = memoryStore({ maxBytes: 1_000_000 })
    const response = { headers: [], body: '', madeAt: 0, freshUntil: 0 }
    const keys = Array.from({ length: 20 }, (_, at) => `${at}`)
    for (const key of keys) {
      await store.save({ key, response, tags: tagsOf(Number(key)), epoch: 0, lifetime: 60_000 })
    }
    const found = await Promise.all(keys.map(async (key) => store.find(key)))
    const kept = found.filter((lookup) => lookup.response !== undefined).length
    t.ok(kept > 0 && kept <= most, `${kept} stay`)
    await store.invalidate(tagsOf(19))
    for (const key of keys) {
      await store.save({ key, response, tags: [], epoch: 1, lifetime: 60_000 })
    }
    const again = await Promise.all(keys.map(async (key) => store.find(key)))
    t.ok(
      again.every((lookup) => lookup.response !== undefined),
      'the room is given back',
    )
  })
}

void t.test('a response that is made anew for too long makes room for others', async (t) => {
  const faults: unknown[] = []
  const { ask, shop } = start(
    { staleWhileRevalidate: 60, onFault: (fault) => faults.push(fault) },
    { executionTimeout: 50 },
  )
  const skip = skipTime(t)
  const queries = Array.from({ length: 11 }, (_, at) => `{ later { a${at}: name } }`)
  for (const query of queries) await ask(query)
  skip(61_000)
  shop.pauses = 10
  for (const query of queries) await ask(query)
  await shop.waiting(10)
  while (shop.calls < 22) {
    await ask(queries[10] ?? '')
    await new Promise((resolve) => setImmediate(resolve))
  }
  shop.go()
  t.same(faults, [])
})

// oxfmt-ignore
const changes: readonly [title: string, query: string, change: (started: ReturnType<typeof start>) => Promise<unknown>, isGone: boolean][] = [
  ['a mutation that returns an object of it',     '{ products { id name } }', ({ ask }) => ask('mutation { rename(id: 1, name: "x") { id } }'),   true],
  ['a mutation that returns another object',      '{ products { id name } }', ({ ask }) => ask('mutation { rename(id: 9, name: "x") { id } }'),   false],
  ['a mutation whose id is too long to be kept',  '{ products { id name } }', ({ ask }) => ask(`mutation { rename(id: "${'x'.repeat(201)}", name: "x") { id } }`), true],
  ['a mutation, if the query has no ids',         '{ products { name } }',    ({ ask }) => ask('mutation { rename(id: 9, name: "x") { id } }'),   true],
  ['a mutation without an id',                    '{ products { id name } }', ({ ask }) => ask('mutation { rename(id: 9, name: "x") { name } }'), true],
  ['a mutation of another object than 500',       '{ many(n: 500) { id } }',  ({ ask }) => ask('mutation { rename(id: 900, name: "x") { id } }'), false],
  ['a mutation of another object than 501',       '{ many(n: 501) { id } }',  ({ ask }) => ask('mutation { rename(id: 900, name: "x") { id } }'), true],
  ['a mutation, by aliases',                      '{ all: products { key: id name } }', ({ ask }) => ask('mutation { a: rename(id: 1, name: "x") { b: id } }'), true],
  ['a mutation, by a fragment and an interface',  '{ node(id: 1) { __typename ...F } } fragment F on Node { ... on Product { id name } }', ({ ask }) => ask('mutation { rename(id: 1, name: "x") { id } }'), true],
  ['a mutation of another object, the same way',  '{ node(id: 1) { __typename ...F } } fragment F on Node { ... on Product { id name } }', ({ ask }) => ask('mutation { rename(id: 2, name: "x") { id } }'), false],
  ['a mutation of another object, in a field that is repeated', '{ products { id } products { name } }', ({ ask }) => ask('mutation { rename(id: 9, name: "x") { id } }'), false],
  ['a mutation, by an interface without a type',  '{ node(id: 1) { id } }',   ({ ask }) => ask('mutation { rename(id: 2, name: "x") { id } }'),   true],
  ['a mutation whose object has the name of a type, under the key of __typename of that type', '{ products { id name } }', ({ ask }) => ask('mutation { renameNode(id: 1, name: "User") { ... on User { id: __typename } ... on Product { id: name } } }'), true],
  ['a mutation that fails',                       '{ products { id name } }', ({ ask }) => ask('mutation { renameBadly { id } }'),                true],
  ['a mutation of another type',                  '{ products { id name } }', ({ ask }) => ask('mutation { addUser { id } }'),                    false],
  ['invalidate, the object',                      '{ products { id name } }', ({ cache }) => cache.invalidate([{ typename: 'Product', id: 1 }]),  true],
  ['invalidate, another object',                  '{ products { id name } }', ({ cache }) => cache.invalidate([{ typename: 'Product', id: 7 }]),  false],
  ['invalidate, the type',                        '{ products { id name } }', ({ cache }) => cache.invalidate([{ typename: 'Product' }]),         true],
  ['invalidate, an empty list of the type',       '{ none { id name } }',     ({ cache }) => cache.invalidate([{ typename: 'Product' }]),         true],
]
for (const [title, query, change, isGone] of changes) {
  void t.test(`${isGone ? 'gone' : 'stays'}: ${title}`, async (t) => {
    const started = start()
    t.equal(await isHit(started, query), true)
    await change(started)
    const { calls } = started.shop
    await started.ask(query)
    t.equal(started.shop.calls > calls, isGone)
  })
}

void t.test('what is invalidated while it is executed is not stored', async (t) => {
  const { ask, cache, shop } = start()
  const answer = ask('{ slow products { id } }')
  await shop.waiting(1)
  await cache.invalidate([{ typename: 'Product', id: 1 }])
  shop.go()
  await answer
  const { calls } = shop
  const again = ask('{ slow products { id } }')
  await shop.waiting(1)
  shop.go()
  await again
  t.ok(shop.calls > calls)
})

void t.test('fragments that spread each other many times are searched once', async (t) => {
  const { ask } = start({}, { maxCost: Infinity })
  const fragments = Array.from(
    { length: 24 },
    (_, at) =>
      `fragment F${at} on Product { similar { ...F${at + 1} } same: similar { ...F${at + 1} } }`,
  )
  const query = `{ one { ...F20 } } ${fragments.slice(20).join(' ')} fragment F24 on Product { id }`
  t.equal((await ask(query)).status, 200)
})

void t.test('the ones that were used least recently go first', async (t) => {
  const store = memoryStore({ maxBytes: 6000 })
  const { ask, shop } = start({ store })
  for (let at = 0; at < 20; at += 1) {
    await ask('{ products { id } }')
    await ask(`{ products { id name a${at}: name } }`)
  }
  t.equal(shop.calls, 21, 'the one that is used each time stays')
  await ask('{ products { id name a0: name } }')
  t.equal(shop.calls, 22)
})

void t.test('extensions of a result are not stored, nor the tag of its body', async (t) => {
  const { cache, options } = start()
  let count = 0
  const extension = defineExtension({
    name: 'count',
    responseExtensions: () => ({ count: (count += 1) }),
  })
  const send = testClient(
    createHandler({ ...options, etag: true, use: [cache.extension, extension] }),
  )
  const request = { target: '/?query={products{id}}' }
  const [first, second] = [await send(request), await send(request)]
  const { data } = first.json<{ data: object }>()
  t.strictSame(first.json(), { data, extensions: { count: 1 } })
  t.strictSame(second.json(), { data })
  t.ok(first.headers.has('etag'))
  t.notOk(second.headers.has('etag'))
})

void t.test('batches and sockets have entries of their own', async (t) => {
  const { send, shop, options } = start({}, { batch: {} })
  const one = { query: '{ products { id } }' }
  const batch = { json: [one, one] as never }
  const first = await send(batch)
  t.equal((await send(batch)).body, first.body)
  t.equal(shop.calls, 1)
  const alone = await send({ json: one })
  t.match(alone.headers.get('content-type'), 'json')
  t.equal(shop.calls, 2)

  const { operations } = createEndpoint(options)
  const overSocket = (): Promise<string> =>
    new Promise((resolve) => {
      let text = ''
      const next = (part: string): boolean => (text = part) !== ''
      const head = { method: 'GET', target: '/', headers: [], raw: undefined }
      const end = { complete: () => resolve(text), error: resolve }
      operations.start({ head, principal: 'guest' }, one, { next, ...end })
    })
  t.equal(await overSocket(), alone.body)
  t.equal(await overSocket(), alone.body)
  t.equal(shop.calls, 3)
})

// oxfmt-ignore
const lookups: readonly [title: string, queries: readonly string[], outcomes: readonly string[], options?: ResponseCacheOptions<unknown, string>][] = [
  ['a miss, then a hit',         ['{ one { id } }', '{ one { id } }'], ['miss', 'hit']],
  ['without a lifetime',         ['{ now }'],                          ['pass']],
  ['private, with a session',    ['{ me { id } }', '{ me { id } }'],   ['miss', 'hit']],
  ['private, without a session', ['{ me { id } }'],                    ['pass'], { session: () => undefined }],
  ['a mutation',                 ['mutation { rename(id: 1, name: "x") { id } }'], []],
  ['a store that fails',         ['{ one { id } }'],                   ['miss'], { onFault: () => {}, store: { find: () => { throw new Error('down') }, save: () => {}, invalidate: () => {} } }],
]
for (const [title, queries, expected, options] of lookups) {
  void t.test(`onLookup: ${title}`, async (t) => {
    const outcomes: string[] = []
    const { ask } = start({
      ...options,
      onLookup: (request, outcome) => outcomes.push(`${outcome} ${request.operation.operation}`),
    })
    for (const query of queries) await ask(query)
    t.strictSame(
      outcomes,
      expected.map((outcome) => `${outcome} query`),
    )
  })
}

void t.test('onLookup: a stale response, and queries that wait for another', async (t) => {
  const outcomes: string[] = []
  const onLookup = (_request: unknown, outcome: string) => outcomes.push(outcome)
  const { ask, shop } = start({ staleWhileRevalidate: 60, onLookup })
  const skip = skipTime(t)
  const answers = [ask('{ slow }'), ask('{ slow }')]
  await shop.waiting(1)
  shop.go()
  await Promise.all(answers)
  skip(61_000)
  await ask('{ slow }')
  t.strictSame(outcomes, ['miss', 'shared', 'stale'])
  await shop.waiting(1)
  shop.go()
})

const failing: readonly (() => unknown)[] = [
  () => {
    throw new Error('broken')
  },
  () => Promise.reject(new Error('broken')),
]
for (const onLookup of failing) {
  void t.test('onLookup: its error is a fault, and changes no response', async (t) => {
    const faults: unknown[] = []
    const { ask } = start({ onLookup, onFault: (fault) => faults.push(String(fault)) })
    t.equal((await ask('{ one { id } }')).status, 200)
    t.strictSame(faults, ['Error: broken'])
  })
}

void t.test('a store that fails costs nothing but the cache', async (t) => {
  const faults: unknown[] = []
  const fail = (): never => {
    throw new Error('down')
  }
  const reject = (): Promise<never> => Promise.reject(new Error('down'))
  const stores = [
    { find: fail, save: fail, invalidate: fail },
    { find: reject, save: reject, invalidate: reject },
  ]
  for (const store of stores) {
    const { ask } = start({ store, onFault: (fault) => faults.push(fault) })
    t.equal((await ask('{ products { id } }')).status, 200)
    t.equal((await ask('mutation { rename(id: 1, name: "x") { id } }')).status, 200)
  }
  t.equal(faults.length, 4)
})

void t.test('an onFault that throws does not end the process', async (t) => {
  const { warn } = console
  let warned = 0
  console.warn = () => (warned += 1)
  t.teardown(() => (console.warn = warn))
  const fail = (): Promise<never> => Promise.reject(new Error('down'))
  const onFault = (): never => {
    throw new Error('broken')
  }
  const { ask } = start({
    store: { find: () => ({ response: undefined, epoch: 0 }), save: fail, invalidate: fail },
    onFault,
  })
  t.equal((await ask('{ products { id } }')).status, 200)
  t.equal((await ask('mutation { rename(id: 1, name: "x") { id } }')).status, 200)
  t.equal(warned, 2)
})

// oxfmt-ignore
const hints: readonly [title: string, hints: object, expected: RegExp | 'public' | 'private'][] = [
  ['for everyone',                 { 'Query.user': { maxAge: 60, scope: 'PUBLIC' } },                                     'public'],
  ['private below',                { 'Query.user': { maxAge: 60, scope: 'PUBLIC' }, 'User.email': { scope: 'PRIVATE' } }, 'private'],
  ['of a type',                    { User: { maxAge: 60 } },                                                              'private'],
  ['a scope in lower case',        { 'User.email': { scope: 'private' } },     /^addCacheHints: User.email.scope: expected "PUBLIC", "PRIVATE" or undefined, got "private"/],
  ['a typo of scope',              { 'User.email': { scop: 'PRIVATE' } },      /^addCacheHints: User.email.scop is not an option. Did you mean "scope"/],
  ['a typo of maxAge',             { User: { maxage: 0 } },                    /^addCacheHints: User.maxage is not an option/],
  ['a number',                     { User: 60 },                               /^addCacheHints: User: expected an object/],
  ['of a field that is not there', { 'User.name': { maxAge: 60 } },            /^addCacheHints: the schema has no "User.name"/],
]
for (const [title, given, expected] of hints) {
  void t.test(`hints in code: ${title}`, async (t) => {
    const schema = buildSchema('type Query { user: User } type User { email: String }')
    const add = () => addCacheHints(schema, given as never)
    if (expected instanceof RegExp) {
      t.throws(add, { name: 'TypeError', message: expected })
      return
    }
    add()
    const send = testClient(createHandler({ schema, cacheHints: true }))
    const { headers } = await send({ target: '/?query={user{email}}' })
    t.equal(headers.get('cache-control'), `max-age=60, ${expected}`)
  })
}

void t.test('mistakes', async (t) => {
  t.throws(() => responseCache({ stroe: 1 } as never), /responseCache: stroe/)
  t.throws(() => memoryStore({ maxBytes: 0 }), /memoryStore/)
  const { invalidate } = responseCache()
  for (const entities of [{ typename: 'A' }, [{ type: 'A' }], [{ typename: 'A', id: null }]])
    await t.rejects(invalidate(entities as never), { name: 'TypeError', message: /^invalidate/ })
})
