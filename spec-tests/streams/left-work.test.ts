import { setImmediate as nextTurn } from 'node:timers/promises'
import t from 'tap'
import { compiledExecution } from '../../src/compiled/index.js'
import { testClient } from '../../src/hosts/testing.js'
import type { Endpoint, Options } from '../../src/index.js'
import { defer } from '../base/defer.js'
import { onBothMajors, readStream, sourceOf } from './stream-test.js'

const sdl = `
  directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT
  directive @stream(if: Boolean! = true, label: String, initialCount: Int! = 0) on FIELD
  type Query { a: Int  slow: Int  all: [Int]  late: [Int]  items: [Int]  needed: [Int!] }
  type Tick { slow: Int }
  type Subscription { tick: Tick }
`

/** Opens a stream and reads it; returns its status, and what a client does that disconnects. */
async function open({ handler }: Endpoint, query: string) {
  const client = new AbortController()
  const headers = { Accept: 'text/event-stream' }
  const asked = { json: { query }, headers, signal: client.signal }
  const { status, stream } = await testClient(handler)(asked)
  void stream?.pipeTo(new WritableStream()).catch(() => undefined)
  return { status, leave: () => client.abort() }
}

const events = 'subscription { tick { slow } }'

// oxfmt-ignore
const rows: readonly [title: string, query: string, options?: Partial<Options<never, never>>][] = [
  ['an event',                       events],
  ['an event of a plan',             events, { execution: compiledExecution({ afterUses: 0 }) }],
  ['a deferred field',               '{ a ... @defer { slow } }'],
  ['a deferred list of promises',    '{ a ... @defer { all } }'],
  ['a deferred promise of such a list', '{ a ... @defer { late } }'],
  ['an item of a streamed iterable', '{ items @stream(initialCount: 1) }'],
  ['an item that may not be null',   '{ needed @stream(initialCount: 1) }'],
]

for (const [title, query, options] of rows) {
  for (const ends of ['until it ends', 'until its time is up']) {
    const name = `${title} whose client has left counts ${ends}`
    onBothMajors(t, name, async (t, make, { version }) => {
      if (version.startsWith('16') && query.startsWith('{')) return
      const isLate = ends === 'until its time is up'
      const begun = defer()
      const work = defer<number>()
      const slow = () => (begun.resolve(), work.promise)
      async function* items() {
        yield 1
        yield await slow()
      }
      const resolvers = {
        Query: { slow, all: () => [slow()], late: async () => [slow()], items, needed: items },
        Tick: { slow },
        Subscription: { tick: () => sourceOf({ tick: {} }) },
      }
      const times = isLate && { executionTimeout: 50, incrementalTimeout: 50 }
      const endpoint = make(sdl, resolvers, { maxStreams: 1, ...times, ...options })
      const { leave } = await open(endpoint, query)
      await begun.promise
      leave()
      await nextTurn()
      t.match(endpoint.stats(), { open: 0, returning: 1, stuck: [] })
      t.equal((await open(endpoint, events)).status, 503)
      if (!isLate) work.resolve(1)
      while (endpoint.stats().returning > 0) await nextTurn()
      t.equal((await open(endpoint, events)).status, 200)
    })
  }
}

onBothMajors(t, 'an object may be an asynchronous iterable', async (t, make) => {
  const tick = { slow: 1, async *[Symbol.asyncIterator]() {} }
  const endpoint = make(
    'directive @defer(if: Boolean! = true, label: String) on FRAGMENT_SPREAD | INLINE_FRAGMENT type Query { tick: Tick } type Tick { slow: Int }',
    { Query: { tick: async () => tick } },
  )
  const query = '{ ... @defer { tick { slow } } }'
  t.match(await readStream(endpoint, { json: { query } }), '{"tick":{"slow":1}}')
})
