import { tracingChannel } from 'node:diagnostics_channel'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { parse } from 'graphql'
import t from 'tap'
import { testClient } from '../../src/hosts/testing.js'
import type { ExecutionInput } from '../../src/graphql/execute/arguments.js'
import { Cancellation } from '../../src/graphql/execute/cancellation.js'
import type { Operation } from '../../src/graphql/execute/operation.js'
import { keptBy, StreamShares } from '../../src/streams/kept.js'
import { Streams } from '../../src/streams/streams.js'
import { collectGarbage } from '../collect-garbage.js'
import { without17 } from '../incremental/client.js'
import { buildSchema, createEndpoint, subscribeInProcess } from '../../src/index.js'
import type { Endpoint, OperationRequest, Options, StuckSource } from '../../src/index.js'
import { showValue } from '../../src/shapes/show-value.js'
import { defer } from '../base/defer.js'
import { thrower } from '../base/thrower.js'
import { dataOf, onBothMajors, readStream, sourceOf, type MakeEndpoint } from './stream-test.js'

const sdl = 'type Query { a: Int } type Subscription { tick(s: String): Int text: String }'
const json = { query: 'subscription Ticks { tick }' }
const headers = { Accept: 'text/event-stream' }

/** An event, and then nothing until it is returned, which `onReturn` decides. */
function idle(onReturn: () => unknown = () => ({ done: true })) {
  let at = 0
  return {
    [Symbol.asyncIterator]() {
      return this
    },
    next: () =>
      at++ === 0 ? Promise.resolve({ value: { tick: 1 } }) : new Promise<never>(() => undefined),
    return: onReturn,
  }
}

const failing = thrower(new Error('another secret'))

/** Opens a stream; aborting is what a client does that disconnects. */
async function open(endpoint: Endpoint, request: object = { json, headers }) {
  const client = new AbortController()
  const response = await testClient(endpoint.handler)({ ...request, signal: client.signal })
  return { response, leave: () => client.abort() }
}

const statusOf = async (...asked: Parameters<typeof open>): Promise<number> =>
  (await open(...asked)).response.status

const ticking = (
  make: MakeEndpoint,
  options?: Parameters<MakeEndpoint>[2],
  tick: () => unknown = () => idle(),
): Endpoint => make(sdl, { Subscription: { tick } }, options)

onBothMajors(t, 'a stream too many is refused, and those that are open stay', async (t, make) => {
  const endpoint = ticking(make, { maxStreams: 2 })
  const streams = [await open(endpoint), await open(endpoint)]
  const third = await open(endpoint)
  t.equal(third.response.status, 503)
  t.match(third.response.json(), { errors: [{ extensions: { code: 'OVERLOADED' } }] })
  t.equal(third.response.headers.get('retry-after'), '1')
  t.equal(endpoint.stats().open, 2)
  streams[0]?.leave()
  t.equal(await statusOf(endpoint), 200)
})

onBothMajors(t, 'streams of one source give back a place each', async (t, make) => {
  const source = idle()
  const endpoint = ticking(make, { maxStreams: 4, trustedProxies: 1 }, () => source)
  const from = { json, headers: { ...headers, 'X-Forwarded-For': '192.0.2.1' } }
  for (let round = 0; round < 3; round += 1) {
    const streams = [await open(endpoint, from), await open(endpoint, from)]
    for (const { response } of streams) t.equal(response.status, 200)
    t.equal(await statusOf(endpoint, from), 503)
    for (const { leave } of streams) leave()
  }
})

for (const what of ['resolvers', 'contexts']) {
  onBothMajors(t, `${what} that wait at once cannot exceed the limit`, async (t, make) => {
    const waiting = defer()
    const isResolver = what === 'resolvers'
    const tick = () => (isResolver ? waiting.promise.then(() => idle()) : idle())
    const options = { maxStreams: 3, ...(!isResolver && { context: () => waiting.promise }) }
    const endpoint = ticking(make, options, tick)
    const opening = Array.from({ length: 10 }, () => statusOf(endpoint))
    await nextTurn()
    waiting.resolve()
    const statuses = await Promise.all(opening)
    t.equal(statuses.filter((status) => status === 503).length, 7)
    t.equal(statuses.filter((status) => status === 200).length, 3)
    t.equal(endpoint.stats().open, 3)
  })
}

