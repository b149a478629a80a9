import {
  memoryCounter,
  rateLimit,
  redisCounter,
  type Count,
  type RateLimitOptions,
} from '@graphwire/rate-limit'
import { createRestHandler } from '@graphwire/rest'
import {
  buildSchema,
  createEndpoint,
  createHandler,
  executeInProcess,
  type Options,
} from 'graphwire'
import { toFetch } from 'graphwire/fetch'
import { testClient } from 'graphwire/testing'
import t from 'tap'

const schema = buildSchema('type Query { a: Int  list(first: Int): [Int] }', {
  Query: { a: () => 1, list: () => [] },
})

function optionsWith(options: Partial<RateLimitOptions> = {}, more: object = {}): Options {
  const by = ({ head }: { readonly head: { readonly headers: readonly string[] } }) =>
    head.headers[1 + head.headers.findIndex((name) => name.toLowerCase() === 'x-user')]
  return { schema, use: [rateLimit({ limit: 3, by, ...options })], ...more }
}

function start(options?: Partial<RateLimitOptions>, more?: object) {
  const send = testClient(createHandler(optionsWith(options, more)))
  return (query = '{ a }', user = 'ada') => send({ json: { query }, headers: { 'X-User': user } })
}

void t.test('beyond the limit a response is 429, and says when to retry', async (t) => {
  const ask = start()
  const seen: unknown[] = []
  for (let at = 0; at < 5; at += 1) {
    const { status, headers } = await ask()
    const [rate, seconds] = headers.get('ratelimit')?.split(';t=') ?? []
    seen.push([status, rate])
    t.equal(headers.get('retry-after') ?? undefined, status === 429 ? seconds : undefined)
    t.ok(Number(seconds) > 30 && Number(seconds) <= 60, `${seconds} seconds`)
    t.equal(headers.get('ratelimit-policy'), '"default";q=3;w=60')
  }
  t.strictSame(seen, [
    [200, '"default";r=2'],
    [200, '"default";r=1'],
    [200, '"default";r=0'],
    [429, '"default";r=0'],
    [429, '"default";r=0'],
  ])
  t.match((await ask()).json(), {
    errors: [
      {
        message: /^Rate limit exceeded: 3 in 60 seconds; retry in \d+ seconds\.$/,
        extensions: { code: 'RATE_LIMITED' },
      },
    ],
  })
  t.equal((await ask('{ a }', 'bob')).status, 200, 'another caller')
})

// oxfmt-ignore
const rows: readonly [title: string, options: Partial<RateLimitOptions>, query: string, statuses: readonly number[]][] = [
  ['operations',             {},                                  '{ a b: a c: a d: a }',     [200, 200, 200, 429]],
  ['root fields',            { points: 'rootFields' },            '{ a b: a }',               [200, 429]],
  ['the cost',               { points: 'cost', limit: 50 },       '{ list(first: 20) }',      [200, 200, 429]],
  ['points of a function',   { points: () => 3 },                 '{ a }',                    [200, 429]],
  ['a limit of a function',  { limit: () => 1 },                  '{ a }',                    [200, 429]],
  ['more than the limit',    { points: 'rootFields', limit: 1 },  '{ a b: a }',               [429]],
  ['nothing allowed',        { limit: 0 },                        '{ a }',                    [429]],
  ['not counted',            { by: () => undefined, limit: 1 },   '{ a }',                    [200, 200, 200]],
  ['another window',         { window: 900 },                       '{ a }',                    [200, 200, 200, 429]],
]
for (const [title, options, query, statuses] of rows) {
  void t.test(`counted: ${title}`, async (t) => {
    const ask = start(options)
    const found: number[] = []
    for (const _ of statuses) found.push((await ask(query)).status)
    t.strictSame(found, statuses)
  })
}

void t.test('what does not fit is not counted', async (t) => {
  const ask = start({ points: 'rootFields' })
  t.equal((await ask('{ a b: a }')).status, 200)
  t.equal((await ask('{ a b: a }')).status, 429)
  t.equal((await ask('{ a }')).status, 200)
})

