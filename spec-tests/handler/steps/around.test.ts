import { setTimeout } from 'node:timers/promises'
import t from 'tap'
import { testClient, type TestRequest } from '../../../src/hosts/testing.js'
import { createRestHandler } from '@graphwire/rest'
import {
  buildSchema,
  createHandler,
  defineExtension,
  type HttpResponse,
  type Options,
} from '../../../src/index.js'
import { majors } from '../../graphql/majors.js'
import { defer } from '../../base/defer.js'
import { createQueue } from '../../base/queue.js'
import { sourceOf } from '../../streams/stream-test.js'
import { clientOf } from '../client-of.js'
import { overSocket } from '../over-socket.js'
import { slowField } from '../slow-field.js'

const { stringify } = JSON

const schema = buildSchema<string>(
  'type Query { a: String late: String fails: String } type Mutation { m: String }',
  {
    Query: {
      a: (_, _args, context) => `a ${context}`,
      fails: async () => Promise.reject(new Error('fails')),
      late: async (_, _args, context) => `late ${context}`,
    },
    Mutation: { m: () => 'm' },
  },
)

type Around = NonNullable<Options['around']>
type Proceed = Parameters<Around>[1]

/** An `around` that shows what proceed gives, and returns it. */
const noting =
  (note: (response: Awaited<ReturnType<Proceed>>) => unknown): Around =>
  async (_, proceed) => {
    const response = await proceed()
    note(response)
    return response
  }

async function ask(around: Around, request: TestRequest = {}, options: Partial<Options> = {}) {
  const calls: string[] = []
  const bugs: unknown[] = []
  const shared = {
    schema,
    onBug: (bug: unknown) => bugs.push(bug),
    admit(one) {
      calls.push('admit')
      one.responseHeaders.set('X-Admitted', 'yes')
      return undefined
    },
    around: (one, proceed) => (calls.push('around'), around(one, proceed)),
    context: () => (calls.push('context'), 'seen'),
    ...options,
  } satisfies Options
  const handler = createHandler({ ...shared, cors: { origins: '*' } })
  const json = { query: '{ late }' }
  const response = await testClient(handler)({ json, ...request })
  const routes = [{ method: 'GET', path: '/late', operation: '{ late }' }] as const
  const own = await testClient(createRestHandler({ ...shared, routes }))({ target: '/late' })
  return { response, own, calls, bugs }
}

const keptHeaders = ['Content-Type', 'text/plain', 'X-Kept', '1']
const kept: HttpResponse = { status: 202, headers: keptHeaders, body: 'kept' }
const busy = { kind: 'denied', status: 409, code: 'BUSY', message: 'Busy.' } as const

void t.test('around gets the response, and decides what is sent', async (t) => {
  const seen: HttpResponse[] = []
  const { response, own, calls, bugs } = await ask(async (_, proceed) => {
    const made = await proceed()
    seen.push(made)
    return { ...made, headers: [...made.headers, 'X-Seen', 'yes'] }
  })
  t.strictSame(bugs, [])
  const once = ['admit', 'around', 'context']
  t.strictSame(calls, [...once, ...once])
  t.strictSame([response.json(), own.json()], [{ data: { late: 'late seen' } }, 'late seen'])
  for (const one of [response, own]) {
    t.equal(one.headers.get('x-seen'), 'yes')
    t.equal(one.headers.get('x-admitted'), 'yes')
  }
  t.equal(response.headers.get('access-control-allow-origin'), '*')
  t.notMatch(stringify(seen), /admitted|access-control/i, 'headers of others come later')
})

void t.test('around may leave the execution out', async (t) => {
  const { response, own, calls } = await ask(() => kept)
  t.notOk(calls.includes('context'))
  for (const one of [response, own]) {
    t.equal(one.status, 202)
    t.equal(one.body, 'kept')
    t.equal(one.headers.get('x-kept'), '1')
    t.equal(one.headers.get('x-admitted'), 'yes')
  }
  t.equal(response.headers.get('access-control-allow-origin'), '*')
})

