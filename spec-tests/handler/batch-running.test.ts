import { setImmediate as turn } from 'node:timers/promises'
import t from 'tap'
import { nextTurn } from '../../src/base/promise.js'
import { compiledExecution } from '../../src/compiled/index.js'
import { buildSchema } from '../../src/graphql/schema/build-schema.js'
import { installedGraphQL } from '../../src/graphql/js/graphql.js'
import { success, type OperationRequest, type Options, type ResultInfo } from '../../src/index.js'
import { defer } from '../base/defer.js'
import { thrower } from '../base/thrower.js'
import { clientOf } from './client-of.js'

/** A client of a schema whose fields wait for the test, and the calls of hooks. */
function holding(options: Partial<Options> = {}) {
  const held: { name: string; signal: AbortSignal; answer: (value: string) => void }[] = []
  const results: ResultInfo[] = []
  const wait = (_: unknown, { name }: { readonly name: string }, request: OperationRequest) =>
    new Promise<string>((answer, reject) => {
      const { signal } = request
      signal.addEventListener('abort', () => reject(signal.reason as Error))
      held.push({ name, signal, answer })
    })
  const schema = buildSchema(
    `type Query { wait(name: String!): String  text(length: Int!): String  set(name: String!, value: String!): String }
     type Mutation { wait(name: String!): String }`,
    {
      Query: {
        wait,
        text: (_, { length }) => 'x'.repeat(length as number),
        set: (_: unknown, pair: { name: string; value: string }, request: OperationRequest) =>
          request.responseHeaders.append(pair.name, pair.value),
      },
      Mutation: { wait },
    },
  )
  const onResult: Options['onResult'] = (_, result) => results.push(result)
  const client = clientOf({ schema, batch: {}, createId: () => 'an id', onResult, ...options })
  return { ...client, held, results }
}

const query = (name: string): object => ({ query: `{ wait(name: "${name}") }` })
const mutation = (name: string): object => ({ query: `mutation { wait(name: "${name}") }` })
const text = (length: number): object => ({ query: `{ text(length: ${length}) }` })
const failed = (code: string, more?: object) => ({ errors: [{ extensions: { code, ...more } }] })
const cancelled = failed('CANCELLED')
const internal = failed('INTERNAL_SERVER_ERROR')

/** Lets everything that is ready run, until so many fields wait. */
async function untilHeld(held: readonly unknown[], count: number): Promise<void> {
  while (held.length < count) await turn()
  // Whatever else would start has the time to do so.
  for (let more = 0; more < 5; more += 1) await turn()
}

/** The operations of a batch, the limit, and which of them wait together, in order. */
// oxfmt-ignore
const orders: readonly [title: string, entries: readonly object[], maxConcurrent: number, waves: readonly string[]][] = [
  ['queries run at once',                     [query('a'), query('b'), query('c')],                     4, ['abc']],
  ['queries run at once, up to the limit',    [query('a'), query('b'), query('c')],                     2, ['ab', 'c']],
  ['one after the other, if the limit is 1',  [query('a'), query('b'), query('c')],                     1, ['a', 'b', 'c']],
  ['mutations run one after the other',       [mutation('a'), mutation('b')],                           4, ['a', 'b']],
  ['a mutation waits for queries before it',  [query('a'), query('b'), mutation('c')],                  4, ['ab', 'c']],
  ['queries wait for a mutation before them', [mutation('a'), query('b'), query('c')],                  4, ['a', 'bc']],
  ['what fails is not waited for',            [{ query: '{' }, mutation('a'), { query: '{' }, query('b')], 4, ['a', 'b']],
]

for (const [title, json, maxConcurrent, waves] of orders) {
  void t.test(title, async (t) => {
    const { send, held, results } = holding({ batch: { maxConcurrent } })
    const response = send({ json })
    for (const names of waves) {
      await untilHeld(held, names.length)
      const wave = held.splice(0)
      t.equal(wave.map(({ name }) => name).join(''), names)
      // The last one is done first.
      for (const { name, answer } of wave.toReversed()) answer(name)
    }
    const list = (await response).json<readonly { readonly data?: { readonly wait: string } }[]>()
    const answers = list.map(({ data }) => data?.wait ?? '').join('')
    t.equal(answers, waves.join(''), 'in the order of the list')
    t.equal(results.length, json.length, 'each operation is reported')
  })
}

