import t, { type Test } from 'tap'
import { ByteBudget } from '../../src/base/byte-budget.js'
import { failure, success } from '../../src/base/outcome.js'
import type { SocketOperations } from '../../src/websocket/operations.js'
import { Sessions } from '../../src/websocket/sessions.js'
import { sessionTransitions } from '../../src/websocket/session-states.js'
import type { SessionEvent, SessionState } from '../../src/websocket/session-states.js'
import {
  ack,
  acknowledged,
  complete,
  denied,
  fakeSession,
  init,
  rules,
  running,
  subscribe,
  type Faked,
  type FakeSession,
} from './fake-endpoint.js'

function fail(): never {
  throw new Error('bug')
}

const never = new Promise<never>(() => undefined)
const ping = (at: number): string => JSON.stringify({ type: 'ping', payload: { at } })

const entries: { readonly [state in SessionState]: () => FakeSession } = {
  opened: () => fakeSession({ authenticate: () => never }),
  authenticating() {
    const fake = fakeSession({ authenticate: () => never })
    fake.session.receive(init)
    return fake
  },
  acknowledged: () => acknowledged(),
  leaving() {
    const fake = running(['single'], { begun: (one) => void (one.isStream = false) })
    fake.session.shutDown()
    return fake
  },
  closed() {
    const fake = acknowledged()
    fake.session.gone()
    return fake
  },
}

type Deed = ((fake: FakeSession) => void) | undefined

/** How each event happens; undefined where the test below makes it in another way. */
const deeds: { readonly [event in SessionEvent]: Deed } = {
  connection_init: ({ session }) => session.receive(init),
  ping: ({ session }) => session.receive('{"type":"ping"}'),
  pong: ({ session }) => session.receive('{"type":"pong"}'),
  subscribe: ({ session }) => session.receive(subscribe('new')),
  duplicate: ({ receive }) => receive(subscribe('single'), subscribe('single')),
  complete: ({ session }) => session.receive(complete('unknown')),
  invalid: ({ session }) => session.receive('{'),
  waited: ({ session }) => session.look(3000),
  admitted: undefined,
  denied: undefined,
  overloaded: undefined,
  idle({ session, started }) {
    session.receive(subscribe('one'))
    for (const { outlet } of started) outlet.complete()
  },
  shutDown({ session, started }) {
    for (const one of started) one.isStream = true
    session.shutDown()
  },
  shutDownBusy({ session, started }) {
    session.receive(subscribe('one'))
    for (const one of started) one.isStream = false
    session.shutDown()
  },
  expired: ({ watched }) => watched.expired(),
  stalled({ session, port }) {
    port.unsent = 1
    session.look(0)
    session.look(30_000)
  },
  flooded({ session }) {
    for (let sent = 0; sent < 200; sent += 1) session.heard()
  },
  failed({ session, port }) {
    // Whatever throws while an event is handled is a bug.
    port.send = fail
    session.receive('{"type":"ping"}')
  },
  gone: ({ session }) => session.gone(),
}

// oxfmt-ignore
const codes = new Map<string, number>([
  ['init-timeout', 4408], ['second-init', 4429], ['not-acknowledged', 4401], ['duplicate-id', 4409],
  ['invalid-message', 4400], ['denied', 4403], ['expired', 4403], ['shutdown', 1001],
  ['slow-reader', 1013], ['flooded', 1008], ['internal', 4500],
])

/** Cells that nothing outside can bring about: before the ack there is nobody whose credentials could expire. */
const unreachable = new Set(['opened expired', 'authenticating expired'])

for (const [state, row] of Object.entries(sessionTransitions)) {
  for (const [event, way] of Object.entries(row)) {
    const deed = deeds[event as SessionEvent]
    if (way === undefined || deed === undefined || unreachable.has(`${state} ${event}`)) continue
    void t.test(`${state}: ${event} leads to ${way}`, async (t) => {
      const fake = entries[state as SessionState]()
      t.equal(fake.session.state, state)
      fake.port.take()
      deed(fake)
      const code = codes.get(way)
      t.equal(fake.session.state, code === undefined ? way : 'closed')
      const closed = fake.port.take().filter((text) => text.startsWith('<close'))
      t.equal(closed.length, code === undefined ? 0 : 1, 'close frames')
      if (code !== undefined) t.match(closed[0], `<close ${code} `)
      const endings = fake.events.filter((text) => text === 'closed').length
      t.equal(endings, fake.session.state === 'closed' ? 1 : 0, 'is reported once')
    })
  }
}