// oxfmt-ignore
const bodies: readonly [title: string, around: Around, hasData: boolean | undefined][] = [
  ['that of proceed()',         (_, proceed) => proceed(),                             true],
  ['that with another header',  async (_, proceed) => ({ ...(await proceed()), headers: [] }), true],
  ['its own',                   () => kept,                                            undefined],
  ['its own, after proceed()',  async (_, proceed) => ({ ...(await proceed()), body: '1' }), undefined],
  ['none: it denies',           () => ({ kind: 'forbidden' }),                         false],
]
for (const [title, around, hasData] of bodies) {
  void t.test(`hasData is ${hasData} for the body ${title}`, async (t) => {
    const seen: unknown[] = []
    await ask(around, {}, { onResult: (_, result) => void seen.push(result.hasData) })
    t.strictSame(seen, [hasData, hasData])
  })
}

void t.test('around may deny the request, before and after the execution', async (t) => {
  const late: Around = async (_, proceed) => (await proceed(), busy)
  for (const around of [() => busy, late]) {
    const { response, own } = await ask(around)
    t.strictSame([response.status, own.status], [409, 409])
    t.match(response.json(), { errors: [{ message: 'Busy.', extensions: { code: 'BUSY' } }] })
    t.match(own.json(), { status: 409, code: 'BUSY', detail: 'Busy.' })
  }
})

void t.test('what is refused during the execution is a response to around, too', async (t) => {
  const statuses: number[] = []
  const around = noting(({ status }) => statuses.push(status))
  const json = { query: 'query ($x: Boolean!) { a @skip(if: $x) }', variables: {} }
  const { response } = await ask(around, { json })
  t.equal(response.status, 422)
  t.strictSame(statuses, [422, 200])
})

void t.test('proceed returns no promise if nothing waits', async (t) => {
  const isPromise: boolean[] = []
  const around: Around = (_, proceed) => {
    const made = proceed()
    isPromise.push(made instanceof Promise)
    return made
  }
  await ask(around, { json: { query: '{ a }' } })
  t.strictSame(isPromise, [false, true])
})

void t.test('what proceeds late takes turns, one client after the other', async (t) => {
  const { calls, resolve: a } = slowField(11)
  const slow = buildSchema('type Query { a: String }', { Query: { a } })
  const together = setTimeout(20)
  const around: Options['around'] = async (_, proceed) => {
    await together
    return proceed()
  }
  const order: string[] = []
  const send = testClient(createHandler({ schema: slow, around }))
  const askFrom = async (remoteAddress: string) => {
    await send({ raw: { socket: { remoteAddress } }, json: { query: '{ a }' } })
    order.push(remoteAddress)
  }
  const addresses = [...Array.from({ length: 9 }, () => '192.0.2.1'), '192.0.2.2']
  await Promise.all(addresses.map(askFrom))
  t.ok(calls.most <= 2, `${calls.most} in a turn`)
  t.ok(order.indexOf('192.0.2.2') < 5, order.join())
})

// oxfmt-ignore
const proceeding: readonly [title: string, order: readonly ('late' | 'outer' | 'committing')[], outcome: string][] = [
  ['refused where a hook around it has ended', ['outer', 'late'], 'Error: around: proceed was called after the response'],
  ['refused where a hook around it ends',      ['committing', 'late'], 'Error: around: proceed was called after the response'],
  ['run where none is around it',              ['late', 'outer'], 'a'],
]
for (const [title, order, outcome] of proceeding) {
  void t.test(`what proceeds after its response is ${title}`, async (t) => {
    const ended = defer<string>()
    const extensions = {
      outer: defineExtension({ name: 'outer', around: async (_, proceed) => proceed() }),
      committing: defineExtension({
        name: 'committing',
        async around(_, proceed) {
          const response = await proceed()
          await ended.promise
          return response
        },
      }),
      late: defineExtension({
        name: 'late',
        around(_, proceed) {
          const go = async () => (await proceed()).body
          const tell = (told: unknown): void => ended.resolve(String(told))
          setImmediate(() => void go().then(tell, tell))
          return { status: 200, headers: [], body: '{"data":{}}' }
        },
      }),
    }
    const use = order.map((name) => extensions[name])
    const { body } = await clientOf({ schema, use, context: () => '' }).ask('{ a }')
    t.equal(body, '{"data":{}}')
    t.match(await ended.promise, outcome)
  })
}