// oxfmt-ignore
const addresses: readonly [address: string, forwarded: string, ofHandler: number | undefined, own: number | undefined, status: number][] = [
  ['192.0.2.1',      '',           0,         0,         429],
  ['192.0.2.2',      '',           0,         0,         200],
  ['192.0.2.2',      '192.0.2.1',  0,         0,         200],
  ['192.0.2.2',      '192.0.2.1',  0,         1,         429],
  ['192.0.2.2',      '192.0.2.1',  1,         undefined, 429],
  ['192.0.2.1',      '192.0.2.2',  1,         undefined, 200],
  ['192.0.2.1',      '192.0.2.2',  1,         0,         429],
  ['192.0.2.1',      '192.0.2.2',  undefined, undefined, 429],
  ['2001:db8::5',    '',           0,         0,         200],
]
for (const [remoteAddress, forwarded, ofHandler, own, status] of addresses) {
  void t.test(
    `a client by default: ${remoteAddress}, for ${forwarded || 'itself'}, trusted ${ofHandler}, ${own}`,
    async (t) => {
      const handler = createHandler({
        schema,
        trustedProxies: ofHandler,
        use: [rateLimit({ limit: 1, trustedProxies: own })],
      })
      const ask = async (address: string, headers: readonly string[]) =>
        handler({
          method: 'GET',
          target: '/?query={a}',
          headers,
          raw: { socket: { remoteAddress: address } },
        })
      await ask('192.0.2.1', ['X-Forwarded-For', '192.0.2.1'])
      const response = await ask(remoteAddress, ['X-Forwarded-For', forwarded])
      t.equal(response.status, status)
    },
  )
}

void t.test(
  'a host without addresses is a mistake that is reported, unless a proxy gives them',
  async (t) => {
    const bugs: unknown[] = []
    const options = { schema, onBug: (bug: unknown) => void bugs.push(bug) }
    const ask = async (trustedProxies?: number) => {
      const limit = rateLimit({ limit: 1, trustedProxies })
      const respond = toFetch(createHandler({ ...options, use: [limit] }))
      const headers = { 'X-Forwarded-For': '192.0.2.1' }
      const request = new Request('https://example.com/?query={a}', { headers })
      return [(await respond(request)).status, (await respond(request)).status]
    }
    t.strictSame(await ask(1), [200, 429])
    t.strictSame(bugs, [])
    t.strictSame(await ask(), [500, 500])
    t.match(bugs[0], { message: /gives no address/ })
    const endpoint = createEndpoint({ schema, use: [rateLimit({ limit: 1 })] })
    const raw = new Request('https://example.com/page')
    const results = [1, 2].map(() => executeInProcess(endpoint, { query: '{ a }', raw }))
    t.strictSame(await Promise.all(results), [{ data: { a: 1 } }, { data: { a: 1 } }])
  },
)

void t.test('clients whose connection is gone share a count, whatever is trusted', async (t) => {
  const gone = [{ localAddress: '127.0.0.1' }, { destroyed: true }]
  for (const trustedProxies of [undefined, 0, 1]) {
    const handler = createHandler({ schema, use: [rateLimit({ limit: 1, trustedProxies })] })
    const statuses: number[] = []
    for (const socket of gone) {
      const request = { method: 'GET', target: '/?query={a}', headers: [], raw: { socket } }
      statuses.push((await handler(request)).status)
    }
    t.strictSame(statuses, [200, 429], `trusted ${trustedProxies}`)
  }
})

void t.test('each operation of a batch and of a socket counts, and so do routes', async (t) => {
  const one = { query: '{ a }' }
  const options = optionsWith({ by: () => 'all' }, { batch: {} })
  const send = testClient(createHandler(options))
  const batch = (await send({ json: [one, one, one, one] as never })).json<readonly object[]>()
  t.match(batch, [
    { data: { a: 1 } },
    {},
    {},
    { errors: [{ extensions: { code: 'RATE_LIMITED' } }] },
  ])

  const { operations } = createEndpoint(options)
  const refused = await new Promise((resolve) => {
    const head = { method: 'GET', target: '/', headers: [], raw: undefined }
    const outlet = { next: () => true, complete: () => resolve('complete'), error: resolve }
    operations.start({ head, principal: undefined }, one, outlet)
  })
  t.match(refused, /RATE_LIMITED/)

  const routes = [{ path: '/a', method: 'GET', operation: '{ a }' }] as const
  const { status, headers } = await testClient(
    createRestHandler({ ...optionsWith({ by: () => 'all', limit: 0 }), routes }),
  )({ target: '/a' })
  t.equal(status, 429)
  t.match(headers.get('retry-after'), /^\d+$/)
})