void t.test('when the time is up, what is done is kept', async (t) => {
  const { send, held, bugs } = holding({ executionTimeout: 200, batch: { maxConcurrent: 2 } })
  const json = [query('a'), query('b'), mutation('c'), { query: '{' }]
  const response = send({ json })
  await untilHeld(held, 2)
  t.equal(held.length, 2)
  held[0]?.answer('a')
  const { status, json: read } = await response
  t.equal(status, 200)
  const late = failed('CANCELLED', { cause: 'timed-out' })
  t.match(read(), [{ data: { wait: 'a' } }, late, late, failed('GRAPHQL_PARSE_FAILED')])
  t.match(held[1]?.signal, { aborted: true, reason: { reason: 'timed-out' } })
  t.equal(held[0]?.signal.aborted, false)
  await turn()
  t.equal(held.length, 2, 'nothing is started any more')
  t.same(bugs, [])
})

void t.test('what stops because the client leaves while it runs is no bug', async (t) => {
  const leaving = new AbortController()
  const { send, bugs, results } = holding({
    documents: { type: '{ __typename }' },
    trustedOnly: async () => false,
    admit() {
      leaving.abort()
      return undefined
    },
    execute: ({ abortSignal }) => (abortSignal?.throwIfAborted(), { data: null }),
  })
  await send({ json: [text(1), text(2)], signal: leaving.signal })
  await turn()
  t.same(bugs, [])
  t.match(results, [{ status: 499 }, { status: 499 }])
})

void t.test('when the client is gone, everything stops', async (t) => {
  const { send, held, bugs, results } = holding()
  const leaving = new AbortController()
  const response = send({ json: [query('a'), mutation('b')], signal: leaving.signal })
  await untilHeld(held, 1)
  leaving.abort()
  await response
  t.match(held, [{ name: 'a', signal: { aborted: true, reason: { reason: 'client-gone' } } }])
  await turn()
  t.equal(held.length, 1)
  t.same(bugs, [])
  t.match(results, [{ errorCodes: ['CANCELLED'] }, { errorCodes: ['CANCELLED'] }])
})

void t.test('a hook that fails after the time is up is reported', async (t) => {
  const made = defer()
  const { send, bugs, results } = holding({ executionTimeout: 20, context: () => made.promise })
  t.match((await send({ json: [text(1)] })).json(), [cancelled])
  const late = new Error('late')
  made.reject(late)
  await turn()
  t.same(bugs, [late])
  t.equal(results.length, 1)
})

void t.test('nothing runs if the time is up before all is planned', async (t) => {
  let ran = false
  const schema = buildSchema('type Query { run: Boolean }', { Query: { run: () => (ran = true) } })
  const found = defer<typeof schema>()
  const { send } = holding({ schema: () => found.promise, executionTimeout: 20 })
  t.match((await send({ json: [{ query: '{ run }' }] })).json(), [cancelled])
  found.resolve(schema)
  await turn()
  t.notOk(ran)
})

void t.test('a batch is one request to the load gate', async (t) => {
  const { send, held } = holding({ maxInFlight: 1 })
  const first = send({ json: [query('a'), query('b')] })
  await untilHeld(held, 2)
  t.equal((await send({ json: [text(1)] })).status, 503)
  for (const { answer } of held) answer('done')
  t.equal((await first).status, 200)
  t.equal((await send({ json: [text(1)] })).status, 200)
})

void t.test('a batch is authenticated once, and each operation is admitted', async (t) => {
  let authenticated = 0
  const admitted: unknown[] = []
  const contexts: unknown[] = []
  const { send, results } = holding({
    authenticate: () => success((authenticated += 1)),
    admit({ principal, cost, rootFields }) {
      admitted.push([principal, cost, rootFields])
      return admitted.length === 2 ? { kind: 'rate-limited', retryAfter: 5 } : undefined
    },
    context: (request) => (contexts.push(request), request),
  })
  const { status, json } = await send({ json: [text(1), text(2), text(3)] })
  t.equal(status, 200)
  t.match(json(), [{ data: { text: 'x' } }, failed('RATE_LIMITED'), { data: { text: 'xxx' } }])
  t.equal(authenticated, 1)
  const each = [1, 1, ['text']]
  t.same(admitted, [each, each, each])
  t.equal(new Set(contexts).size, 2, 'each that runs has a context of its own')
  t.match(results, [{ status: 200 }, { status: 429 }, { status: 200 }])
})

