import { getEventListeners } from 'node:events'
import { GraphQLError } from 'graphql'
import t from 'tap'
import { buildSchema } from '../../../src/graphql/schema/build-schema.js'
import { testClient } from '../../../src/hosts/testing.js'
import { CancelledError, createHandler, type OperationRequest } from '../../../src/index.js'

const sdl = 'type Query { slow: Node context: String } type Node { child: Node name: String }'

/** A field that the test opens, with a list of what ran. */
function gated() {
  const ran: string[] = []
  let open: (value: unknown) => void = () => {}
  const gate = new Promise((resolve) => (open = resolve))
  const started = withResolvers()
  const schema = buildSchema(sdl, {
    Query: {
      slow: (_: unknown, __: unknown, request: OperationRequest) => {
        ran.push('slow')
        // Reading it makes the real signal.
        if (request.params.extensions?.['readSignal'] === true) void request.signal.aborted
        started.resolve(undefined)
        return gate
      },
      context: (_: unknown, __: unknown, request: OperationRequest) => typeof request.signal,
    },
  })
  // Resolved by the default resolver of both majors, which is what graphql 16 can stop.
  const node = {
    child: () => {
      ran.push('child')
      return { name: () => ran.push('name') }
    },
  }
  return { schema, ran, open: () => open(node), started: started.promise }
}

function withResolvers() {
  let resolve: (value: unknown) => void = () => {}
  const promise = new Promise((done) => (resolve = done))
  return { promise, resolve }
}

/** Lets everything run that is ready to run. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
}

const query = '{ slow { child { name } } }'

void t.test('without a disconnect nested resolvers run', async (t) => {
  const { schema, ran, open } = gated()
  const answer = testClient(createHandler({ schema }))({ json: { query } })
  open()
  t.equal((await answer).status, 200)
  t.strictSame(ran, ['slow', 'child', 'name'])
})

for (const readSignal of [false, true]) {
  void t.test(`after a disconnect nested resolvers stop, signal read: ${readSignal}`, async (t) => {
    const { schema, ran, open, started } = gated()
    const bugs: unknown[] = []
    const client = new AbortController()
    const handler = createHandler({ schema, onBug: (bug) => bugs.push(bug) })
    const answer = testClient(handler)({
      json: { query, extensions: { readSignal } },
      signal: client.signal,
    })
    await started
    client.abort()
    t.equal((await answer).status, 499, 'the answer does not wait')
    open()
    await settle()
    t.strictSame(ran, ['slow'], 'nothing below the slow field ran')
    t.strictSame(bugs, [], 'being cancelled is no bug')
  })
}

void t.test('when time is up the answer is 503 and nested resolvers stop', async (t) => {
  const { schema, ran, open } = gated()
  const bugs: unknown[] = []
  const handler = createHandler({ schema, executionTimeout: 5, onBug: (bug) => bugs.push(bug) })
  const response = await testClient(handler)({ json: { query } })
  t.equal(response.status, 503)
  t.equal(response.headers.get('retry-after'), '1')
  t.match(response.json(), { errors: [{ extensions: { cause: 'timed-out' } }] })
  open()
  await settle()
  t.strictSame(ran, ['slow'])
  t.strictSame(bugs, [])
})

const tree = `
  type Query { slow: Node fast: Node }
  type Node { child: Node name: String }
  type Mutation { slow: Node fast: Node }
`

/** Resolvers for every field, which list what ran; `slow` waits for the test. */
function resolved() {
  const ran: string[] = []
  const gate = withResolvers()
  const started = withResolvers()
  const note = (name: string, value: unknown) => () => {
    ran.push(name)
    return value
  }
  const slow = () => {
    ran.push('slow')
    started.resolve(undefined)
    return gate.promise
  }
  const fast = note('fast', {})
  const schema = buildSchema(tree, {
    Query: { slow, fast },
    Mutation: { slow, fast },
    Node: { child: note('child', {}), name: note('name', 'n') },
  })
  return { schema, ran, open: gate.resolve, started: started.promise }
}

