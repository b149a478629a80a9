import { randomBytes } from 'node:crypto'
import { Client, Pool } from 'pg'
import t, { type Test } from 'tap'
import { createPubSub, postgresTransport, type Channel } from '@graphwire/pubsub'
import { relayTo } from './relay.js'
import { testTransport } from './shared-suite.js'

const server = new URL(
  process.env['GRAPHWIRE_POSTGRES_URL'] ?? 'postgres://postgres@127.0.0.1:5432/postgres',
)

function urlAt(port: number): string {
  const url = new URL(server)
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return url.href
}

async function connectClient(port: number): Promise<Client> {
  const client = new Client({ connectionString: urlAt(port) })
  await client.connect()
  return client
}

const service = { port: Number(server.port || 5432), connectsLater: true, hasOneOrder: true }

testTransport(t, {
  ...service,
  name: 'PostgreSQL by clients',
  async connect(_t, port) {
    return postgresTransport({ connect: () => connectClient(port), maxRetryDelay: 100 })
  },
})

testTransport(t, {
  ...service,
  name: 'PostgreSQL by a pool',
  async connect(t, port) {
    const pool = new Pool({ connectionString: urlAt(port) })
    pool.on('error', () => {})
    t.teardown(() => pool.end())
    return postgresTransport({ connect: () => pool.connect(), maxRetryDelay: 100 })
  },
})

async function oneChannel(t: Test, topic: string) {
  const relay = await relayTo(t, 'PostgreSQL', service.port)
  if (relay === undefined) return undefined
  const pubsub = createPubSub({
    transport: postgresTransport({ connect: () => connectClient(relay.port) }),
  })
  t.teardown(() => pubsub.close())
  const channel: Channel<unknown> = pubsub.subscribe(topic)
  await channel.opened
  return { pubsub, channel, relay }
}

// A payload has at most 7,999 bytes, of which the quotation marks are two. That of a long topic begins with the topic.
// oxfmt-ignore
const sizes: readonly [title: string, topic: string, character: string, most: number][] = [
  ['one byte for a character', 'short',         'x', 7997],
  ['two',                      'short',         'é', 3998],
  ['a long topic',             't'.repeat(100), 'x', 7893],
]

for (const [title, topic, character, most] of sizes) {
  void t.test(`what exceeds a notification is a clear error: ${title}`, async (t) => {
    const one = await oneChannel(t, topic)
    if (one === undefined) return
    await one.pubsub.publish(topic, character.repeat(most))
    t.equal((await one.channel.next()).value, character.repeat(most))
    await t.rejects(one.pubsub.publish(topic, character.repeat(most + 1)), {
      code: 'EVENT_TOO_LARGE',
      message:
        /^The event for ".+" has 800[01] bytes; a notification of PostgreSQL holds 7999\. Publish an id/,
    })
    await one.pubsub.publish(topic, 1)
    t.equal((await one.channel.next()).value, 1, 'the connection is unharmed')
  })
}

void t.test('a trigger or another program may publish', async (t) => {
  const topic = `test.changed.${randomBytes(6).toString('hex')}`
  const one = await oneChannel(t, topic)
  if (one === undefined) return
  const client = await connectClient(one.relay.port)
  t.teardown(() => client.end())
  await client.query(`select pg_notify($1, '{"id":7}')`, [topic])
  t.strictSame((await one.channel.next()).value, { id: 7 })
  await client.query(`notify "${topic}"`)
  await t.rejects(one.channel.next(), { code: 'EVENTS_LOST' }, 'without a payload it is not JSON')
})

void t.test('a session that the server ends is replaced', async (t) => {
  const topic = `test-ended-${randomBytes(6).toString('hex')}`
  const one = await oneChannel(t, topic)
  if (one === undefined) return
  const client = await connectClient(one.relay.port)
  t.teardown(() => client.end())
  await client.query('select pg_terminate_backend(pid) from pg_stat_activity where query = $1', [
    `listen "${topic}"`,
  ])
  await t.rejects(one.channel.next(), {
    code: 'EVENTS_LOST',
    cause: { message: 'terminating connection due to administrator command' },
  })
})

void t.test('a connection that listens does not go back to its pool', async (t) => {
  const relay = await relayTo(t, 'PostgreSQL', service.port)
  if (relay === undefined) return
  const pool = new Pool({ connectionString: urlAt(relay.port) })
  t.teardown(() => pool.end())
  const pubsub = createPubSub({ transport: postgresTransport({ connect: () => pool.connect() }) })
  await pubsub.subscribe('test-pool').opened
  t.equal(pool.totalCount, 1)
  pubsub.close()
  t.equal(pool.totalCount, 0)
})

void t.test('long topics that share a channel are told apart, and one may leave', async (t) => {
  // Their hashes are the same.
  const [left, kept] = [`${'x'.repeat(64)}56129`, `${'x'.repeat(64)}150566`]
  const one = await oneChannel(t, left)
  if (one === undefined) return
  const channel = one.pubsub.subscribe(kept)
  await channel.opened
  await one.pubsub.publish(kept, 1)
  await one.pubsub.publish(left, 2)
  t.equal((await one.channel.next()).value, 2)
  await one.channel.return()
  await one.pubsub.publish(kept, 3)
  t.equal((await channel.next()).value, 1)
  t.equal((await channel.next()).value, 3)
})