void t.test(
  'several limits have a line each, and the first that is exceeded answers',
  async (t) => {
    const use = [
      rateLimit({ limit: 9, by: () => 'a' }),
      rateLimit({ limit: 1, policy: 'burst', window: 600, by: () => 'a' }),
    ]
    const send = testClient(createHandler({ schema, use }))
    t.match(
      (await send({ json: { query: '{ a }' } })).headers.get('ratelimit'),
      /^"default";r=8;t=\d+, "burst";r=0;t=\d+$/,
    )
    const second = await send({ json: { query: '{ a }' } })
    t.equal(second.status, 429)
    t.match(second.headers.get('retry-after'), /^\d{3}$/)
  },
)

const limited = buildSchema(
  `directive @rateLimit(limit: Int!, window: Int = 60) on FIELD_DEFINITION
  type Query { free: Int  limited: Int @rateLimit(limit: 2)  things: [Thing] }
  type Thing { limited: Int @rateLimit(limit: 2, window: 90) }
  type Mutation { send: Int @rateLimit(limit: 0) }
  type Subscription { ticks: Int @rateLimit(limit: 1) }`,
  {
    Query: { free: () => 1, limited: () => 2, things: () => [{}, {}, {}] },
    Thing: { limited: () => 3 },
    Mutation: { send: () => 4 },
    Subscription: {
      ticks: {
        async *subscribe() {
          for (let at = 0; at < 3; at += 1) yield { ticks: at }
        },
      },
    },
  },
)

const exceeded = (name: string) => ({
  message: new RegExp(
    `^Rate limit of ${name} exceeded: \\d+ in \\d+ seconds?; retry in \\d+ seconds?\\.$`,
  ),
  extensions: { code: 'RATE_LIMITED', retryAfter: Number },
})

// oxfmt-ignore
const fieldRows: readonly [title: string, query: string, data: object | null, errors: readonly object[]][] = [
  ['below the limit',       '{ free limited }',                  { free: 1, limited: 2 },            []],
  ['beyond it, by aliases', '{ free limited b: limited c: limited }',  { free: 1, limited: 2, b: 2, c: null }, [exceeded('Query.limited')]],
  ['each object of a list', '{ things { limited } }',            { things: [{ limited: 3 }, { limited: 3 }, { limited: null }] }, [exceeded('Thing.limited')]],
  ['a mutation',            'mutation { send }',              { send: null },                  [exceeded('Mutation.send')]],
]
for (const [title, query, data, errors] of fieldRows) {
  void t.test(`@rateLimit: ${title}`, async (t) => {
    const use = [rateLimit({ limit: 100, by: () => 'ada' })]
    const send = testClient(createHandler({ schema: limited, use }))
    const found = (await send({ json: { query } })).json<{ data: unknown; errors?: unknown }>()
    t.strictSame(found.data, data)
    t.match(found.errors ?? [], errors)
  })
}

// oxfmt-ignore
const unusable: readonly [args: string, use: string, problem: RegExp][] = [
  ['max: Int, window: String',  '@rateLimit(max: 5, window: "10s")',    /^@rateLimit of Query\.a: limit: expected .*, got undefined\.$/],
  ['limit: Int!, window: String', '@rateLimit(limit: 5, window: "10s")', /^@rateLimit of Query\.a: window: expected .*, got "10s"\.$/],
  ['limit: Int!, window: Int',  '@rateLimit(limit: 5, window: 0)',      /window: expected .*, got 0\.$/],
]
for (const [args, use, problem] of unusable) {
  void t.test(`an error at the start: ${use}`, async (t) => {
    const sdl = `directive @rateLimit(${args}) on FIELD_DEFINITION type Query { a: Int ${use} }`
    const options = { schema: buildSchema(sdl), use: [rateLimit({ limit: 9 })] }
    t.throws(() => createHandler(options), { name: 'TypeError', message: problem })
  })
}