// oxfmt-ignore
const stopped: readonly [title: string, source: string, ran: readonly string[], all: readonly string[]][] = [
  ['later root fields of a mutation', 'mutation { slow { name } fast { name } }', ['slow'],                 ['slow', 'name', 'fast', 'name']],
  ['nested resolvers',                'mutation { slow { child { name } } }',     ['slow'],                 ['slow', 'child', 'name']],
  ['those of another root field',     'mutation { fast { name } slow { name } }', ['fast', 'name', 'slow'], ['fast', 'name', 'slow', 'name']],
]

for (const [title, source, before, all] of stopped) {
  for (const cause of ['client-gone', 'timed-out', undefined] as const) {
    const end = cause === undefined ? `${title} run without one` : `${title} stop when ${cause}`
    void t.test(`resolvers of your own: ${end}`, async (t) => {
      const { schema, ran, open, started } = resolved()
      const bugs: unknown[] = []
      const client = new AbortController()
      const handler = createHandler({
        schema,
        onBug: (bug) => bugs.push(bug),
        ...(cause === 'timed-out' && { executionTimeout: 5 }),
      })
      const answer = testClient(handler)({ json: { query: source }, signal: client.signal })
      await started
      if (cause === 'client-gone') client.abort()
      if (cause !== undefined) t.equal((await answer).status, cause === 'timed-out' ? 503 : 499)
      open({})
      await settle()
      t.strictSame(ran, cause === undefined ? all : before)
      t.strictSame(bugs, [])
    })
  }
}

void t.test('a request with the same document goes on when another is stopped', async (t) => {
  const { schema, ran, open, started } = resolved()
  const client = new AbortController()
  const send = testClient(createHandler({ schema }))
  const json = { query: 'mutation { slow { name } fast { name } }' }
  const left = send({ json, signal: client.signal })
  const staying = send({ json })
  await started
  client.abort()
  t.equal((await left).status, 499)
  open({})
  const answer = await staying
  t.equal(answer.status, 200)
  t.strictSame(answer.json(), { data: { slow: { name: 'n' }, fast: { name: 'n' } } })
  t.strictSame(ran, ['slow', 'slow', 'name', 'fast', 'name'])
})

void t.test('user code gets a real AbortSignal whose reason says why', async (t) => {
  const { schema } = gated()
  const signals: AbortSignal[] = []
  const handler = createHandler({
    schema,
    executionTimeout: 5,
    context: (request) => {
      signals.push(request.signal)
      return request
    },
  })
  await testClient(handler)({ json: { query } })
  const [signal] = signals
  t.ok(signal instanceof AbortSignal)
  t.ok(signal?.aborted)
  t.ok(signal?.reason instanceof CancelledError)
  t.match(signal?.reason, { reason: 'timed-out' })
})

void t.test('a context function that never ends is cut off too', async (t) => {
  const { schema, ran } = gated()
  const handler = createHandler({
    schema,
    executionTimeout: 5,
    context: () => new Promise(() => {}),
  })
  t.equal((await testClient(handler)({ json: { query } })).status, 503)
  t.strictSame(ran, [])
})

void t.test('a client that has left before execution starts nothing', async (t) => {
  const { schema, ran } = gated()
  const client = new AbortController()
  client.abort()
  const handler = createHandler({ schema, context: () => settle() })
  const response = await testClient(handler)({ json: { query }, signal: client.signal })
  t.equal(response.status, 499)
  await settle()
  t.strictSame(ran, [])
})

void t.test('a late failure of another kind still reaches onBug', async (t) => {
  const late = new Error('late')
  const bugs: unknown[] = []
  const gate = withResolvers()
  const { schema } = gated()
  const handler = createHandler({
    schema,
    executionTimeout: 5,
    context: async () => {
      await gate.promise
      throw late
    },
    onBug: (bug) => bugs.push(bug),
  })
  await testClient(handler)({ json: { query } })
  gate.resolve(undefined)
  await settle()
  t.strictSame(bugs, [late])
})