void t.test('authenticating: admitted leads to acknowledged', async (t) => {
  const { session, port, events } = fakeSession({ authenticate: async () => success('me') })
  session.receive(init)
  t.same(port.take(), [])
  await new Promise(setImmediate)
  t.same(port.take(), [ack])
  t.equal(session.state, 'acknowledged')
  t.same(events, ['acknowledged'])
})

// oxfmt-ignore
const failing: readonly [title: string, authenticate: SocketOperations['authenticate'], close: string, bugs: object[]][] = [
  ['is denied with a message',    () => denied('Who are you?'), '4403 Who are you?', []],
  ['is denied without a message', () => denied(''),             '4403 Forbidden',    []],
  ['meets an overload',           () => failure({ kind: 'overloaded', message: '' }), '1013 The server is overloaded: connect again later', []],
  ['throws, which is a bug',      () => fail(),       '4500 Internal server error', [{ message: 'bug' }]],
  ['rejects, which is a bug',     async () => fail(), '4500 Internal server error', [{ message: 'bug' }]],
]
for (const [title, authenticate, close, expected] of failing) {
  void t.test(`authenticating: what ${title} closes the socket`, async (t) => {
    const { session, port, bugs } = fakeSession({ authenticate })
    session.receive(init)
    await new Promise(setImmediate)
    t.same(port.take(), [`<close ${close}>`])
    t.equal(bugs.length, expected.length)
    t.match(bugs, expected)
  })
}

void t.test('closed: a late admission changes nothing', async (t) => {
  const authenticate = async () => success('me')
  const { session, port, events, watched } = fakeSession({ authenticate })
  session.receive(init)
  session.gone()
  await new Promise(setImmediate)
  t.same(port.take(), [])
  t.same(events, ['closed'])
  t.notOk(watched.isWatched)
})

void t.test('credentials are watched until the socket closes', async (t) => {
  const { session, watched } = acknowledged()
  t.ok(watched.isWatched)
  session.gone()
  t.notOk(watched.isWatched)
})

void t.test('credentials that expire at once end the socket without an ack', async (t) => {
  const { session, port, operations, watched } = fakeSession()
  Object.assign(operations, {
    watch: (_: unknown, expired: () => void) => {
      expired()
      watched.isWatched = true
      return () => void (watched.isWatched = false)
    },
  })
  session.receive(init)
  t.match(port.take(), ['<close 4403 The credentials have expired or were revoked>'])
  t.notOk(watched.isWatched)
})

type HeaderCase = [headers: string[], payload: unknown, expected: string | undefined]
const headerCases: HeaderCase[] = [
  [[], { Authorization: 'Bearer a' }, 'Bearer a'],
  [[], { authorization: 'Bearer a' }, 'Bearer a'],
  [[], { Authorization: 'a', authorization: 'b' }, undefined],
  [['Authorization', 'Bearer own'], { Authorization: 'Bearer a' }, 'Bearer own'],
  [[], { Authorization: ['Bearer a'] }, undefined],
  [[], { Authorization: 'Bearer a\r\nCookie: b' }, undefined],
  [[], { Authorization: '' }, undefined],
  [[], { Authorization: 'a'.repeat(16_384) }, 'a'.repeat(16_384)],
  [[], { Authorization: 'a'.repeat(16_385) }, undefined],
  [[], { headers: { Authorization: 'Bearer a' }, cookie: 'b' }, undefined],
]
for (const [headers, payload, expected] of headerCases) {
  void t.test(`of ${JSON.stringify([headers, payload])}, the head has ${expected}`, async (t) => {
    const forRun = new ByteBudget(100_000, 50)
    const { session, started } = fakeSession({ head: { headers }, forRun })
    session.receive(JSON.stringify({ type: 'connection_init', payload }))
    session.receive(subscribe('1'))
    const lines = started[0]?.client.head.headers ?? []
    const at = lines.findIndex((name) => name.toLowerCase() === 'authorization')
    t.equal(at < 0 ? undefined : lines[at + 1], expected)
    t.equal(lines.length, expected === undefined ? 0 : 2, 'nothing else is taken')
  })
}