// oxfmt-ignore
const unheld: readonly [what: string, fields: string, problem: RegExp][] = [
  ['two limits',                        'type Query { a: Int @rateLimit(limit: 9) @rateLimit(limit: 1) }',                  /^@rateLimit of a: expected only one\.$/],
  ['a subscription without subscribe',  'type Query { a: Int } type Subscription { b: Int @rateLimit(limit: 1) }',          /^@rateLimit of Subscription\.b would count each event/],
]
for (const [what, fields, message] of unheld) {
  void t.test(`an error at the start: ${what}`, async (t) => {
    const sdl = `directive @rateLimit(limit: Int!) repeatable on FIELD_DEFINITION ${fields}`
    const options = { schema: buildSchema(sdl), use: [rateLimit({ limit: 9 })] }
    t.throws(() => createHandler(options), { name: 'TypeError', message })
  })
}

for (const [own, problem] of [
  ['', { name: 'TypeError', message: '@rateLimit of Node.a limits nothing: put it on T.a.' }],
  ['@rateLimit(limit: 2)', undefined],
] as const) {
  void t.test(`@rateLimit of an interface, and of its type: ${own || 'none'}`, async (t) => {
    const sdl = `directive @rateLimit(limit: Int!) on FIELD_DEFINITION type Query { node: Node }
      interface Node { a: Int @rateLimit(limit: 1) } type T implements Node { a: Int ${own} }`
    const make = () => createHandler({ schema: buildSchema(sdl), use: [rateLimit({ limit: 9 })] })
    if (problem === undefined) t.doesNotThrow(make)
    else t.throws(make, problem)
  })
}

// oxfmt-ignore
const definitions: readonly [args: string, use: string, limit: number, window: number][] = [
  ['limit: Int!, window: Int = 3600',      '@rateLimit(limit: 1)',                 1, 3600],
  ['limit: Int! = 2, window: Int = 60',    '@rateLimit',                           2, 60],
  ['limit: Int! = 2, window: Int = 3600',  '@rateLimit(window: 7, limit: 1)',      1, 7],
  ['limit: Int!, window: Int = 3600',      '@rateLimit(limit: 1, window: null)',   1, 60],
  ['limit: Int!, window: Int',             '@rateLimit(limit: 1)',                 1, 60],
]
for (const [args, directive, limit, window] of definitions) {
  void t.test(`@rateLimit(${args}), used as ${directive}`, async (t) => {
    const sdl = `directive @rateLimit(${args}) on FIELD_DEFINITION type Query { a: Int ${directive} }`
    const use = [rateLimit({ limit: 100, by: () => 'ada' })]
    const send = testClient(createHandler({ schema: buildSchema(sdl), use }))
    const ask = () => send({ json: { query: '{ a }' } })
    for (let at = 0; at < limit; at += 1) t.strictSame((await ask()).json(), { data: { a: null } })
    const message = new RegExp(`^Rate limit of Query.a exceeded: ${limit} in ${window} seconds; `)
    t.match((await ask()).json(), { errors: [{ message }] })
  })
}

for (const counter of [undefined, memoryCounter()]) {
  void t.test(
    `@rateLimit: several limits ${counter ? 'with one counter' : ''} count once each`,
    async (t) => {
      const shared = { limit: 100, counter, by: () => 'ada' }
      const use = [
        rateLimit({ ...shared, policy: 'burst' }),
        rateLimit({ ...shared, policy: 'day' }),
      ]
      const send = testClient(createHandler({ schema: limited, use }))
      const ask = () => send({ json: { query: '{ limited }' } })
      for (const _ of [1, 2]) t.strictSame((await ask()).json(), { data: { limited: 2 } })
      t.match((await ask()).json(), { errors: [exceeded('Query.limited')] })
    },
  )
}

