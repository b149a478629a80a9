import t from 'tap'
import { resumable } from 'graphwire'
import { createPubSub, type Channel, type Receiver, type Transport } from '@graphwire/pubsub'
import { drain } from './drain.js'
import { FakeService } from './fake-service.js'

/** Lets everything run that waits for nothing. */
function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5))
}

function started(options: object = {}, service: FakeService = new FakeService()) {
  const pubsub = createPubSub({ transport: service.transport, ...options })
  const subscribe = async (topic: string, more: object = {}): Promise<Channel<unknown>> => {
    const channel = pubsub.subscribe(topic, more)
    await channel.opened
    return channel
  }
  return { service, pubsub, subscribe }
}

void t.test('each topic is listened to once, while it has subscribers', async (t) => {
  const { service, subscribe } = started()
  const [first, second] = [await subscribe('a'), await subscribe('a')]
  await subscribe('b')
  t.strictSame(service.commands, ['listen a', 'listen b'])
  await first.return()
  t.equal(service.commands.length, 2)
  await second.return()
  await second.return()
  t.strictSame(service.commands.slice(2), ['unlisten a'])
  await subscribe('a')
  t.strictSame(service.commands.slice(3), ['listen a'])
})

void t.test('an event is parsed once, and is the same object for all of an instance', async (t) => {
  const service = new FakeService()
  const [here, there] = [started({}, service), started({}, service)]
  const [a, b, c] = [
    await here.subscribe('x'),
    await here.subscribe('x'),
    await there.subscribe('x'),
  ]
  const event = { at: new Date(0), gone: undefined }
  await here.pubsub.publish('x', event)
  const [first, second, third] = [a, b, c].map((channel) => channel.poll()?.value)
  t.strictSame(first, { at: '1970-01-01T00:00:00.000Z' }, 'in the form of JSON, here too')
  t.equal(first, second)
  t.not(first, third)
  t.strictSame(third, first)
})

void t.test('the id of an event is refused: it would be lost on the way', async (t) => {
  const { pubsub } = started()
  await t.rejects(pubsub.publish('x', resumable(1, '1')), /has an id of `resumable`, which is lost/)
})

void t.test('a prefix keeps applications apart', async (t) => {
  const service = new FakeService()
  const [one, two] = [started({ prefix: 'one:' }, service), started({ prefix: 'two:' }, service)]
  const [a, b] = [await one.subscribe('x'), await two.subscribe('x')]
  await one.pubsub.publish('x', 1)
  t.strictSame([drain(a), drain(b)], [[1], []])
  t.strictSame(service.commands, ['listen one:x', 'listen two:x'])
})

void t.test('a subscriber that ends before the service answered is nothing special', async (t) => {
  const { service, pubsub } = started()
  const channel = pubsub.subscribe('a')
  void channel.return()
  await channel.opened
  t.strictSame(service.commands, ['listen a', 'unlisten a'])
  t.strictSame(drain(channel), ['end'])
})

void t.test('missed events are read when the service has confirmed the subscription', async (t) => {
  const { service, pubsub } = started()
  const order: string[] = []
  const channel = pubsub.subscribe('a', {
    after() {
      order.push('after')
      return [1]
    },
  })
  void channel.opened.then(() => order.push('opened'))
  t.strictSame(await channel.next(), { done: false, value: 1 })
  t.same(new Set(order), new Set(['opened', 'after']))
  t.strictSame(service.commands, ['listen a'])
})

void t.test('nothing is delivered before the service has confirmed the subscription', async (t) => {
  let receiver: Receiver | undefined
  let confirm: (() => void) | undefined
  const transport: Transport = (given) => {
    receiver = given
    given.regained()
    const listen = (): Promise<void> => new Promise((resolve) => void (confirm = resolve))
    return { listen, publish: async () => {}, unlisten: async () => {}, close() {} }
  }
  const channel = createPubSub({ transport }).subscribe('a')
  receiver?.text('a', '1')
  confirm?.()
  await channel.opened
  receiver?.text('a', '3')
  t.strictSame(
    await channel.next(),
    { done: false, value: 3 },
    'the event 1 would hide that 2 is lost',
  )
})

