import { EventEmitter } from 'node:events'
import t from 'tap'
import { createPubSub, postgresTransport, type PostgresClient } from '@graphwire/pubsub'

class FakeClient extends EventEmitter implements PostgresClient {
  async query(): Promise<void> {}
  async end(): Promise<void> {}
}

void t.test('pauses between attempts double up to a limit, and start anew', async (t) => {
  const pauses: unknown[] = []
  let isDue = (): void => {}
  t.intercept(globalThis, 'setTimeout', {
    value: (callback: () => void, ms: unknown) => {
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
