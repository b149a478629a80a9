import { context, createContextKey, SpanKind, trace, type Tracer } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import t, { type Test } from 'tap'
import { compiledExecution } from 'graphwire/compiled'
import { testClient } from 'graphwire/testing'
import { buildSchema, createHandler, type Options } from 'graphwire'
import { instrument, RequestSampler } from '@graphwire/otel'
import { collect } from './collect.js'

/** A handler whose resolver makes a span, after it has waited, and how often spans and contexts were begun. */
function start(t: Test, sampler: RequestSampler, execution: Options['execution']) {
  const collected = collect(t, sampler)
  const counts = { spans: 0, contexts: 0 }
  const tracer: Tracer = {
    startSpan(...args) {
      counts.spans += 1
      return collected.tracer.startSpan(...args)
    },
    startActiveSpan: () => t.fail('no span is made active this way'),
  }
  // Not that of the tests: other files may run in this process.
  context.disable()
  const manager = new AsyncLocalStorageContextManager().enable()
  context.setGlobalContextManager({
    active: () => manager.active(),
    with(...args) {
      counts.contexts += 1
      return manager.with(...args)
    },
    bind: (bound, target) => manager.bind(bound, target),
    enable: () => manager,
    disable: () => manager.disable(),
  })
  const schema = buildSchema('type Query { later: Int }', {
    Query: {
      async later() {
        await new Promise((resolve) => setImmediate(resolve))
        collected.tracer.startSpan('db').end()
        return 1
      },
    },
  })
  const handler = createHandler({ schema, path: '/graphql', ...(execution && { execution }) })
  t.teardown(instrument({ tracer, sampler }))
  const send = testClient(handler)
  return {
    ...collected,
    counts,
    ask: (headers: { traceparent?: string } = {}) =>
      send({ json: { query: '{ later }' }, headers }),
    refuse: () => send({ target: '/' }),
  }
}

const parent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331'
const whole = 'POST /graphql\n  parse\n  validate\n  query\n    db'
const cached = 'POST /graphql\n  query\n    db'

// oxfmt-ignore
const executions = [
  ['graphql-js', undefined],
  ['compiled',   compiledExecution({ afterUses: 0 })],
] as const

void t.test('a request that is not recorded makes no span and enters no context', async (t) => {
  // oxfmt-ignore
  const rows: [title: string, share: number, sampled: '00' | '01' | undefined, isRecorded: boolean][] = [
    ['none',                              0, undefined, false],
    ['all',                               1, undefined, true],
    ['none, but the caller records',      0, '01',      true],
    ['all, but the caller does not',      1, '00',      false],
  ]
  for (const [name, execution] of executions) {
    for (const [title, share, sampled, isRecorded] of rows) {
      await t.test(`${name}: ${title}`, async (t) => {
        const { ask, counts, tree } = start(t, new RequestSampler(share), execution)
        const response = await ask(sampled && { traceparent: `${parent}-${sampled}` })
        t.equal(response.status, 200)
        if (isRecorded) t.equal(tree(), whole)
        else t.same(counts, { spans: 0, contexts: 0 })
        // What a resolver traces in a request that is not recorded begins a trace of its own.
        if (!isRecorded) t.equal(tree(), '')
      })
    }
  }
})

void t.test('of a share, each that is recorded is whole', async (t) => {
  for (const [name, execution] of executions) {
    await t.test(name, async (t) => {
      const chances = [0.9, 0.2, 0.9, 0.9, 0.1, 0.24, 0.25, 0.9]
      let turn = 0
      const sampler = new RequestSampler(0.25, () => chances[turn++] ?? 0.9)
      const { ask, refuse, tree, reset } = start(t, sampler, execution)
      await ask()
      await Promise.all(chances.slice(1).map(() => ask()))
      t.equal(tree(), [cached, cached, cached].join('\n'), 'one at a time or several')
      reset()
      for (let at = 0; at < 1_100; at += 1) await refuse()
      chances.push(0)
      turn = chances.length - 1
      await ask()
      t.equal(tree(), cached, 'long after the last one')
    })
  }
})

void t.test('traces begin at servers and consumers', async (t) => {
  const { tracer } = collect(t, new RequestSampler(1))
  const other = context.active().setValue(createContextKey('other'), 1)
  // oxfmt-ignore
  const rows: [kind: SpanKind, isRecorded: boolean][] = [
    [SpanKind.SERVER,   true],
    [SpanKind.CONSUMER, true],
    [SpanKind.CLIENT,   false],
    [SpanKind.INTERNAL, false],
  ]
  for (const [kind, isRecorded] of rows) {
    const root = tracer.startSpan('root', { kind }, other)
    t.equal(root.isRecording(), isRecorded, SpanKind[kind])
    const child = tracer.startSpan('child', {}, trace.setSpan(other, root))
    t.equal(child.isRecording(), isRecorded, `a child of ${SpanKind[kind]}`)
  }
})

void t.test('an invalid share and an invalid sampler are refused', async (t) => {
  for (const share of [-1, 1.1, Number.NaN]) {
    t.throws(() => new RequestSampler(share), /RequestSampler.*0 to 1/)
  }
  t.throws(() => instrument({ sampler: {} as RequestSampler }), /a RequestSampler/)
  t.equal(String(new RequestSampler(0.5)), 'RequestSampler{0.5}')
})