// oxfmt-ignore
const returned: readonly [options: Partial<RateLimitOptions>, query: string, problem: string | undefined][] = [
  [{ by: () => null as never },                                 '{ free }',    'by: expected a string or undefined, got null.'],
  [{ by: () => Promise.resolve('a') as never },                 '{ free }',    'by: expected a string or undefined, got a Promise.'],
  [{ by: () => Promise.reject(new Error('a')) as never },       '{ free }',    'by: expected a string or undefined, got a Promise.'],
  [{ byContext: () => 5 as never },                             '{ limited }', 'byContext: expected a string or undefined, got 5.'],
  [{ byContext: () => Promise.resolve('a') as never },          '{ limited }', 'byContext: expected a string or undefined, got a Promise.'],
  [{ limit: () => NaN },                                        '{ free }',    'limit: expected a whole number of at least 0, got NaN.'],
  [{ limit: () => undefined as never },                         '{ free }',    'limit: expected a whole number of at least 0, got undefined.'],
  [{ limit: () => Promise.resolve(3) as never },                '{ free }',    'limit: expected a whole number of at least 0, got a Promise.'],
  [{ points: () => Promise.resolve(3) as never },               '{ free }',    'points: expected a whole number of at least 0, got a Promise.'],
  [{ by: () => undefined },                                     '{ free }',    undefined],
  [{ byContext: () => undefined },                              '{ limited }', undefined],
  [{ points: () => 0.5 },                                       '{ free }',    'points: expected a whole number of at least 0, got 0.5.'],
  [{ points: () => -1 },                                        '{ free }',    'points: expected a whole number of at least 0, got -1.'],
  [{ limit: () => 5, points: () => 0 },                         '{ free }',    undefined],
]
for (const [options, query, problem] of returned) {
  void t.test(`what a function of the options returns: ${problem ?? query}`, async (t) => {
    const bugs: unknown[] = []
    const use = [rateLimit({ limit: 100, by: () => 'ada', ...options })]
    const onBug = (bug: unknown): void => void bugs.push((bug as Error).message)
    const context = () => ({})
    const send = testClient(createHandler({ schema: limited, use, context, onBug }))
    const { errors } = (await send({ json: { query } })).json<{ errors?: unknown }>()
    t.match(errors ?? [], problem === undefined ? [] : [{ message: 'Internal server error' }])
    t.strictSame(bugs, problem === undefined ? [] : [`rateLimit: ${problem}`])
  })
}

void t.test('@rateLimit: a subscription counts once, not each event', async (t) => {
  const use = [rateLimit({ limit: 100, by: () => 'ada' })]
  const send = testClient(createHandler({ schema: limited, use }))
  const subscribe = async (): Promise<unknown[]> => {
    const json = { query: 'subscription { ticks }' }
    const response = await send({ json, headers: { Accept: 'text/event-stream' } })
    const results: unknown[] = []
    for await (const result of response.results()) results.push(result)
    return results
  }
  t.strictSame(
    await subscribe(),
    [0, 1, 2].map((ticks) => ({ data: { ticks } })),
  )
  t.match(await subscribe(), [{ errors: [exceeded('Subscription.ticks')] }])
})

void t.test(
  '@rateLimit: with a context value of your own, byContext says whose limit it is',
  async (t) => {
    const context = () => ({ user: 'ada' })
    const bugs: unknown[] = []
    const ask = async (options: Partial<RateLimitOptions>): Promise<unknown> => {
      const use = [rateLimit({ limit: 100, by: () => 'ada', ...options })]
      const onBug = (bug: unknown): void => void bugs.push(bug)
      const send = testClient(createHandler({ schema: limited, use, context, onBug }))
      return (await send({ json: { query: 'mutation { send }' } })).json()
    }
    const byContext = (value: unknown): string => (value as { readonly user: string }).user
    t.match(await ask({ byContext }), { errors: [exceeded('Mutation.send')] })
    t.match(await ask({ byContext: () => undefined }), { data: { send: 4 } })
    t.match(await ask({}), { errors: [{ message: 'Internal server error' }] })
    t.match(bugs, [{ message: /needs byContext/ }])
  },
)