const busy = 1000
const taken = '<close 4409 Subscriber for 1 already exists>'
const goingAway = '<close 1001 Going away: connect again>'
const slow = { messagesPerSecond: 10, messageBurst: 20 }
const asSingle: Faked = { begun: (one) => void (one.isStream = false) }

/** Operations that run, what happens then, what is sent, and why each operation was stopped. */
// oxfmt-ignore
const plays: readonly [
  title: string, ids: readonly string[], play: (fake: FakeSession, t: Test) => void,
  sent: readonly (string | RegExp)[], stopped: readonly (readonly string[])[], faked?: Faked,
][] = [
  ['results, then complete; the id is free again', ['a"b'], ({ receive, started: [one] }) => {
    one!.outlet.next('{"data":1}')
    one!.outlet.complete()
    receive(subscribe('a"b'))
  }, ['{"id":"a\\"b","type":"next","payload":{"data":1}}', '{"id":"a\\"b","type":"complete"}'], [[], []]],
  ['an error ends the operation, and nothing follows', ['1'], ({ started: [one] }) => {
    one!.outlet.error('[{"message":"no"}]')
    one!.outlet.complete()
    one!.outlet.next('{}')
    one!.outlet.error('[]')
  }, ['{"id":"1","type":"error","payload":[{"message":"no"}]}'], [[]]],
  ['what the client completed is stopped at once, without a word', ['1'], ({ receive, started: [one] }) => {
    receive(complete('1'), complete('1'))
    one!.outlet.next('{}')
    one!.outlet.complete()
    one!.outlet.error('[]')
  }, [], [['client-complete']]],
  ['an id that is used again is kept apart from its former operation', ['1'], ({ receive, started }) => {
    receive(complete('1'), subscribe('1'))
    started[0]!.outlet.next('{"old":1}')
    started[0]!.outlet.complete()
    started[1]!.outlet.next('{"new":1}')
    receive(subscribe('1'))
  }, ['{"id":"1","type":"next","payload":{"new":1}}', taken], [['client-complete'], ['client-gone']]],
  ['an operation that ends while it starts is not stopped', ['1'], ({ session }) => session.gone(), ['{"id":"1","type":"complete"}'], [[]], {
    begun: ({ outlet }) => outlet.complete(),
  }],
  ['there are at most so many operations at once', ['1', '2', '3', '4'], ({ receive }) => receive(complete('2'), subscribe('4')), [
    '{"id":"4","type":"error","payload":[{"message":"A socket can have at most 3 operations at once.","extensions":{"code":"TOO_MANY_STREAMS"}}]}',
  ], [[], ['client-complete'], [], []]],
  ['messages after the end of the session, in its packet, are ignored', [], ({ session, receive }) => {
    receive('[]', init, subscribe('1'), '{"type":"ping"}', '{')
    session.receiveBinary()
    session.drained()
    session.look(1_000_000)
    session.shutDown()
  }, [/^<close 4400 /], []],
  ['the pong has the payload of the ping', [], ({ receive }) => {
    receive('{"type":"ping"}', '{"type":"ping","payload":null}', ping(1))
  }, ['{"type":"pong"}', '{"type":"pong"}', '{"type":"pong","payload":{"at":1}}'], []],
  ['while the client does not read, only the newest pong waits', [], ({ session, receive, port }, t) => {
    port.unsent = busy
    receive(ping(1), ping(2), ping(3))
    t.same(port.log, [])
    port.unsent = 0
    session.drained()
  }, ['{"type":"pong","payload":{"at":3}}'], []],
  ['a new operation starts when the client has read', [], ({ session, receive, port, started }, t) => {
    port.unsent = busy
    receive(subscribe('1'), subscribe('2'), complete('1'))
    t.same(started, [])
    port.unsent = 0
    session.drained()
  }, [], [['client-complete'], []]],
  ['an id that waits is taken', [], ({ session, receive, port }, t) => {
    port.unsent = busy
    receive(subscribe('1'), subscribe('1'))
    t.same(port.log, [])
    port.unsent = 0
    session.drained()
  }, [taken], [['client-gone']]],
  ['a client that sends too much has to wait', [], ({ session, receive, started }, t) => {
    receive(...Array.from({ length: 19 }, () => '{"type":"pong"}'), subscribe('1'), complete('1'))
    t.same(started, [])
    session.look(1000)
  }, [], [['client-complete']], { rules: slow }],
  ['at shutdown streams end without a word, single results are sent', ['stream', 'single'], ({ session, receive, started: [, single] }) => {
    single!.isStream = false
    session.shutDown()
    receive(subscribe('late'))
    single!.outlet.next('{}')
    single!.outlet.complete()
  }, ['{"id":"single","type":"next","payload":{}}', '{"id":"single","type":"complete"}', goingAway], [['shutdown'], []]],
  ['an operation that is over cannot interrupt others', ['over', 'runs'], ({ started: [over] }) => {
    over!.outlet.complete()
    over!.outlet.interrupt?.()
  }, ['{"id":"over","type":"complete"}'], [[], []]],
  ['an operation that is interrupted ends its socket, as a shutdown does', ['first', 'stream', 'single'], ({ started: [first, , single] }) => {
    single!.isStream = false
    first!.outlet.interrupt?.()
    first!.outlet.interrupt?.()
    single!.outlet.complete()
  }, ['{"id":"single","type":"complete"}', goingAway], [['shutdown'], ['shutdown'], []]],
  ['what becomes a stream at shutdown is stopped by the clock', ['1'], ({ session, started: [one] }, t) => {
    session.shutDown()
    session.look(1000)
    t.equal(session.state, 'leaving')
    one!.isStream = true
    session.look(2000)
  }, [goingAway], [['shutdown']], asSingle],
  ['what has not started at shutdown is dropped', [], ({ session, receive, port }) => {
    port.unsent = busy
    receive(subscribe('1'))
    session.shutDown()
  }, [goingAway], []],
  ['at shutdown the client may complete the last one', ['1'], ({ session, receive }) => {
    session.shutDown()
    receive(complete('1'))
  }, [goingAway], [['client-complete']], asSingle],
]

