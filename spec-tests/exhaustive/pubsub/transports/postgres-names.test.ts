import t from 'tap'
import {
  readNotification,
  toChannel,
  toPayload,
} from '../../../../src/pubsub/transports/postgres.js'

// oxfmt-ignore
const names: readonly [title: string, name: string, channel: string | RegExp][] = [
  ['63 bytes',           'x'.repeat(63),  'x'.repeat(63)],
  ['64 bytes',           'x'.repeat(64),  /^graphwire-[\da-f]{8}$/],
  ['64 bytes in UTF-8',  'é'.repeat(32),  /^graphwire-[\da-f]{8}$/],
  ['our prefix',         'graphwire-1',   /^graphwire-[\da-f]{8}$/],
]

for (const [title, name, channel] of names) {
  void t.test(`a name of ${title}`, async (t) => {
    t.match(toChannel(name), channel)
    t.strictSame(readNotification(toChannel(name), toPayload(name, '{"a":":"}')), {
      name,
      text: '{"a":":"}',
    })
  })
}

void t.test('names that share a channel are told apart', async (t) => {
  const channel = toChannel('x'.repeat(64))
  const other = 'y'.repeat(64)
  t.strictSame(readNotification(channel, toPayload(other, '1')), { name: other, text: '1' })
})

for (const payload of ['', '{}', ':', 'x:y', '-1:a', '0:a']) {
  void t.test(`a payload that is not ours is ignored: ${payload}`, async (t) => {
    t.equal(readNotification(toChannel('x'.repeat(64)), payload), undefined)
  })
}
