import t from 'tap'
import {
  createPubSub,
  fromEvent,
  ioredisTransport,
  natsTransport,
  postgresTransport,
  redisTransport,
  type Transport,
} from '@graphwire/pubsub'

const pubsub = createPubSub()
const methods = { publish() {}, on() {}, off() {}, duplicate() {} }
const unused: Transport = () => ({
  publish: async () => {},
  listen: async () => {},
  unlisten: async () => {},
  close: () => {},
})

// oxfmt-ignore
const rows: readonly [call: () => unknown, message: string][] = [
  [() => createPubSub(null as never),                              'createPubSub: expected an object such as { maxQueued: 256 }, got null.'],
  [() => createPubSub({ maxQueue: 1 } as never),                   'createPubSub: maxQueue is not an option. Did you mean "maxQueued"?'],
  [() => createPubSub({ maxQueued: 0 }),                           'createPubSub: maxQueued: expected a whole number from 1 to 100000 or undefined, got 0.'],
  [() => createPubSub({ overflow: 'drop' as never }),              'createPubSub: overflow: expected "end", "drop-oldest", "drop-newest", "latest" or undefined, got "drop".'],
  [() => createPubSub({ onGap: 'error' as never }),                'createPubSub: onGap: expected "end", "reconnect", "ignore" or undefined, got "error".'],
  [() => createPubSub({ transport: { publish() {} } as never }),   'createPubSub: transport: expected a transport such as redisTransport(client), or undefined, got an object. Pass the client to the transport for it.'],
  [() => pubsub.subscribe(''),                                     'subscribe, topic: expected a text of 1 to 400 characters without control characters, got "".'],
  [() => pubsub.subscribe(7 as never),                             'subscribe, topic: expected a text of 1 to 400 characters without control characters, got 7.'],
  [() => pubsub.subscribe('a\n'),                                  'subscribe, topic: expected a text of 1 to 400 characters without control characters, got "a\\n".'],
  [() => pubsub.subscribe('a\ud800'),                              'subscribe, topic: expected a text of 1 to 400 characters without control characters, got "a\\ud800".'],
  [() => pubsub.subscribe('a', { signal: true as never }),         'subscribe: signal: expected an AbortSignal or undefined, got true.'],
  [() => pubsub.subscribe('a', { filter: 'id' as never }),         'subscribe: filter: expected a function or undefined, got "id".'],
  [() => pubsub.subscribe('a', { after: '17' as never }),          'subscribe: after: expected a function or undefined, got "17".'],
  [() => pubsub.subscribe('a', { fliter: () => true } as never),   'subscribe: fliter is not an option. Did you mean "filter"?'],
  [() => fromEvent({} as never, 'a'),                              'fromEvent, first argument: expected an EventEmitter or an EventTarget, got an object.'],
  [() => fromEvent(new EventTarget(), 1 as never),                 'fromEvent, second argument: expected the name of an event, got 1.'],
  [() => fromEvent(new EventTarget(), 'a', { max: 1 } as never),   'fromEvent: max is not an option. Did you mean "maxQueued"?'],
  [() => redisTransport('redis://' as never),                      'redisTransport: expected a client such as createClient(), got "redis://".'],
  [() => redisTransport(new Map() as never),                       'redisTransport: expected a client such as createClient(), got one without `publish`.'],
  [() => ioredisTransport({} as never),                            'ioredisTransport: expected a client such as new Redis(), got one without `publish`.'],
  [() => redisTransport({ ...methods, status: 'ready' } as never), 'redisTransport: expected a client such as createClient(), got one without `isReady`.'],
  [() => redisTransport({ ...methods, isReady: true, masters: [] } as never), 'redisTransport: expected a client of one node, such as createClient(), got one of a cluster.'],
  [() => ioredisTransport({ ...methods, isReady: true } as never), 'ioredisTransport: expected a client such as new Redis(), got one without `status`.'],
  [() => redisTransport({ ...methods, isReady: true } as never, {} as never), 'redisTransport, second argument: expected a client such as client.duplicate(), got one without `publish`.'],
  [() => ioredisTransport({ ...methods, status: 'ready' } as never, {} as never), 'ioredisTransport, second argument: expected a client such as redis.duplicate(), got one without `publish`.'],
  [() => natsTransport(Promise.resolve() as never),                'natsTransport: expected a client such as await connect(), got one without `publish`.'],
  [() => postgresTransport({} as never),                           'postgresTransport: connect: expected a function, got undefined.'],
  [() => postgresTransport({ connect: async () => ({}) as never, maxRetryDelay: 0 }),  'postgresTransport: maxRetryDelay: expected a whole number from 100 to 300000 or undefined, got 0.'],
]

for (const [call, message] of rows) {
  void t.test(message, async (t) => t.throws(call, { name: 'TypeError', message }))
}

// oxfmt-ignore
const rejections: readonly [publish: () => Promise<void>, message: string | RegExp][] = [
  [() => pubsub.publish('', 1),                                             'publish, topic: expected a text of 1 to 400 characters without control characters, got "".'],
  [() => createPubSub({ transport: unused }).publish('a', undefined),       'publish: the event for "a" cannot be written as JSON, which a transport needs.'],
  [() => createPubSub({ transport: unused }).publish('a', () => {}),        'publish: the event for "a" cannot be written as JSON, which a transport needs.'],
  [() => createPubSub({ transport: unused }).publish('a', { id: 1n }),      /BigInt/],
]

for (const [publish, message] of rejections) {
  void t.test(String(message), async (t) => t.rejects(publish(), { name: 'TypeError', message }))
}
