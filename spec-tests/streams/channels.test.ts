import t from 'tap'
import { createPubSub } from '@graphwire/pubsub'
import type { StreamEnd } from '../../src/index.js'
import { defer } from '../base/defer.js'
import { onBothMajors, readStream } from './stream-test.js'

const json = { query: 'subscription { n }' }
const sdl = 'type Query { a: Int } type Subscription { n: Int }'

onBothMajors(t, 'events are sent at once, in order, and the end behind them', async (t, make) => {
  const pubsub = createPubSub()
  const channel = pubsub.subscribe('n')
  const endpoint = make(sdl, { Subscription: { n: () => channel } })
  const reading = readStream(endpoint, { json })
  for (const n of [1, 2, 3]) await pubsub.publish('n', { n })
  // What is queued when it is closed is dropped.
  while (channel.queued > 0) await new Promise(setImmediate)
  pubsub.close()
  const results = [1, 2, 3].map((n) => `event: next\ndata: {"data":{"n":${n}}}\n\n`)
  t.equal(await reading, `:\n\n${results.join('')}event: complete\ndata:\n\n`)
})

onBothMajors(t, 'a subscriber that lost events gets an error', async (t, make) => {
  const pubsub = createPubSub({ maxQueued: 2 })
  const bugs: unknown[] = []
  const channel = pubsub.subscribe('n')
  const onBug = (bug: unknown): void => void bugs.push(bug)
  const endpoint = make(sdl, { Subscription: { n: () => channel } }, { onBug })
  const reading = readStream(endpoint, { json })
  // Before the stream reads, three events come.
  for (const n of [1, 2, 3]) void pubsub.publish('n', { n })
  const stream = await reading
  t.match(stream, /"n":2/)
  t.notMatch(stream, /"n":3/)
  const lost =
    '{"errors":[{"message":"Events were lost: subscribe again.","extensions":{"code":"EVENTS_LOST"}}]}'
  t.ok(stream.endsWith(`event: next\ndata: ${lost}\n\nevent: complete\ndata:\n\n`), stream)
  t.strictSame(bugs, [])
  t.equal(endpoint.stats().open, 0)
})

onBothMajors(t, 'a stream whose first event cuts its socket ends', async (t, make) => {
  const pubsub = createPubSub()
  const channel = pubsub.subscribe('n')
  await pubsub.publish('n', { n: 1 })
  const ends: StreamEnd[] = []
  const onStreamEnd = (end: StreamEnd): void => void ends.push(end)
  const endpoint = make(sdl, { Subscription: { n: async () => channel } }, { onStreamEnd })
  const head = { method: 'GET', target: '/', headers: [], raw: undefined }
  const cut = defer()
  const running = endpoint.operations.start({ head, principal: undefined }, json, {
    next() {
      void running.stop('slow-reader')
      cut.resolve()
      return false
    },
    complete: () => t.fail('complete'),
    error: (errors) => t.fail(errors),
  })
  await cut.promise
  await new Promise(setImmediate)
  t.match(ends, [{ cause: 'slow-reader', events: 1 }])
  t.equal(endpoint.stats().open, 0)
  await pubsub.publish('n', { n: 2 })
  t.equal(channel.queued, 0, 'it is not subscribed any more')
})