void t.test('in memory: windows end, and the oldest go first', async (t) => {
  const { now } = performance
  let later = 0
  performance.now = () => now.call(performance) + later
  t.teardown(() => (performance.now = now))
  const counter = memoryCounter({ maxIdentities: 2 })
  const take = (identity: string, points = 1): Count =>
    counter.take({ policy: 'p', identity, limit: 2, window: 10 }, points) as Count
  take('a')
  later = 5000
  t.match(take('a'), { isAllowed: true, remaining: 0, reset: 5 })
  t.match(take('a'), { isAllowed: false, remaining: 0, reset: 5 })
  later = 10_001
  t.match(take('a'), { isAllowed: true, remaining: 1, reset: 10 })
  t.match(take('a', 3), { isAllowed: false, remaining: 1 })
  take('b')
  take('c')
  t.match(take('a'), { remaining: 1 }, 'forgotten for c')
  t.match(take('c'), { remaining: 0 })
  const ofHour = (): Count =>
    counter.take({ policy: 'q', identity: 'a', limit: 1, window: 3600 }, 1) as Count
  t.ok(ofHour().isAllowed)
  for (const name of ['d', 'e', 'f']) take(name)
  t.notOk(ofHour().isAllowed, 'short windows of others end no long one')
})

void t.test('mistakes', async (t) => {
  t.throws(() => rateLimit({} as never), /limit/)
  t.throws(() => rateLimit({ limit: -1 }), /limit/)
  t.throws(() => rateLimit({ limit: 1, points: 'fields' as never }), /points/)
  t.throws(() => rateLimit({ limit: 1, policy: 'a"b' }), /policy/)
})

const asked = { policy: 'p', identity: 'a', limit: 1, window: 60 }
const redis = redisCounter({ command: async () => [1, 1, 60_000] })
for (const [what, given, points] of [
  ['no window', { window: undefined as never }, 1],
  ['a window of 0 s', { window: 0 }, 1],
  ['a limit that is not a number', { limit: Number.NaN }, 1],
  ['negative points', {}, -1],
] as const) {
  void t.test(`counters refuse ${what}`, async (t) => {
    const refused = { name: 'TypeError', message: /^take: expected a window above 0/ }
    t.throws(() => memoryCounter().take({ ...asked, ...given }, points), refused)
    await t.rejects(async () => redis.take({ ...asked, ...given }, points), refused)
  })
}

void t.test('without Redis, this process counts, even if onFault throws', async (t) => {
  const { warn } = console
  let warned = 0
  console.warn = () => (warned += 1)
  t.teardown(() => (console.warn = warn))
  const fail = (): never => {
    throw new Error('down')
  }
  const counter = redisCounter({ command: fail, onFault: fail })
  t.match(await counter.take(asked, 1), { isAllowed: true })
  t.match(await counter.take(asked, 1), { isAllowed: false })
  t.equal(warned, 2)
})

void t.test(
  'a Redis that is silent gets one PING until it answers, and no other command',
  async (t) => {
    const sent: string[] = []
    let answer = (): void => {}
    const command = (name: string): Promise<unknown> => {
      sent.push(name)
      if (name === 'PING') return new Promise<void>((done) => (answer = done))
      return sent.length > 2 ? Promise.resolve([3, 1, 60_000]) : new Promise(() => {})
    }
    const counter = redisCounter({ command, timeout: 20, onFault() {} })
    const quota = { policy: 'p', identity: 'ada', limit: 9, window: 60 }
    for (const remaining of [8, 7])
      t.match(await counter.take(quota, 1), { remaining }, 'by itself')
    t.strictSame(sent, ['EVAL', 'PING'])
    answer()
    await new Promise((resolve) => setImmediate(resolve))
    t.match(await counter.take(quota, 1), { remaining: 6 }, 'what Redis counts')
    t.strictSame(sent, ['EVAL', 'PING', 'EVAL'])
  },
)

void t.test('what is kept of an identity is short, and of each another', async (t) => {
  const counter = memoryCounter()
  const megabyte = 'x'.repeat(1_000_000)
  const before = process.memoryUsage().heapUsed
  for (let at = 0; at < 200; at += 1) {
    const taken = counter.take(
      { policy: 'p', identity: `${at}${megabyte}`, limit: 1, window: 60 },
      1,
    )
    t.match(taken, { isAllowed: true })
  }
  t.ok(process.memoryUsage().heapUsed - before < 100_000_000)
  const again = counter.take({ policy: 'p', identity: `7${megabyte}`, limit: 1, window: 60 }, 1)
  t.match(again, { isAllowed: false })
})
