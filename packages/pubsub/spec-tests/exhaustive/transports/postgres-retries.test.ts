import { EventEmitter } from 'node:events'
import t from 'tap'
import { createPubSub, postgresTransport, type PostgresClient } from '@graphwire/pubsub'

class FakeClient extends EventEmitter implements PostgresClient {
  async query(_text: string): Promise<void> {}
  async end(): Promise<void> {}
}

void t.test('pauses between attempts double up to a limit, and start anew', async (t) => {
  const pauses: unknown[] = []
  let isDue = (): void => {}
  t.intercept(globalThis, 'setTimeout', {
    value: (callback: () => void, ms: unknown) => {
      if (ms === 5000) return { unref: () => {} }
      pauses.push(ms)
      isDue = callback
      return { unref: () => {} }
    },
  })
  let client: FakeClient | undefined
  const connect = async (): Promise<FakeClient> => {
    if (client === undefined) throw new Error('refused')
    return client
  }
  const pubsub = createPubSub({ transport: postgresTransport({ connect, maxRetryDelay: 500 }) })
  const attempt = async (): Promise<void> => {
    isDue()
    await new Promise((resolve) => setImmediate(resolve))
  }
  await attempt()
  for (let at = 0; at < 4; at += 1) await attempt()
  t.strictSame(pauses, [100, 200, 400, 500, 500])
  await t.rejects(pubsub.publish('x', 1), { code: 'TRANSPORT_AWAY', cause: { message: 'refused' } })

  client = new FakeClient()
  await attempt()
  await pubsub.publish('x', 1)
  const lost = client
  client = undefined
  lost.emit('error', new Error('reset'))
  lost.emit('end')
  await attempt()
  const why = { code: 'TRANSPORT_AWAY', cause: { message: 'reset' } }
  await t.rejects(pubsub.publish('x', 1), why, 'the cause is what began the outage')
  t.strictSame(pauses.slice(5), [100, 200], 'one attempt for one loss')
  t.strictSame(lost.eventNames(), ['error'], 'late errors are taken')

  pubsub.close()
  client = new FakeClient()
  await attempt()
  t.strictSame(client.eventNames(), ['error'], 'what connects too late is discarded')
})

void t.test(
  'a database that vanishes is lost, whether it is asked or only listened to',
  async (t) => {
    const limits: (() => void)[] = []
    const { setTimeout: start } = globalThis
    t.intercept(globalThis, 'setTimeout', {
      value: (callback: (...given: unknown[]) => void, ms: number, ...given: unknown[]) => {
        if (ms === 5000) limits.push(() => callback(...given))
        return start(callback, ms, ...given)
      },
    })
    let beat = (): void => {}
    t.intercept(globalThis, 'setInterval', {
      value: (callback: () => void) => ((beat = callback), { unref: () => {} }),
    })
    const queries: string[] = []
    const clients: FakeClient[] = []
    const connect = async (): Promise<FakeClient> => {
      const client = new FakeClient()
      client.query = (text) => {
        queries.push(text)
        return new Promise(() => {})
      }
      clients.push(client)
      return client
    }
    const lost: unknown[] = []
    const onLost = (cause: unknown): unknown => lost.push(cause)
    const pubsub = createPubSub({
      transport: postgresTransport({ connect, maxRetryDelay: 100 }),
      onLost,
    })
    t.teardown(() => pubsub.close())
    const timeUp = async (): Promise<void> => {
      await new Promise((resolve) => setImmediate(resolve))
      for (const limit of limits.splice(0)) limit()
      await new Promise((resolve) => setImmediate(resolve))
    }

    const published = [pubsub.publish('x', 1), pubsub.publish('x', 2)]
    const away = { code: 'TRANSPORT_AWAY', cause: { message: /within 5000 ms/ } }
    const rejected = published.map((one) => t.rejects(one, away))
    await timeUp()
    await Promise.all(rejected)
    await t.rejects(pubsub.publish('x', 3), away, 'at once')
    t.equal(lost.length, 1)
    t.strictSame(clients[0]?.eventNames(), ['error'], 'its client is discarded')
    while (clients.length < 2) await new Promise((resolve) => setImmediate(resolve))

    queries.length = 0
    await new Promise((resolve) => setImmediate(resolve))
    beat()
    await timeUp()
    t.strictSame(queries, ['select 1'])
    t.equal(lost.length, 2)
  },
)

for (const [title, refused] of [
  ['share a query', undefined],
  ['are tried alone if the service refuses one of them', 'listen "bad"'],
] as const) {
  void t.test(`subscriptions that begin and end while a query runs ${title}`, async (t) => {
    const queries: string[] = []
    let answer = (): void => {}
    const client = new FakeClient()
    client.query = async (text: string): Promise<void> => {
      queries.push(text)
      if (queries.length === 1) await new Promise<void>((resolve) => (answer = resolve))
      if (refused === undefined || !text.includes(refused)) return
      throw Object.assign(new Error('no such name'), { severity: 'ERROR', code: '22P05' })
    }
    const transport = postgresTransport({ connect: async () => client })
    const pubsub = createPubSub({ transport })
    t.teardown(() => pubsub.close())
    await new Promise((resolve) => setImmediate(resolve))
    const first = pubsub.publish('a', 1)
    await new Promise((resolve) => setImmediate(resolve))
    void pubsub.subscribe('left').return()
    const [bad, good] = [pubsub.subscribe('bad'), pubsub.subscribe('good')]
    const published = pubsub.publish('good', 2)
    answer()
    await Promise.all([first, published, good.opened])
    const notify = 'select pg_notify($1, $2)'
    const batch = 'unlisten "left"; listen "bad"; listen "good"'
    const alone = 'unlisten "left", unlisten "left", listen "bad", listen "good", unlisten "bad"'
    const more = refused === undefined ? [] : alone.split(', ')
    t.strictSame(queries, [notify, batch, notify, ...more])
    if (refused !== undefined) await t.rejects(bad.next(), { code: 'SUBSCRIPTION_REFUSED' })
  })
}

interface Code {
  readonly code: string
}

// oxfmt-ignore
const failures: readonly [title: string, failure: object, publishing: Code, listening: Code | undefined][] = [
  ['the server ends the session', { severity: 'FATAL', code: '57P01' }, { code: 'TRANSPORT_AWAY' }, undefined],
  ['the session has ended',       {},                                   { code: 'TRANSPORT_AWAY' }, undefined],
  ['the server refuses it',       { severity: 'ERROR', code: '42501' }, { code: '42501' },          { code: 'SUBSCRIPTION_REFUSED' }],
]

for (const [title, failure, publishing, listening] of failures) {
  void t.test(`a command fails: ${title}`, async (t) => {
    const client = new FakeClient()
    client.query = () => Promise.reject(Object.assign(new Error(title), failure))
    const transport = postgresTransport({ connect: async () => client })
    const pubsub = createPubSub({ transport, onGap: 'ignore' })
    t.teardown(() => pubsub.close())
    const channel = pubsub.subscribe('x')
    await t.rejects(pubsub.publish('x', 1), publishing)
    await new Promise((resolve) => setImmediate(resolve))
    const poll = async (): Promise<unknown> => channel.poll()
    if (listening === undefined) t.equal(await poll(), undefined, 'the subscription goes on')
    else await t.rejects(poll(), listening)
  })
}