void t.test('proceed may fail while around waits for something else', async (t) => {
  const context = async (): Promise<never> => Promise.reject(new Error('no context'))
  const unhandled: unknown[] = []
  const note = (bug: unknown): void => void unhandled.push(bug)
  process.on('unhandledRejection', note)
  t.teardown(() => process.off('unhandledRejection', note))
  const late: Around = async (_, proceed) => {
    const running = proceed()
    await setTimeout(10)
    return running
  }
  t.equal((await ask(late, {}, { context })).response.status, 500)
  const never: Around = (_, proceed) => (void proceed(), kept)
  t.equal((await ask(never, {}, { context })).response.status, 202)
  await setTimeout(10)
  t.same(unhandled, [])
})

void t.test('a time limit ends proceed, and what around does then is not sent', async (t) => {
  const late = defer<string>()
  const slow = buildSchema('type Query { late: String }', { Query: { late: () => late.promise } })
  const reached: string[] = []
  const around: Around = async (_, proceed) => {
    try {
      await proceed()
      reached.push('a response')
    } catch {
      reached.push('an error')
    }
    return kept
  }
  const { ask: send, bugs } = clientOf({ schema: slow, around, executionTimeout: 5 })
  const response = await send('{ late }')
  late.resolve('done')
  await new Promise(setImmediate)
  t.equal(response.status, 503)
  t.strictSame(reached, ['an error'])
  t.strictSame(bugs, [])
})

// oxfmt-ignore
const mistakes: readonly [title: string, around: (proceed: () => unknown) => unknown, message: string][] = [
  ['nothing',             () => undefined,             "around: expected a response or a denial such as { kind: 'forbidden' }, got undefined."],
  ['a status',            () => 429,                   "around: expected a response or a denial such as { kind: 'rate-limited', retryAfter: 60 }, got 429."],
  ['half a response',     () => ({ status: 200 }),     'around: expected a response with status, headers and body, such as that of proceed(), got an object.'],
  ['an object as a body', () => ({ ...kept, body: { data: null } }), 'around: expected a response with status, headers and body, such as that of proceed(), got an object.'],
  ['a status of HTTP itself', () => ({ ...kept, status: 101 }), 'around: expected a status from 200 to 599 other than 205, got 101.'],
  ['a status beyond those of HTTP', () => ({ ...kept, status: 600 }), 'around: expected a status from 200 to 599 other than 205, got 600.'],
  ['a status without content',      () => ({ ...kept, status: 205 }), 'around: expected a status from 200 to 599 other than 205, got 205.'],
  ['a length',            () => ({ ...kept, headers: ['Content-Length', '4'] }), 'The header Content-Length is managed by graphwire and cannot be set.'],
  ['a framing',           () => ({ ...kept, headers: ['transfer-encoding', 'chunked'] }), 'The header transfer-encoding is managed by graphwire and cannot be set.'],
  ['half a header',       () => ({ ...kept, headers: ['X-Kept'] }), 'The value of the header X-Kept must be a string, not undefined.'],
  ['a control character', () => ({ ...kept, headers: ['X-Kept', 'a\nb'] }), 'The value of the header X-Kept contains a character that HTTP does not allow.'],
  ['an unknown denial',   () => ({ kind: 'no' }),      'around: expected a denial of the kind "unauthenticated", "forbidden", "rate-limited", "unavailable", "denied", got "no".'],
  ['headers that are changed in place', async (proceed) => { const made = await proceed() as { headers: string[] }; made.headers.length = 0; return made }, "Cannot assign to read only property 'length' of object '[object Array]'"],
  ['proceeding twice',    async (proceed) => { await proceed(); return proceed() }, 'around: proceed can be called only once.'],
]
for (const [title, around, message] of mistakes) {
  void t.test(`a mistake of around is a masked 500: ${title}`, async (t) => {
    const { response, own, bugs } = await ask((_, proceed) => around(proceed) as never)
    t.strictSame([response.status, own.status], [500, 500])
    t.strictSame(bugs.map(String), [`TypeError: ${message}`, `TypeError: ${message}`])
  })
}

