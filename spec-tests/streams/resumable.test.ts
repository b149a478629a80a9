import t from 'tap'
import { resumable } from '../../src/index.js'
import { onBothMajors, readStream, sourceOf } from './stream-test.js'

onBothMajors(t, 'an id without an event moves the point to resume from', async (t, make) => {
  const points = [resumable(undefined, '7'), resumable({ n: 1 }, '8'), resumable(undefined, '9')]
  const endpoint = make('type Query { a: Int } type Subscription { n: Int }', {
    Subscription: { n: () => sourceOf<unknown>(...points) },
  })
  const json = { query: 'subscription { n }' }
  t.equal(
    await readStream(endpoint, { json }),
    ':\n\nid: 7\n\nid: 8\nevent: next\ndata: {"data":{"n":1}}\n\nid: 9\n\nevent: complete\ndata:\n\n',
  )
  const headers = { Accept: 'multipart/mixed;subscriptionSpec=1.0' }
  const parts = await readStream(endpoint, { json, headers })
  t.equal(parts.match(/payload/g)?.length, 1, 'other transports have no ids')
  t.strictSame(endpoint.stats(), { open: 0, returning: 0, stuck: [], sockets: 0 })
})

void t.test('an id has 1 to 256 printable characters of ASCII', async (t) => {
  for (const id of ['', 'a b', 'é', 'a\n', 'x'.repeat(257), 7]) {
    t.throws(() => resumable({}, id as string), /^resumable: expected an id of 1 to 256 printable/)
  }
  t.equal(resumable({}, 'x'.repeat(256)).id.length, 256)
})
