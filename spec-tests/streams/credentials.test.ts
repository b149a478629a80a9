import t from 'tap'
import { buildSchema, success, type StreamEnd } from '../../src/index.js'
import { CredentialWatch } from '../../src/streams/credentials.js'
import { defer } from '../base/defer.js'
import { thrower } from '../base/thrower.js'
import { overSocket } from '../handler/over-socket.js'
import { onBothMajors, readStream, sourceOf } from './stream-test.js'

// Each test waits a second or two for the clock of its streams.
t.jobs = 8

const sdl = 'type Query { a: Int } type Subscription { n: Int }'
const json = { query: 'subscription { n }' }

/** A source with one event, which then waits for the signal of its request. */
async function* waiting(_: unknown, __: unknown, { signal }: { signal: AbortSignal }) {
  yield { n: 1 }
  await new Promise((resolve) => signal.addEventListener('abort', resolve))
}

const expired =
  'event: next\ndata: {"errors":[{"message":"The credentials have expired or were revoked.","extensions":{"code":"UNAUTHENTICATED"}}]}\n\n' +
  'event: complete\ndata:\n\n'

const resolvers = { Subscription: { n: waiting as never } }
const late = (): never => Promise.reject(new Error('no clock')) as never
const principals = {
  'a date that has passed': { credentialExpiry: () => new Date(0) },
  'a number that has passed': { credentialExpiry: () => 1 },
  'a key that was revoked': { recheck: () => false, recheckInterval: 1000 },
  'a key that was revoked, later': { recheck: async () => false, recheckInterval: 1000 },
  'a recheck that returns nothing': { recheck: () => undefined as never, recheckInterval: 1000 },
  'an expiry that cannot be read': { credentialExpiry: thrower(new Error('no clock')) },
  'an expiry that is no time': { credentialExpiry: () => 'soon' as never },
  'an expiry that comes late, or never': { credentialExpiry: late },
}

for (const [title, options] of Object.entries(principals)) {
  onBothMajors(t, `${title} ends the stream`, async (t, make) => {
    const ends: StreamEnd[] = []
    const onStreamEnd = (end: StreamEnd): void => void ends.push(end)
    const authenticate = () => success('me' as never)
    const hooks = { authenticate, onStreamEnd, onBug: () => undefined }
    const endpoint = make(sdl, resolvers, { ...hooks, ...options })
    const stream = await readStream(endpoint, { json })
    t.ok(stream.endsWith(expired), stream)
    t.match(ends, [{ field: 'n', cause: 'expired', transport: 'event-stream' }])
    t.equal(endpoint.stats().open, 0)
  })
}

const away = 'The store of keys is away.'
for (const [what, fail, message] of [
  ['fails', thrower(new Error(away)), away],
  ['never settles', () => new Promise<never>(() => {}), 'recheck did not answer within 5 ms.'],
] as const) {
  onBothMajors(t, `a recheck that ${what} ends nothing, and is reported`, async (t, make) => {
    let asked = 0
    const reported = defer<unknown>()
    const ids: unknown[] = []
    const recheck = (): boolean | Promise<boolean> => {
      asked += 1
      return asked > 1 ? false : fail()
    }
    const options = { recheckInterval: 1000, recheck, executionTimeout: 5 }
    const endpoint = make(sdl, resolvers, {
      ...options,
      createId: (head) => (ids.push(head?.method), 'id'),
      onBug: (bug, _, request) => reported.resolve({ bug, request }),
    })
    const reading = readStream(endpoint, { json })
    t.match(await reported.promise, { bug: { message }, request: { params: json } })
    t.strictSame(ids, ['POST'])
    t.equal(endpoint.stats().open, 1)
    t.ok((await reading).endsWith(expired), 'the next answer counts')
  })
}

onBothMajors(t, 'credentials are forgotten with their stream', async (t, make) => {
  let asked = 0
  const options = { recheckInterval: 1000, recheck: () => (asked += 1) < 0 }
  const endpoint = make(sdl, { Subscription: { n: () => sourceOf({ n: 1 }) as never } }, options)
  const stream = await readStream(endpoint, { json })
  t.match(stream, /"n":1/)
  t.notMatch(stream, /UNAUTHENTICATED/)
  t.equal(asked, 0)
})

void t.test('the credentials of a stream over a socket are those of the socket', async (t) => {
  const schema = buildSchema(sdl, {
    Subscription: { n: { subscribe: () => sourceOf({ n: 1 }) } },
  })
  let asked = 0
  const credentialExpiry = () => (asked += 1)
  const log = await overSocket({ schema, credentialExpiry }, json)
  t.strictSame(log, ['{"data":{"n":1}}', 'complete'])
  t.equal(asked, 0)
})

void t.test('a clock of the system that is set back delays no recheck', async (t) => {
  let asked = 0
  const watch = new CredentialWatch(1000)
  const check = async () => (asked += 1) > 0
  watch.add({ expiresAt: Infinity, check, expired: () => t.fail('expired') })
  const { now } = Date
  t.teardown(() => (Date.now = now))
  for (const seconds of [1, 2]) {
    Date.now = () => 0
    watch.look(performance.now() + 1000 * seconds)
    Date.now = now
    await new Promise(setImmediate)
    t.equal(asked, seconds)
  }
})
