import { EventEmitter } from 'node:events'
import { postgresTransport, type Link, type PostgresClient } from '@graphwire/pubsub'
import t from 'tap'

class FakeClient extends EventEmitter implements PostgresClient {
  sent: readonly unknown[] = []
  async query(_: string, values: readonly unknown[] = []): Promise<void> {
    this.sent = values
  }
}

const client = new FakeClient()
const received: unknown[] = []
const link: Link = postgresTransport({ connect: async () => client })({
  text: (name, text) => received.push([name, text]),
  lost: () => undefined,
  regained: () => undefined,
})
t.teardown(() => link.close())

/** The channel and the payload of an event. */
async function notify(name: string, text: string): Promise<readonly string[]> {
  await link.publish(name, text)
  return client.sent.map(String)
}

/** What the receiver gets of a notification. */
function deliver(channel: string | undefined, payload: string | undefined): readonly unknown[] {
  received.length = 0
  client.emit('notification', { channel, payload })
  return received.slice()
}

// oxfmt-ignore
const names: readonly [title: string, name: string, channel: string | RegExp][] = [
  ['63 bytes',           'x'.repeat(63),  'x'.repeat(63)],
  ['64 bytes',           'x'.repeat(64),  /^graphwire-[\da-f]{8}$/],
  ['64 bytes in UTF-8',  'é'.repeat(32),  /^graphwire-[\da-f]{8}$/],
  ['our prefix',         'graphwire-1',   /^graphwire-[\da-f]{8}$/],
]

for (const [title, name, expected] of names) {
  void t.test(`a name of ${title}`, async (t) => {
    const [channel, payload] = await notify(name, '{"a":":"}')
    t.match(channel, expected)
    t.strictSame(deliver(channel, payload), [[name, '{"a":":"}']])
  })
}

void t.test('names that share a channel are told apart', async (t) => {
  const [channel] = await notify('x'.repeat(64), '1')
  const [, payload] = await notify('y'.repeat(64), '1')
  t.strictSame(deliver(channel, payload), [['y'.repeat(64), '1']])
})

for (const payload of ['', '{}', ':', 'x:y', '-1:a', '0:a']) {
  void t.test(`a payload that is not ours is ignored: ${payload}`, async (t) => {
    const [channel] = await notify('x'.repeat(64), '1')
    t.strictSame(deliver(channel, payload), [])
  })
}