void t.test('a client that leaves after the answer fires nothing', async (t) => {
  const { schema, open } = gated()
  const client = new AbortController()
  const signals: AbortSignal[] = []
  const handler = createHandler({
    schema,
    context: (request) => {
      signals.push(request.signal)
      return request
    },
  })
  const answer = testClient(handler)({ json: { query }, signal: client.signal })
  open()
  await answer
  client.abort()
  t.notOk(signals[0]?.aborted)
})

void t.test('an answer in time leaves no timer behind', async (t) => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const before = timers()
  const { schema, open, started } = gated()
  const answer = testClient(createHandler({ schema, executionTimeout: 1e6 }))({ json: { query } })
  await started
  t.equal(timers(), before + 1)
  open()
  await answer
  t.equal(timers(), before)
})

void t.test('an answer in time leaves no listener behind', async (t) => {
  const { signal } = new AbortController()
  const { schema, open, started } = gated()
  const answer = testClient(createHandler({ schema }))({ json: { query }, signal })
  await started
  t.equal(getEventListeners(signal, 'abort').length, 1)
  open()
  await answer
  t.equal(getEventListeners(signal, 'abort').length, 0)
})

void t.test('errors of an abandoned result are not bugs', async (t) => {
  const gate = withResolvers()
  const bugs: unknown[] = []
  const { schema } = gated()
  const handler = createHandler({
    schema,
    executionTimeout: 5,
    execute: async () => {
      await gate.promise
      return { data: null, errors: [new GraphQLError('x', { originalError: new Error('late') })] }
    },
    onBug: (bug) => bugs.push(bug),
  })
  t.equal((await testClient(handler)({ json: { query } })).status, 503)
  gate.resolve(undefined)
  await settle()
  t.strictSame(bugs, [])
})

void t.test('an authenticate that never ends is cut off too', async (t) => {
  const { schema, ran } = gated()
  const handler = createHandler({
    schema,
    executionTimeout: 5,
    authenticate: () => new Promise(() => {}),
  })
  t.equal((await testClient(handler)({ json: { query } })).status, 503)
  t.strictSame(ran, [])
})

void t.test('for a client that leaves during authenticate nothing runs', async (t) => {
  const { schema, ran } = gated()
  const client = new AbortController()
  const gate = withResolvers()
  let admitted = false
  const handler = createHandler({
    schema,
    authenticate: async () => {
      await gate.promise
      return { ok: true, value: 1 }
    },
    admit: () => {
      admitted = true
      return undefined
    },
  })
  const target = `/graphql?query=${encodeURIComponent(query)}`
  const answer = testClient(handler)({ target, signal: client.signal })
  client.abort()
  gate.resolve(undefined)
  t.equal((await answer).status, 499)
  t.notOk(admitted)
  t.strictSame(ran, [])
})

void t.test('for a client that leaves while the schema is found nothing is admitted', async (t) => {
  const { schema, ran } = gated()
  const client = new AbortController()
  let admitted = false
  const handler = createHandler({
    schema: async () => {
      await settle()
      return schema
    },
    admit: () => {
      admitted = true
      return undefined
    },
  })
  const answer = testClient(handler)({ json: { query }, signal: client.signal })
  await Promise.resolve()
  client.abort()
  t.equal((await answer).status, 499)
  await settle()
  t.notOk(admitted)
  t.strictSame(ran, [])
})

void t.test("an executor of somebody else's gets a real signal", async (t) => {
  const signals: unknown[] = []
  const { schema } = gated()
  const handler = createHandler({
    schema,
    executionTimeout: 5,
    execute: ({ abortSignal }: { abortSignal?: unknown }) => {
      signals.push(abortSignal)
      return new Promise<never>(() => {})
    },
  })
  t.equal((await testClient(handler)({ json: { query } })).status, 503)
  t.ok(signals[0] instanceof AbortSignal && signals[0].aborted)
})
