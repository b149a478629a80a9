import { getEventListeners } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { GraphQLError } from 'graphql'
import t from 'tap'
import { buildSchema } from '../../../src/graphql/schema/build-schema.js'
import { CancelledError, success, type OperationRequest } from '../../../src/index.js'
import { defer } from '../../base/defer.js'
import { clientOf } from '../../handler/client-of.js'

const sdl = 'type Query { slow: Node context: String } type Node { child: Node name: String }'

/** A field that the test opens, with a list of what ran. */
function gated() {
  const ran: string[] = []
  const gate = defer<unknown>()
  const started = defer()
  const schema = buildSchema(sdl, {
    Query: {
      slow: (_: unknown, __: unknown, request: OperationRequest) => {
        ran.push('slow')
        // Reading it makes the real signal.
        if (request.params.extensions?.['readSignal'] === true) void request.signal.aborted
        started.resolve()
        return gate.promise
      },
      context: (_: unknown, __: unknown, request: OperationRequest) => typeof request.signal,
    },
  })
  // Resolved by the default resolver of both majors, which is what graphql 16 can stop.
  const node = { child: () => (ran.push('child'), { name: () => ran.push('name') }) }
  return { schema, ran, open: () => gate.resolve(node), started: started.promise }
}

/** Lets everything run that is ready to run. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await nextTurn()
}

const query = '{ slow { child { name } } }'

for (const readSignal of [false, true]) {
  void t.test(`after a disconnect nested resolvers stop, signal read: ${readSignal}`, async (t) => {
    const { schema, ran, open, started } = gated()
    const client = new AbortController()
    const { send, bugs } = clientOf({ schema })
    const answer = send({ json: { query, extensions: { readSignal } }, signal: client.signal })
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
  const { ask, bugs } = clientOf({ schema, executionTimeout: 5 })
  const response = await ask(query)
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
  const gate = defer<unknown>()
  const started = defer()
  const note = (name: string, value: unknown) => () => (ran.push(name), value)
  const slow = () => (ran.push('slow'), started.resolve(), gate.promise)
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
      const client = new AbortController()
      const options = cause === 'timed-out' ? { executionTimeout: 5 } : {}
      const { send, bugs } = clientOf({ schema, ...options })
      const answer = send({ json: { query: source }, signal: client.signal })
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
  const { send } = clientOf({ schema })
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

const never = () => new Promise<never>(() => {})

for (const hook of ['context', 'authenticate', 'schema']) {
  void t.test(`what never ends is cut off: ${hook}`, async (t) => {
    const { schema, ran } = gated()
    const { ask } = clientOf({ schema, executionTimeout: 5, [hook]: never })
    t.equal((await ask(query)).status, 503)
    t.strictSame(ran, [])
  })
}

void t.test('user code gets a real AbortSignal whose reason says why', async (t) => {
  const { schema } = gated()
  const signals: unknown[] = []
  const { ask } = clientOf({
    schema,
    executionTimeout: 5,
    context: (request) => void signals.push(request.signal),
    execute: ({ abortSignal }: { abortSignal?: unknown }) => (signals.push(abortSignal), never()),
  })
  t.equal((await ask(query)).status, 503)
  t.equal(signals.length, 2, 'also an executor of its own')
  for (const signal of signals) {
    t.ok(signal instanceof AbortSignal && signal.aborted)
    t.ok(signal instanceof AbortSignal && signal.reason instanceof CancelledError)
    t.match(signal, { reason: { reason: 'timed-out' } })
  }
})

void t.test('for a client that leaves before execution nothing runs or is admitted', async (t) => {
  for (const [hook, options] of Object.entries({
    'before it is asked': { context: settle },
    context: { context: settle },
    authenticate: { authenticate: async () => (await settle(), success(1)) },
    schema: { schema: async () => (await settle(), gated().schema) },
  })) {
    const { schema, ran } = gated()
    const client = new AbortController()
    let admitted = false
    if (hook === 'before it is asked') client.abort()
    const { send } = clientOf({ schema, admit: () => void (admitted = true), ...options })
    const target = `/graphql?query=${encodeURIComponent(query)}`
    const answer = send({ target, signal: client.signal })
    await Promise.resolve()
    client.abort()
    t.equal((await answer).status, 499, hook)
    await settle()
    t.equal(admitted, 'context' in options, `admitted: ${hook}`)
    t.strictSame(ran, [], hook)
  }
})

const late = new Error('late')
for (const [what, expected, hook] of [
  ['a late failure of another kind still reaches onBug', [late], 'context'],
  ['errors of an abandoned result are not bugs', [], 'execute'],
] as const) {
  void t.test(what, async (t) => {
    const gate = defer()
    const { schema } = gated()
    const fail = async () => {
      await gate.promise
      if (hook === 'context') throw late
      return { data: null, errors: [new GraphQLError('x', { originalError: late })] }
    }
    const { ask, bugs } = clientOf({ schema, executionTimeout: 5, [hook]: fail })
    t.equal((await ask(query)).status, 503)
    gate.resolve()
    await settle()
    t.strictSame(bugs, expected)
  })
}

void t.test('an answer in time leaves no timer and no listener, and fires nothing', async (t) => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const before = timers()
  const client = new AbortController()
  const listeners = () => getEventListeners(client.signal, 'abort').length
  const { schema, open, started } = gated()
  const signals: AbortSignal[] = []
  const context = (request: OperationRequest) => (signals.push(request.signal), request)
  const { send } = clientOf({ schema, executionTimeout: 1e6, context })
  const answer = send({ json: { query }, signal: client.signal })
  await started
  t.equal(timers(), before + 1)
  t.equal(listeners(), 1)
  open()
  await answer
  t.equal(timers(), before)
  t.equal(listeners(), 0)
  client.abort()
  t.notOk(signals[0]?.aborted)
})