onBothMajors(t, 'what never opened gives its place back', async (t, make) => {
  let returned = 0
  const source = (): unknown => idle(() => void (returned += 1))
  const late = () => Promise.reject(new Error('refused later'))
  const outcomes: (() => unknown)[] = [failing, late, () => 5, () => null]
  const options = { maxStreams: 1, onBug: () => undefined }
  const endpoint = ticking(make, options, () => (outcomes.shift() ?? source)())
  for (let left = outcomes.length; left > 0; left -= 1) {
    t.match((await open(endpoint)).response.body, '"errors"')
  }
  const unknown = { json: { query: 'subscription ($x: Int!) { tick }' }, headers }
  await open(endpoint, unknown)
  // A host that does not send the response discards it.
  const head = { method: 'GET', target: '/?query=subscription{tick}', headers: [], raw: undefined }
  const reply = (await endpoint.handler(head)) as { readonly body: { discard(): void } }
  t.equal(await statusOf(endpoint), 503)
  reply.body.discard()
  reply.body.discard()
  t.equal(returned, 1, 'once')
  t.equal(await statusOf(endpoint), 200)
})

onBothMajors(t, 'a source whose request ends as it starts is returned', async (t, make) => {
  let [begun, returned] = [0, 0]
  const endpoint = ticking(make, { maxStreams: 1 }, async () => {
    begun += 1
    const next = () => new Promise<never>(() => undefined)
    return { ...idle(() => (returned += 1)), next }
  })
  for (let hops = 0; hops < 20; hops += 1) {
    const stopping = new AbortController()
    const query = 'subscription { tick }'
    const stream = subscribeInProcess(endpoint, { query, signal: stopping.signal })
    stream[Symbol.asyncIterator]()
      .next()
      .catch(() => undefined)
    for (let hop = 0; hop < hops; hop += 1) await Promise.resolve()
    stopping.abort()
    for (let turn = 0; turn < 4; turn += 1) await nextTurn()
    t.equal(returned, begun, `${hops} microtasks later`)
  }
})