void t.test('a lost connection ends all subscriptions, after what was queued', async (t) => {
  const { service, pubsub, subscribe } = started()
  const channels = [await subscribe('a'), await subscribe('a'), await subscribe('b')]
  const other = await subscribe('c')
  await pubsub.publish('a', 1)
  service.cut()
  await t.rejects(other.next(), {
    code: 'EVENTS_LOST',
    message:
      'The connection to other instances was lost. Events may be missing: read the current state again, then subscribe again.',
    cause: { message: 'cut' },
  })
  t.strictSame(channels.map(drain), [[1, 'EVENTS_LOST'], [1, 'EVENTS_LOST'], ['EVENTS_LOST']])
  await t.rejects(pubsub.publish('a', 2), { message: 'cut' })
})

void t.test('a subscription during an outage ends, but not within the same tick', async (t) => {
  const { service, pubsub, subscribe } = started()
  service.cut()
  const channel = pubsub.subscribe('a')
  t.strictSame(drain(channel), [])
  let turns = 0
  const isOver = new Promise<void>((resolve) => setTimeout(resolve, 20))
  let goesOn = true
  void isOver.then(() => (goesOn = false))
  while (goesOn) {
    await t.rejects(pubsub.subscribe('a').next(), { code: 'EVENTS_LOST' })
    turns += 1
  }
  t.ok(turns > 0, 'a reader that subscribes again at once lets timers run')
  service.mend()
  const later = await subscribe('a')
  await pubsub.publish('a', 1)
  t.strictSame(drain(later), [1])
})

void t.test(
  'with onGap: reconnect, subscriptions are interrupted, those of an outage after it',
  async (t) => {
    const { service, pubsub, subscribe } = started({ onGap: 'reconnect' })
    const before = await subscribe('a')
    await pubsub.publish('a', 1)
    service.cut()
    t.strictSame(drain(before), [1, 'INTERRUPTED'])
    const during = [pubsub.subscribe('a'), pubsub.subscribe('b')]
    await settle()
    t.strictSame(during.map(drain), [[], []], 'they wait for the service')
    service.mend()
    t.strictSame(during.map(drain), [['INTERRUPTED'], ['INTERRUPTED']])
    const later = await subscribe('a')
    await pubsub.publish('a', 2)
    t.strictSame(drain(later), [2])
  },
)

void t.test('with onGap: ignore, subscriptions go on, and onLost has the cause', async (t) => {
  const causes: unknown[] = []
  const onLost = (cause: unknown) => causes.push(cause)
  const { service, pubsub, subscribe } = started({ onGap: 'ignore', onLost })
  const channel = await subscribe('a')
  service.cut()
  const during = pubsub.subscribe('b')
  const shared = pubsub.subscribe('a')
  await t.rejects(pubsub.publish('a', 1))
  await settle()
  t.strictSame([channel, during, shared].map(drain), [[], [], []])
  service.commands.length = 0
  service.mend()
  await during.opened
  t.strictSame(service.commands.toSorted(), ['listen a', 'listen b'])
  await pubsub.publish('a', 2)
  await pubsub.publish('b', 3)
  t.strictSame([channel, during, shared].map(drain), [[2], [3], [2]])
  t.match(causes, [{ message: 'cut' }])
})

void t.test('what onLost throws is printed, and changes nothing else', async (t) => {
  const onLost = (): never => {
    throw new Error('bug')
  }
  const printed = t.capture(console, 'warn', () => {})
  const { service, subscribe } = started({ onLost })
  const channel = await subscribe('a')
  service.cut()
  t.strictSame(drain(channel), ['EVENTS_LOST'])
  t.match(printed(), [{ args: [{ message: 'bug' }] }])
})