void t.test('a bug of a hook fails its operation alone', async (t) => {
  const fail = thrower(new Error('secret'))
  const { send, bugs } = holding({ context: ({ params }) => params.query.includes('2') && fail() })
  const { status, json, body } = await send({ json: [text(1), text(2), text(3)] })
  t.equal(status, 200)
  const masked = failed('INTERNAL_SERVER_ERROR', { id: 'an id' })
  t.match(json(), [{ data: { text: 'x' } }, masked, { data: { text: 'xxx' } }])
  t.notMatch(body, 'secret')
  t.match(bugs, [{ message: 'secret' }])
})

void t.test('all results together are within maxResponseBytes', async (t) => {
  const { send, bugs } = holding({ maxResponseBytes: 1200 })
  const { json } = await send({ json: [text(500), text(500), text(500), text(10)] })
  const long = { data: { text: 'x'.repeat(500) } }
  t.match(json(), [long, long, internal, { data: { text: 'x'.repeat(10) } }])
  t.match(bugs, [{ message: /longer than maxResponseBytes \(1200\)/ }])
})

/** Keeps the process busy for longer than a turn. */
function busy(): void {
  for (const end = performance.now() + 25; performance.now() < end;);
}

async function countTurns(work: Promise<unknown>): Promise<number> {
  let turns = 0
  let isDone = false
  void work.then(() => (isDone = true))
  while (!isDone) {
    await turn()
    turns += 1
  }
  return turns
}

const busySchema = buildSchema('type Query { work: Int }', { Query: { work: () => (busy(), 1) } })
const slowRule = (): object => (busy(), {})

// oxfmt-ignore
const busyBatches: readonly [what: string, options: Partial<Options>, json: readonly object[], first: object][] = [
  ['operations that do not wait', { schema: busySchema },          Array.from({ length: 6 }, () => ({ query: '{ work }' })), { data: { work: 1 } }],
  ['documents',                   { validationRules: [slowRule] }, [1, 2, 3, 4, 5, 6].map(text),                             { data: { text: 'x' } }],
]

for (const [what, options, json, first] of busyBatches) {
  void t.test(`others get their turn between ${what}`, async (t) => {
    const response = holding(options).send({ json })
    t.ok((await countTurns(response)) >= 4)
    t.match((await response).json(), [first, ...json.slice(1).map(() => ({ data: Object }))])
  })

  void t.test(`the time can be up between ${what}`, async (t) => {
    const { send, results } = holding({ ...options, executionTimeout: 40 })
    const list = (await send({ json })).json<readonly object[]>()
    t.match(list.at(-1), cancelled)
    // Those whose parameters were not read are not reported.
    if (what === 'documents') t.ok(results.length < 6)
    else t.match(list[0], first)
  })
}

void t.test('a client that leaves between operations has no place any more', async (t) => {
  const done = defer<unknown>()
  const { send } = holding({ schema: busySchema, maxInFlight: 1, onResult: done.resolve })
  const leaving = new AbortController()
  const json = Array.from({ length: 3 }, () => ({ query: '{ work }' }))
  const response = send({ json, signal: leaving.signal })
  await done.promise
  leaving.abort()
  t.match((await response).json(), [{ data: { work: 1 } }, cancelled, cancelled])
  await turn()
  t.equal((await send({ json: json.slice(0, 1) })).status, 200)
})