onBothMajors(t, 'sources that do not finish are named, and count', async (t, make) => {
  const stuck: StuckSource[] = []
  const finished = defer()
  const endpoint = ticking(
    make,
    { maxStreams: 1, returnTimeout: 0, onStuck: (source) => stuck.push(source) },
    () => idle(() => finished.promise),
  )
  const { leave } = await open(endpoint)
  leave()
  t.match(endpoint.stats(), { open: 0, returning: 1, stuck: [] })
  t.equal(await statusOf(endpoint), 503, 'churn has a limit')
  const alive = setInterval(() => undefined, 1000)
  while (stuck.length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
  clearInterval(alive)
  t.match(stuck, [{ field: 'tick', operationName: 'Ticks' }])
  t.match(endpoint.stats().stuck, [{ field: 'tick' }])
  finished.resolve()
  await nextTurn()
  t.match(endpoint.stats(), { open: 0, returning: 0, stuck: [] })
  t.equal(await statusOf(endpoint), 200)
})

// oxfmt-ignore
const odd: readonly (readonly [name: string, onReturn: unknown])[] = [
  ['throws',          () => { throw new Error('in return') }],
  ['rejects',         () => Promise.reject(new Error('in return'))],
  ['returns nothing', () => undefined],
  ['is not there',    undefined],
]

for (const [name, onReturn] of odd) {
  onBothMajors(t, `a return that ${name} is no fault of the server`, async (t, make) => {
    const endpoint = ticking(make, {}, () => ({ ...idle(), return: onReturn }))
    const { leave } = await open(endpoint)
    leave()
    await nextTurn()
    t.match(endpoint.stats(), { open: 0, returning: 0 })
  })
}

onBothMajors(t, 'a resolver that settles too late: its source is returned', async (t, make) => {
  const [returned, resolver] = [defer(), defer<unknown>()]
  const endpoint = ticking(make, { executionTimeout: 20 }, () => resolver.promise)
  const { response } = await open(endpoint)
  t.equal(response.status, 503)
  t.match(response.body, '"cause":"timed-out"')
  resolver.resolve(idle(() => returned.resolve()))
  await returned.promise
  t.match(endpoint.stats(), { open: 0, returning: 0 })
})

for (const [end, next] of [
  ['is done', async () => ({ done: true, value: undefined })],
  ['has failed', failing],
] as const) {
  onBothMajors(t, `a source that ${end} is not returned`, async (t, make) => {
    const source = { ...idle(() => t.fail('returned')), next }
    const endpoint = ticking(make, { onBug: () => undefined }, () => source)
    await readStream(endpoint, { json })
    t.match(endpoint.stats(), { open: 0, returning: 0 })
  })
}

const tooLong = 'x'.repeat(1000)
const never = () => new Promise<string>(() => undefined)

// oxfmt-ignore
const faultyEvents: readonly [what: string, event: unknown, options: Partial<Options<never, never>>, code: string, bugs: readonly RegExp[]][] = [
  ['takes too long', never,   { executionTimeout: 20 },  'CANCELLED',             []],
  ['is too long',    tooLong, { maxResponseBytes: 500 }, 'INTERNAL_SERVER_ERROR', [/longer than maxResponseBytes/]],
  ['comes late and is too long', async () => tooLong, { maxResponseBytes: 500 }, 'INTERNAL_SERVER_ERROR', [/longer than maxResponseBytes/]],
]

for (const [what, event, options, code, expected] of faultyEvents) {
  onBothMajors(t, `an event that ${what} is one error, and the next follows`, async (t, make) => {
    const bugs: unknown[] = []
    const signals: AbortSignal[] = []
    const source = () => sourceOf({ text: event }, { text: 'short' })
    const onBug = (bug: unknown): void => void bugs.push(bug)
    const context = (request: OperationRequest) => (signals.push(request.signal), request)
    const resolvers = { Subscription: { text: source } }
    const endpoint = make(sdl, resolvers, { ...options, onBug, context })
    const text = await readStream(endpoint, { json: { query: 'subscription { text }' } })
    t.match(dataOf(text), [{ errors: [{ extensions: { code } }] }, { data: { text: 'short' } }])
    t.match(bugs, expected)
    t.notOk(signals[0]?.aborted, 'the stream itself went on')
  })
}

const thrown = [new Error('secret'), undefined, null, 'a text', 5, Object.freeze({}), Symbol('x')]

for (const bug of thrown) {
  for (const formatError of [undefined, failing]) {
    const where = formatError ? ', though formatError throws' : ''
    const title = `a source that throws ${showValue(bug)} ends its stream${where}`
    onBothMajors(t, title, async (t, make) => {
      // oxlint-disable-next-line require-yield -- it fails before
      async function* tick() {
        throw bug
      }
      const options = { onBug: () => undefined, ...(formatError && { formatError }) }
      const text = await readStream(make(sdl, { Subscription: { tick } }, options), { json })
      t.match(text, /^:\n\nevent: next\ndata: \{"errors":\[.*\]\}\n\nevent: complete\ndata:\n\n$/)
      t.notMatch(text, 'secret')
      if (formatError) t.match(text, '"INTERNAL_SERVER_ERROR"')
    })
  }
}

const megabyte = 'x'.repeat(1024 * 1024 - 1024)
const withVariables = 'subscription Ticks($declared: String) { tick(s: $declared) }'

const withMegabyte = { query: withVariables, variables: { declared: megabyte } }

// oxfmt-ignore
const bigRequests: readonly [title: string, json: { readonly query: string; readonly [name: string]: unknown }][] = [
  ['undeclared variables',                { query: json.query, variables: { x: megabyte } }],
  ['undeclared ones beside declared ones', { query: withVariables, variables: { declared: 'a', x: megabyte } }],
  ['extensions',                          { query: json.query, extensions: { x: megabyte } }],
]

for (const [title, big] of bigRequests) {
  onBothMajors(t, `${title} are let go of when the stream is open`, async (t, make) => {
    // Traces keep no more.
    const { start } = tracingChannel('graphwire:request')
    const onStart = (): void => undefined
    start.subscribe(onStart)
    t.teardown(() => start.unsubscribe(onStart))
    const ended: unknown[] = []
    const onStreamEnd = (_: unknown, request: { readonly params?: unknown }): void =>
      void ended.push(request.params)
    const endpoint = ticking(make, { onStreamEnd })
    const ofJson = { ...headers, 'Content-Type': 'application/json' }
    const openBig = async () => open(endpoint, { body: JSON.stringify(big), headers: ofJson })
    const first = await openBig()
    await first.response.stream?.getReader().read()
    await collectGarbage()
    const before = process.memoryUsage()
    const streams = []
    for (let at = 0; at < 20; at += 1) streams.push(await openBig())
    await collectGarbage()
    const after = process.memoryUsage()
    const grown = after.heapUsed + after.external - before.heapUsed - before.external
    t.ok(grown < 8 * 1024 * 1024, `20 streams keep ${grown} bytes`)
    t.equal(endpoint.stats().open, 21)
    first.leave()
    const variables = big.query === withVariables ? { declared: 'a' } : {}
    t.match(ended, [{ query: big.query, variables, extensions: undefined }])
  })
}

onBothMajors(t, 'open streams have a budget of bytes for declared variables', async (t, make) => {
  const endpoint = ticking(make, { maxStreamBytes: 5 * 1024 * 1024 })
  const request = { json: withMegabyte, headers }
  const streams = [await open(endpoint, request), await open(endpoint, request)]
  const third = await open(endpoint, request)
  t.equal(third.response.status, 503)
  t.match(third.response.json(), { errors: [{ extensions: { code: 'OVERLOADED' } }] })
  const undeclared = { ...request, json: { query: withVariables, variables: { other: megabyte } } }
  t.equal(await statusOf(endpoint, undeclared), 200, 'what is not kept counts not')
  t.equal(await statusOf(endpoint), 200, 'a small one fits')
  streams[0]?.leave()
  t.equal(await statusOf(endpoint, request), 200, 'what ended counts no more')
})

// oxfmt-ignore
const shares: readonly [of: string, options: Partial<Options<never, never>>, json: object, count: number][] = [
  ['the streams',         { maxStreams: 4, clientShare: 50 },   json,         2],
  ['the budget of bytes', { maxStreamBytes: 8 * 1024 * 1024 },  withMegabyte, 1],
]

for (const [of, options, asked, count] of shares) {
  onBothMajors(t, `one client has a share of ${of}`, async (t, make) => {
    const endpoint = ticking(make, { ...options, trustedProxies: 1 })
    const from = (address: string) =>
      open(endpoint, { json: asked, headers: { ...headers, 'X-Forwarded-For': address } })
    const first = await from('192.0.2.1')
    if (count === 2) await from('192.0.2.1')
    t.equal((await from('192.0.2.1')).response.status, 503)
    t.equal((await from('192.0.2.2')).response.status, 200)
    first.leave()
    t.equal((await from('192.0.2.1')).response.status, 200, 'what ended counts no more')
  })
}

/** An endpoint whose field `late` waits, and requests for it in parts. */
function deferring(options: Partial<Options>) {
  const late = defer<number>()
  const Query = { a: () => 1, late: () => late.promise }
  const schema = buildSchema('type Query { a: Int late: Int }', { Query })
  const endpoint = createEndpoint({ schema, trustedProxies: 1, ...options })
  const ask = (query: string, address = '192.0.2.1', extensions?: object) =>
    open(endpoint, {
      json: { query, extensions },
      headers: { Accept: 'multipart/mixed', 'X-Forwarded-For': address },
    })
  const read = async ({ response }: Awaited<ReturnType<typeof ask>>) =>
    new Response(response.stream).text()
  return { ask, read, finish: () => late.resolve(2) }
}

const inParts = '{ a ... @defer { late } }'
const skip = without17

onBothMajors(t, 'a source without an iterator is a bug, and takes no place', async (t, make) => {
  const none = { [Symbol.asyncIterator]: () => 5 }
  for (const tick of [() => none, async () => none]) {
    const endpoint = ticking(make, { maxStreams: 1, onBug: () => undefined }, tick)
    t.equal(await statusOf(endpoint), 500)
    t.equal(await statusOf(endpoint), 500)
  }
})

void t.test('results in parts are in the share of their client', { skip }, async (t) => {
  const { ask, read, finish } = deferring({ maxStreams: 4 })
  const first = [await ask(inParts), await ask(inParts)]
  t.equal((await ask(inParts)).response.status, 503)
  const other = await ask(inParts, '192.0.2.2')
  t.equal(other.response.status, 200)
  finish()
  for (const opened of [...first, other]) await read(opened)
  t.match(await read(await ask(inParts)), '"late":2', 'what ended counts no more')
})

void t.test('results in parts count before their first part is made', { skip }, async (t) => {
  const { ask, read, finish } = deferring({ maxStreams: 2, clientShare: 100 })
  const query = '{ late ... @defer { more: late } }'
  const opening = Array.from({ length: 4 }, () => ask(query))
  await nextTurn()
  finish()
  const opened = await Promise.all(opening)
  const statuses = opened.map(({ response }) => response.status)
  t.strictSame(statuses, [200, 200, 503, 503])
  for (const one of opened.slice(0, 2)) await read(one)
  t.match(await read(await ask(query)), '"more":2', 'what ended counts no more')
})

void t.test('results in parts are in the budget, with all parameters', { skip }, async (t) => {
  const { ask, read, finish } = deferring({ maxStreamBytes: 5 * 1024 * 1024, clientShare: 100 })
  const askBig = () => ask(inParts, undefined, { x: megabyte })
  const fitting = [await askBig(), await askBig()]
  const third = await askBig()
  t.match(third.response.json(), { errors: [{ extensions: { code: 'OVERLOADED' } }] })
  finish()
  for (const opened of fitting) t.match(await read(opened), '"late":2')
  t.match(await read(await askBig()), '"late":2', 'what ended counts no more')
})

void t.test('results in parts are in the budget, with what they may hold', { skip }, async (t) => {
  const { ask, read, finish } = deferring({ maxStreamBytes: 150_000, clientShare: 100 })
  const parts = Array.from({ length: 10 }, (_, at) => `... @defer { l${at}: late }`)
  const query = `{ a ${parts.join(' ')} }`
  const opened = [await ask(query), await ask(query), await ask(query)]
  const statuses = opened.map(({ response }) => response.status)
  t.strictSame(statuses, [200, 200, 503])
  finish()
  for (const one of opened.slice(0, 2)) t.match(await read(one), '"l9":2')
})

onBothMajors(t, 'a document counts once, however many streams share it', async (t, make) => {
  const query = `subscription Ticks { tick ${'# a long document'.repeat(60)}\n}`
  const endpoint = ticking(make, { maxStreamBytes: 150_000 })
  const streams = []
  for (let at = 0; at < 5; at += 1) {
    const opened = await open(endpoint, { json: { query }, headers })
    t.equal(opened.response.status, 200)
    streams.push(opened)
  }
  const other = { json: { query: query.replace('Ticks', 'Others') }, headers }
  t.equal(await statusOf(endpoint, other), 503)
  for (const { leave } of streams) leave()
  t.equal(await statusOf(endpoint, other), 200)
})

void t.test(
  'a source of two subscriptions that are cancelled before they are played counts for neither',
  async (t) => {
    const rules = { maxStreams: 2, maxStreamBytes: 1e9, clientShare: 100, onStuck: t.fail }
    const params = { query: 'subscription { tick }', variables: {} }
    const ticks = { document: {}, definition: {}, params, costs: {} } as unknown as Operation
    const times = { heartbeat: 1e6, streamSendTimeout: 1e6, returnTimeout: 1e6 }
    const watched = { maxStreamDuration: 1e6, recheckInterval: 1e6 }
    const streams = new Streams({ ...rules, ...times, ...watched })
    const source = {
      next: async () => new Promise<never>(() => {}),
      return: async () => ({ done: true, value: undefined }),
    }
    const cancellations = [new Cancellation(), new Cancellation()]
    for (const cancellation of cancellations) {
      const input = { cancellation, client: 'a' } as ExecutionInput
      streams.begin(ticks, input)({ source, field: 'tick', operationName: undefined })
    }
    t.notOk(streams.hasRoomFor(ticks, undefined))
    for (const cancellation of cancellations) cancellation.cancel(new Error('gone'))
    await nextTurn()
    t.ok(streams.hasRoomFor(ticks, 'a'))
    streams.begin(ticks, { cancellation: new Cancellation(), client: 'a' } as ExecutionInput)
    t.ok(streams.hasRoomFor(ticks, 'a'), 'both places are free')
  },
)

void t.test('what a stream keeps is estimated by its document and variables', async (t) => {
  const query = 'subscription Ticks($declared: [String]) { tick }'
  const document = parse(query)
  const definition = document.definitions[0]
  const variables = { declared: ['abc', null] }
  const operation = { document, definition, params: { query, variables } }
  const kept = keptBy(operation as unknown as Operation)
  // A value is 256 bytes, a character two. Here are the variables, a list and its items.
  const variableBytes = 256 + 2 * 8 + 256 + (256 + 2 * 3) + 256
  // The text of the document, the variables, and the extensions that are absent.
  const ownBytes = 256 + 2 * query.length + variableBytes + 256
  const documentBytes = 100 * query.length
  t.match(kept, { documentBytes, ownBytes })
  for (const streams of [0, 1, 2]) {
    // The document counts once, whatever the number of streams.
    const sum = documentBytes + (streams + 1) * ownBytes
    for (const most of [sum, sum - 1]) {
      const limits = { maxStreams: 10, maxStreamBytes: most, clientShare: 100 }
      const held = new StreamShares(limits)
      const releases = Array.from({ length: streams + 1 }, () => held.take(kept, undefined))
      releases[0]?.()
      t.equal(held.hasRoomFor(kept, undefined), most === sum, `${streams} streams, ${most} bytes`)
    }
  }
})