for (const [title, ids, play, sent, stopped, faked] of plays) {
  void t.test(title, async (t) => {
    const fake = running(ids, faked)
    play(fake, t)
    const log = fake.port.take()
    t.match(log, sent)
    t.equal(log.length, sent.length)
    const found = fake.started.map((one) => one.stopped)
    t.same(found, stopped)
  })
}

void t.test('a socket that closes while an operation starts stops it', async (t) => {
  const fake: FakeSession = acknowledged({ begun: () => fake.session.gone() })
  fake.receive(subscribe('1'))
  t.same(fake.started[0]!.stopped, ['client-gone'])
})

void t.test('the server pings, and gives up after two that are not answered', async (t) => {
  const { session, port, started } = running(['1'])
  const lookAt = (...times: number[]): string[] => {
    for (const time of times) session.look(time)
    return port.take()
  }
  t.same(lookAt(11_999), [])
  t.same(lookAt(12_000), ['<ping>'])
  t.same(lookAt(24_000), ['<ping>'])
  session.heard()
  t.same(lookAt(36_000, 48_000), ['<ping>', '<ping>'])
  t.same(lookAt(60_000), ['<terminate>'])
  t.same(started[0]!.stopped, ['client-gone'])
})

void t.test('operations wait when there is too much to read, and go on in turn', async (t) => {
  const { session, port, started } = running(['1', '2'])
  const [one, two] = started as [(typeof started)[0], (typeof started)[0]]
  t.ok(one.outlet.next('{}'))
  port.unsent = 1000
  t.notOk(one.outlet.next('{}'))
  t.notOk(two.outlet.next('{}'))
  for (const [unsent, resumed, why] of [
    [1000, 0, 'there is still too much'],
    [0, 1, 'it has read'],
    [0, 1, 'once'],
  ] as const) {
    port.unsent = unsent
    session.drained()
    t.same([one.resumed, two.resumed], [resumed, resumed], why)
  }
})