void t.test('a subscription that an outage interrupts is made after it', async (t) => {
  const { service, pubsub } = started({ onGap: 'ignore' })
  service.failure = new Error('cut')
  const channel = pubsub.subscribe('a')
  service.cut()
  await settle()
  service.mend()
  await channel.opened
  await pubsub.publish('a', 1)
  t.strictSame(drain(channel), [1])
})

void t.test('unlisten is repeated when the connection is back', async (t) => {
  const { service, pubsub, subscribe } = started({ onGap: 'ignore' })
  const [a, b] = [await subscribe('a'), await subscribe('b')]
  service.cut()
  await Promise.all([a.return(), b.return()])
  await settle()
  pubsub.subscribe('b')
  service.commands.length = 0
  service.mend()
  await settle()
  t.strictSame(service.commands, ['listen b', 'unlisten a'])
})

void t.test('nothing is asked of a service that is away', async (t) => {
  const { service, pubsub, subscribe } = started()
  const channel = await subscribe('a')
  service.cut()
  service.commands.length = 0
  for (let at = 0; at < 10; at += 1) {
    const during = pubsub.subscribe('b')
    if (at % 2 === 0) void during.return()
    await during.opened
  }
  t.strictSame(drain(channel), ['EVENTS_LOST'])
  t.strictSame(service.commands, [])
  service.mend()
  await settle()
  t.strictSame(
    service.commands,
    ['unlisten a'],
    'clients listen again to what they have listened to',
  )
})

// oxfmt-ignore
const firstReports: readonly [report: 'cut' | 'mend', commands: readonly string[], read: readonly unknown[]][] = [
  ['mend', ['listen a'], []],
  ['cut',  [],           ['EVENTS_LOST']],
]

for (const [report, commands, read] of firstReports) {
  void t.test(`subscriptions wait while the transport connects: ${report}`, async (t) => {
    const service = new FakeService('connecting')
    const { pubsub } = started({}, service)
    const channel = pubsub.subscribe('a')
    await settle()
    t.strictSame(drain(channel), [])
    t.strictSame(service.commands, [])
    service[report]()
    await channel.opened
    t.strictSame(service.commands, commands)
    t.strictSame(drain(channel), read)
  })
}

void t.test('a subscription that the service refuses ends with its reason', async (t) => {
  const { service, pubsub } = started()
  service.failure = new Error('NOPERM')
  const channel = pubsub.subscribe('a')
  await t.rejects(channel.next(), { code: 'SUBSCRIPTION_REFUSED', cause: { message: 'NOPERM' } })
  await channel.opened
})

// oxfmt-ignore
const garbage: readonly [onGap: 'end' | 'reconnect' | 'ignore', read: readonly unknown[]][] = [
  ['end',       [1, 'EVENTS_LOST']],
  ['reconnect', [1, 'INTERRUPTED']],
  ['ignore',    [1, 2]],
]

for (const [onGap, read] of garbage) {
  void t.test(`what is not JSON is a gap: ${onGap}`, async (t) => {
    const { service, pubsub, subscribe } = started({ onGap })
    const channel = await subscribe('a')
    await pubsub.publish('a', 1)
    service.send('a', '{')
    await pubsub.publish('a', 2)
    t.strictSame(drain(channel), read)
  })
}

void t.test('a subscriber whose signal has fired asks nothing of the service', async (t) => {
  const { service, pubsub } = started()
  const channel = pubsub.subscribe('a', { signal: AbortSignal.abort() })
  await channel.opened
  t.strictSame(drain(channel), ['end'])
  t.strictSame(service.commands, [])
})

void t.test('close ends subscriptions and the transport', async (t) => {
  const { service, pubsub, subscribe } = started()
  const channel = await subscribe('a')
  pubsub.close()
  t.strictSame(drain(channel), ['end'])
  t.strictSame(service.commands, ['listen a', 'unlisten a', 'close'])
  await t.rejects(pubsub.publish('a', 1), { code: 'CLOSED' })
  t.throws(() => pubsub.subscribe('a'), { code: 'CLOSED' })
})