const events = buildSchema<string>('type Query { a: Int } type Subscription { n: Int }', {
  Subscription: { n: { subscribe: () => sourceOf({ n: 1 }) } },
})

const playOverSocket = (query: string, options: Partial<Options>): Promise<readonly string[]> =>
  overSocket({ schema, ...options }, { query })

// oxfmt-ignore
const overSockets: readonly [title: string, around: Around, query: string, log: readonly (string | RegExp)[], seen: string][] = [
  ['a result',            (_, proceed) => proceed(),                     'mutation { m }', ['{"data":{"m":"m"}}', 'complete'], '200 {"data":{"m":"m"}}'],
  ['one that waits',      async (_, proceed) => proceed(),               '{ late }', [/"late late/, 'complete'], '200 {"data":{"late":"late'],
  ['one with errors',     (_, proceed) => proceed(),                     '{ a fails }', [/^\{"errors".*"data"/, 'complete'], '294 {"errors":'],
  ['a request error',     (_, proceed) => proceed(),                     'query ($x: Boolean!) { a @skip(if: $x) }', [/^error \[\{"message"/], '422 {"errors":[{"message"'],
  ['a denial',            () => busy,                                    '{ a }', [/^error \[\{"message":"Busy\./], ''],
  ['a denial afterwards', async (_, proceed) => (await proceed(), busy), '{ late }', [/^error \[\{"message":"Busy\./], '200 {"data"'],
  ['a stored response',   () => ({ ...kept, body: '{"data":{}}' }),      '{ a }', ['{"data":{}}', 'complete'], ''],
  ['one that is no JSON', () => kept,                                    '{ a }', [/^error \[\{"message":"Internal/], ''],
]
for (const [title, around, query, log, seen] of overSockets) {
  void t.test(`around runs for operations over sockets: ${title}`, async (t) => {
    let shown = ''
    let reported = 0
    const got = await playOverSocket(query, {
      onBug: () => undefined,
      onResult: (_, result) => void (reported = result.status),
      context: () => 'late',
      around: (request, proceed) =>
        around(request, () => {
          const made = proceed()
          const look = ({ status, body }: HttpResponse): void =>
            void (shown = `${status} ${typeof body === 'string' ? body : ''}`)
          if (made instanceof Promise) void made.then(look, () => undefined)
          else look(made)
          return made
        }),
    })
    t.match(got, log)
    t.equal(got.length, log.length)
    t.ok(shown.startsWith(seen) && (seen !== '' || shown === ''), shown)
    if (!title.startsWith('a denial')) t.ok(shown.startsWith(String(reported)) || shown === '')
  })
}

void t.test('around gets a stream over a socket, too', async (t) => {
  const streams: Around = async (_, proceed) => ({ ...(await proceed()), headers: [] })
  const played = await playOverSocket('subscription { n }', { schema: events, around: streams })
  t.strictSame(played, ['{"data":{"n":1}}', 'complete'])
  const discards: Around = async (_, proceed) => {
    const { body } = await proceed()
    if (typeof body === 'object' && 'discard' in body) body.discard()
    return busy
  }
  const refused = await playOverSocket('subscription { n }', { schema: events, around: discards })
  t.match(refused, [/Busy/])
})

void t.test('a stream that begins after the response is given up', async (t) => {
  let isReturned = false
  const source = {
    next: async () => new Promise(() => {}),
    return: async () => ((isReturned = true), { done: true, value: undefined }),
    [Symbol.asyncIterator]: () => source,
  }
  const endless = buildSchema('type Query { a: Int } type Subscription { n: Int }', {
    Subscription: { n: { subscribe: () => source as never } },
  })
  const begun = defer<unknown>()
  const around: Around = (_, proceed) => {
    setTimeout(1).then(proceed).then(begun.resolve, begun.reject)
    return kept
  }
  const send = testClient(createHandler({ schema: endless, around }))
  const json = { query: 'subscription { n }' }
  await send({ json, headers: { Accept: 'text/event-stream' } })
  await begun.promise
  await setTimeout(1)
  t.ok(isReturned)
})

for (const body of [undefined, '{"data":{}}']) {
  void t.test(`onResult sees the status of around, with ${body ?? 'the same body'}`, async (t) => {
    const statuses: number[] = []
    const around: Around = async (_, proceed) => {
      const made = await proceed()
      return { ...made, status: 503, body: body ?? made.body }
    }
    const onResult: Options['onResult'] = (_, { status }) => void statuses.push(status)
    const options = { schema, around, batch: {}, onResult }
    const { send } = clientOf(options)
    await send({ json: { query: '{ a }' } })
    await send({ json: [{ query: '{ a }' }] })
    await playOverSocket('{ a }', options)
    t.strictSame(statuses, [503, 503, 503])
  })
}

void t.test('around runs for each operation of a batch', async (t) => {
  const names: (string | undefined)[] = []
  const around: Around = (request, proceed) => {
    const name = request.operation.name?.value
    names.push(name)
    return name === 'busy' ? busy : proceed()
  }
  const { send } = clientOf({ schema, around, batch: {}, context: () => 'seen' })
  const json = [{ query: 'query one { a }' }, { query: 'query busy { a }' }, { query: '{ late }' }]
  const response = await send({ json })
  t.strictSame(names, ['one', 'busy', undefined])
  t.match(response.json(), [
    { data: { a: 'a seen' } },
    { errors: [{ extensions: { code: 'BUSY' } }] },
    { data: { late: 'late seen' } },
  ])
})

// oxfmt-ignore
const ownBodies: readonly (readonly [body: string, lines: RegExp])[] = [
  ['{"data":{"a":1}}',                   /^\{"requestIndex":0,"data":\{"a":1\}\}\n$/],
  ['\n {\r\n  "data": { "a": 1 }\n}\n', /^\{"requestIndex":0,[^\n\r]*"data": \{ "a": 1 \}[^\n\r]*\}\n$/],
  ['{}',                                 /INTERNAL_SERVER_ERROR/],
  ['null',                               /INTERNAL_SERVER_ERROR/],
  ['[1]',                                /INTERNAL_SERVER_ERROR/],
  ['{',                                  /INTERNAL_SERVER_ERROR/],
]
for (const [body, lines] of ownBodies) {
  void t.test(`a body of around in a batch: ${JSON.stringify(body)}`, async (t) => {
    const around: Around = () => ({ status: 200, headers: [], body })
    const { send } = clientOf({ schema, around, batch: {} })
    const headers = { Accept: 'application/jsonl' }
    t.match((await send({ json: [{ query: '{ a }' }], headers })).body, lines)
  })
}

// oxfmt-ignore
const leavers: readonly [title: string, around: Around, status: number][] = [
  ['throws',                  async (_, proceed) => { await proceed(); throw new Error('commit') }, 500],
  ['throws synchronously',    (_, proceed) => { void proceed(); throw new Error('commit') }, 500],
  ['denies',                  async (_, proceed) => (await proceed(), busy), 409],
  ['returns another response', async (_, proceed) => ({ ...(await proceed()), body: '{}' }), 200],
]
const outer = defineExtension({ name: 'outer', around: (_, proceed) => proceed() })

for (const [title, around, status, use] of leavers.flatMap((row) => [
  [...row, []] as const,
  [...row, [outer]] as const,
])) {
  const where = use.length > 0 ? ', inside another' : ''
  void t.test(`the source of a stream is returned if around ${title}${where}`, async (t) => {
    const returns = createQueue<number>()
    let returned = 0
    const source = {
      [Symbol.asyncIterator]: () => source,
      next: async () => ({ done: false, value: { n: 1 } }),
      async return() {
        returns.put((returned += 1))
        return { done: true, value: undefined }
      },
    }
    const idle = buildSchema('type Query { late: Int } type Subscription { n: Int }', {
      Subscription: { n: { subscribe: () => source } },
    })
    const json = { query: 'subscription { n }' }
    const request = { json, headers: { Accept: 'text/event-stream' } }
    const { response } = await ask(around, request, { schema: idle, use })
    t.equal(response.status, status)
    t.equal(await returns.next(), 1, 'over HTTP')
    await playOverSocket(json.query, { schema: idle, around, use, onBug: () => undefined })
    t.equal(await returns.next(), 2, 'over a socket')
    t.equal(returned, 2)
  })
}

void t.test('sockets may be for subscriptions only', async (t) => {
  const options = { schema: events, webSocketOperations: 'subscriptions' } as const
  t.match(await playOverSocket('subscription { n }', options), ['{"data":{"n":1}}', 'complete'])
  t.match(await playOverSocket('{ a }', options), [
    /Only subscriptions are served over WebSockets: send the query by POST.*NOT_OVER_WEBSOCKET/,
  ])
})

void t.test('proceed has the errors of the result, whatever the status is', async (t) => {
  const seen: string[] = []
  const around = noting(({ status, errors }) => seen.push(`${status}, ${errors.length} errors`))
  const { send } = clientOf({ schema, around })
  for (const query of ['{ late }', '{ fails }']) {
    await send({ json: { query }, headers: { Accept: 'application/json' } })
  }
  const routes = [{ method: 'GET', path: '/fails', operation: '{ fails }' }] as const
  const rest = createRestHandler({ schema, around, routes, onBug: () => undefined })
  await testClient(rest)({ target: '/fails' })
  t.strictSame(seen, ['200, 0 errors', '200, 1 errors', '500, 1 errors'])
})

void t.test('around sees the whole response, also for a client that has it', async (t) => {
  const seen: number[] = []
  const around = noting(({ status, body }) => (seen.push(status), t.match(body, 'late')))
  const routes = [{ method: 'GET', path: '/late', operation: '{ late }' }] as const
  for (const [send, target] of [
    [testClient(createHandler({ schema, around, etag: true })), '/?query={late}'],
    [testClient(createRestHandler({ schema, around, routes })), '/late'],
  ] as const) {
    const { status } = await send({ target, headers: { 'If-None-Match': '*' } })
    t.equal(status, 304)
  }
  t.strictSame(seen, [200, 200])
})

// oxfmt-ignore
const conditions: readonly [title: string, etag: string, known: string, status: number][] = [
  ['that it has',      '"a"',   '"b", "a"', 304],
  ['that it has not',  '"a"',   '"b"',      200],
  ['with a weak tag',  'W/"a"', 'W/"a"',    304],
]

for (const [title, etag, known, status] of conditions) {
  void t.test(`a client gets a response of around ${title}`, async (t) => {
    const own: HttpResponse = { status: 200, headers: ['ETag', etag], body: 'kept' }
    const send = testClient(createHandler({ schema, around: () => own }))
    const request = { target: '/?query={a}', headers: { 'If-None-Match': known } }
    t.equal((await send(request)).status, status)
    t.equal((await send({ ...request, json: { query: '{ a }' }, target: '/' })).status, 200)
  })
}

void t.test('a stream of around is not replaced by 304', async (t) => {
  let isOpen = false
  const open = (sink: { end(): void }) => {
    isOpen = true
    sink.end()
    return { resume() {}, gone() {}, shutDown() {} }
  }
  const body = { open, discard: () => undefined }
  const around = (): HttpResponse => ({ status: 200, headers: ['ETag', '"a"'], body })
  const request = { target: '/?query={a}', headers: { 'If-None-Match': '"a"' } }
  const { status, stream } = await clientOf({ schema, around }).send(request)
  await new Response(stream).text()
  t.strictSame([status, isOpen], [200, true])
})

void t.test('a stream that around makes for a client that has left is discarded', async (t) => {
  const made = defer<HttpResponse>()
  const use = [defineExtension({ name: 'outer', around: (_, proceed) => proceed() })]
  const { send } = clientOf({ schema, use, around: () => made.promise, executionTimeout: 5 })
  t.equal((await send({ json: { query: '{ a }' } })).status, 503)
  let discarded = 0
  const body = { open: () => t.fail(), discard: () => void (discarded += 1) } as never
  made.resolve({ status: 200, headers: [], body })
  await new Promise(setImmediate)
  t.equal(discarded, 1)
})

void t.test('a response of around to a GET is private, unless it says more', async (t) => {
  const cacheControl = async (headers: string[], target: string): Promise<string | null> => {
    const around = (): HttpResponse => ({ status: 200, headers, body: 'kept' })
    const send = testClient(createHandler({ schema, around }))
    return (await send({ target })).headers.get('cache-control')
  }
  t.equal(await cacheControl([], '/?query={a}'), 'private, no-cache')
  t.equal(await cacheControl(['cache-control', 'max-age=5'], '/?query={a}'), 'max-age=5')
})

const hangs = buildSchema<string>('type Query { a: String }', {
  Query: { a: async () => new Promise(() => {}) },
})

// oxfmt-ignore
const behind: readonly [title: string, begin: (proceed: Proceed) => unknown, answer: () => HttpResponse | Promise<never>, status: number][] = [
  ['began before the response', (proceed) => proceed(),                          () => kept, 202],
  ['begins after the response', async (proceed) => setTimeout(5).then(proceed),  () => kept, 202],
  ['runs if around throws',     (proceed) => proceed(), () => { throw new Error('its own limit') }, 500],
  ['runs if around rejects',    (proceed) => proceed(), async () => Promise.reject(new Error('its own limit')), 500],
]
for (const [title, begin, answer, status] of behind) {
  void t.test(`what ${title} still has a time limit`, async (t) => {
    let signal: AbortSignal | undefined
    let late: unknown
    const around: Around = (request, proceed) => {
      signal = request.signal
      late = Promise.resolve(begin(proceed)).catch((error: unknown) => error)
      return answer()
    }
    const { ask: send } = clientOf({ schema: hangs, executionTimeout: 50, around })
    t.equal((await send('{ a }')).status, status)
    await new Promise((resolve) => signal?.addEventListener('abort', resolve))
    t.match(signal?.reason, { reason: 'timed-out' })
    if (title.startsWith('begins')) t.match(await late, { reason: 'timed-out' })
  })
}

for (const [major, module] of majors) {
  void t.test(`${major}: nothing runs if proceed is called after the time limit`, async (t) => {
    let late: Promise<unknown> | undefined
    let contexts = 0
    const { ask: send, bugs } = clientOf({
      schema: module.buildSchema('type Query { a: Int }'),
      graphql: module,
      executionTimeout: 20,
      context: () => (contexts += 1),
      async around({ signal }, proceed) {
        await new Promise((resolve) => signal.addEventListener('abort', resolve))
        late = Promise.resolve().then(proceed)
        return late as ReturnType<typeof proceed>
      },
    })
    t.equal((await send('{ a }')).status, 503)
    await setTimeout()
    t.match(await late?.catch((error: unknown) => error), { reason: 'timed-out' })
    t.strictSame([bugs, contexts], [[], 0])
  })
}