void t.test('headers of all operations are joined, responseHeaders runs once', async (t) => {
  const asked: unknown[] = []
  const { send } = holding({
    responseHeaders: ({ headers }) => (asked.push(headers), { 'X-Hook': 'hook' }),
    onResult: (_, { headers, operationName }) => headers.append('Set-Cookie', `${operationName}=1`),
  })
  const queries = [
    'query A { who: set(name: "X-Who", value: "1") set(name: "Set-Cookie", value: "a=1") }',
    'query B { who: set(name: "X-Who", value: "2") set(name: "Set-Cookie", value: "b=1") }',
    'query C { set(name: "Cache-Control", value: "public") }',
  ]
  const { headers } = await send({ json: queries.map((one) => ({ query: one })) })
  t.equal(headers.get('x-who'), '2')
  t.equal(headers.get('x-hook'), 'hook')
  t.equal(headers.get('cache-control'), 'no-store')
  t.same(headers.getSetCookie(), ['a=1', 'A=1', 'b=1', 'B=1', 'C=1'])
  t.equal(asked.length, 1)
})

void t.test('the operations of a batch that is too expensive are reported', async (t) => {
  const { send, results } = holding({ batch: { maxCost: 1 } })
  const { status } = await send({ json: [text(1), text(2), { query: '{' }] })
  t.equal(status, 422)
  const expensive = { status, errorCodes: ['BATCH_TOO_EXPENSIVE'], document: '{ text(length: 1) }' }
  t.match(results, [expensive, { status }, { errorCodes: ['GRAPHQL_PARSE_FAILED'] }])
})

void t.test('what around makes counts as well: all results together are limited', async (t) => {
  const around: Options['around'] = () => ({
    status: 200,
    headers: [],
    body: '{"data":{"text":"x"}}',
  })
  const { send } = holding({ around, maxResponseBytes: 50 })
  const kept = { data: { text: 'x' } }
  const { json: read } = await send({ json: [text(1), text(1), text(1)] })
  t.match(read(), [kept, kept, internal])
})

void t.test('durations in a batch have the time before it, such as authenticate', async (t) => {
  let now = 0
  t.intercept(performance, 'now', { value: () => now })
  const authenticate = async () => ((now += 1000), success('me'))
  const { send, results } = holding({ authenticate })
  await send({ json: [text(1)] })
  t.equal(results[0]?.duration, 1000)
})

void t.test('the schema may be chosen by a promise', async (t) => {
  const chosen = buildSchema('type Query { hello: String }', { Query: { hello: () => 'world' } })
  let asked = 0
  const fail = thrower(new Error('secret'))
  const { send } = holding({ schema: async () => ((asked += 1), asked === 2 ? fail() : chosen) })
  const hello = { query: '{ hello }' }
  const world = { data: { hello: 'world' } }
  t.match((await send({ json: [hello, hello, hello] })).json(), [world, internal, world])
})

void t.test('a document of several operations is parsed once, however long', async (t) => {
  const parse = t.captureFn(installedGraphQL.parse)
  const { send } = holding({ graphql: { ...installedGraphQL, parse } })
  const padding = ' '.repeat(60_000)
  const long = `query ($length: Int!) { text(length: $length) }${padding}`
  const json = { query: long, variables: [1, 2, 3].map((length) => ({ length })) }
  const lines = await send({ json, headers: { Accept: 'application/jsonl' } })
  t.equal(lines.body.split('\n').length, 4)
  t.equal(parse.calls.length, 1)
  await send({ json: [1, 2, 3].map((length) => ({ query: long, variables: { length } })) })
  t.equal(parse.calls.length, 2)
  await send({ json: Array.from({ length: 3 }, () => ({ query: `{${padding}` })) })
  t.equal(parse.calls.length, 3, 'even if it is not valid')
})

void t.test('operations of a batch are compiled like others', async (t) => {
  const { send, results } = holding({ execution: compiledExecution() })
  const json = Array.from({ length: 5 }, () => text(3))
  for (let round = 0; round < 3; round += 1) {
    const { body } = await send({ json })
    t.equal(body, `[${Array(5).fill('{"data":{"text":"xxx"}}').join(',')}]`)
  }
  t.equal(results.at(-1)?.execution, 'compiled')
})

void t.test('planning gives other work its turn, and waits for documents of a store', async (t) => {
  const get = (id: string): Promise<string> => {
    busy()
    return nextTurn().then(() => `{ text(length: ${id}) }`)
  }
  const { send } = holding({ documents: { get } })
  const response = await send({ json: ['1', '2', '3'].map((documentId) => ({ documentId })) })
  t.same(response.body, '[{"data":{"text":"x"}},{"data":{"text":"xx"}},{"data":{"text":"xxx"}}]')
})