void t.test('reading a little within the time is enough', async (t) => {
  const { session, port } = acknowledged()
  port.unsent = 1
  for (let at = 0; at < 30_000; at += 1000) session.look(at)
  session.heard()
  session.drained()
  for (const at of [30_000, 59_000]) session.look(at)
  t.equal(session.state, 'acknowledged')
  session.look(60_000)
  t.equal(session.state, 'closed')
})

void t.test('a client that sends too much gets its pongs late', async (t) => {
  const { session, receive, port } = acknowledged({ rules: slow })
  receive(...Array.from({ length: 49 }, (_, at) => ping(at)))
  t.equal(port.take().length, 19)
  for (const at of [1000, 2000, 3000, 4000]) session.look(at)
  t.match(port.take().at(-1), '"at":48')
})

void t.test('a client that sends too much is gone at once, whatever waits', async (t) => {
  const ids = Array.from({ length: 39 }, (_, at) => String(at))
  const { session, started } = running(ids, { rules: slow })
  session.gone()
  session.look(1000)
  t.equal(started.length, 3)
  for (const { stopped } of started) t.same(stopped, ['client-gone'])
})

// oxfmt-ignore
const floods: readonly [title: string, flood: (session: FakeSession['session']) => void, first: string, close: string][] = [
  ['floods frames and does not stop',                      (session) => session.heard(),                    '{"type":"pong"}', '<close 1008 Too many messages>'],
  ['floods pings and does not stop',                       (session) => session.receive('{"type":"ping"}'), '{"type":"pong"}', '<close 1008 Too many messages>'],
  ['floods completes and does not stop',                   (session) => session.receive(complete('1')),     '{"type":"pong"}', '<close 1008 Too many messages>'],
  ['goes on with frames after the close frame',            (session) => session.heard(),                    'no JSON',         '<close 4400 '],
  ['goes on with messages after the close frame',          (session) => session.receive('no JSON'),         'no JSON',         '<close 4400 '],
  ['goes on with binary messages after the close frame',   (session) => session.receiveBinary(),            'no JSON',         '<close 4400 '],
]
for (const [title, flood, first, close] of floods) {
  void t.test(`a client that ${title} is cut off`, async (t) => {
    const { session, port } = acknowledged({ rules: slow })
    session.receive(first)
    for (let sent = 0; sent < 100; sent += 1) flood(session)
    const log = port.take()
    t.match(log[log.indexOf('<terminate>') - 1], close)
  })
}

void t.test('operations get the reason why their socket closed', async (t) => {
  const causes: [deed: (fake: FakeSession) => void, cause: string][] = [
    [deeds.gone!, 'client-gone'],
    [deeds.invalid!, 'client-gone'],
    [deeds.expired!, 'expired'],
    [({ session }) => session.shutDown(), 'shutdown'],
    [deeds.stalled!, 'slow-reader'],
  ]
  for (const [deed, cause] of causes) {
    const fake = running(['1'])
    deed(fake)
    t.same(fake.started[0]!.stopped, [cause])
  }
})

void t.test('start that throws is a bug', async (t) => {
  const { port, bugs } = running(['1'], { begun: fail })
  t.same(port.take(), ['<close 4500 Internal server error>'])
  t.match(bugs, [{ message: 'bug' }])
})

void t.test('sockets that are left at the deadline are cut', async (t) => {
  const { port, operations } = fakeSession()
  const sessions = new Sessions(operations, { ...rules, maxSockets: 2, maxWaitingSockets: 2 })
  const head = { method: 'GET', target: '/graphql', headers: [], raw: {} }
  const session = sessions.open(head, port)
  port.terminate = () => sessions.release(session)
  t.same(sessions.stats, { open: 1, waiting: 1 })
  t.same(await sessions.close({ spread: 0, deadline: 1 }), { closed: 0, cut: 1 })
  t.equal(sessions.hasRoomFor(head), false)
})
