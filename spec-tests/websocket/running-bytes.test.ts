import t from 'tap'
import { ByteBudget } from '../../src/base/byte-budget.js'
import { success } from '../../src/base/outcome.js'
import { defer } from '../base/defer.js'
import { acknowledged, complete, denied, fakeSession, subscribe } from './fake-endpoint.js'
import type { Faked, FakeSession } from './fake-endpoint.js'

/** With 64 or more of the rest, 2,000 characters: of a budget of 10,000, one client may hold half. */
const long = (id: string): string => subscribe(id, `{a}${' '.repeat(1_900)}`)

type Deed = (fake: FakeSession) => void

/** What gives the room of the first of two operations back. */
const ends: { readonly [name: string]: Deed } = {
  'its client completes it': ({ receive }) => receive(complete('1')),
  'it has its result': ({ started }) => started[0]?.outlet.complete(),
  'it has failed': ({ started }) => started[0]?.outlet.error('[]'),
  'it becomes a stream, which has a budget of its own': ({ started }) =>
    started[0]?.outlet.opened?.(),
}

const overloaded =
  '{"id":"3","type":"error","payload":[{"message":"Too many messages in progress; retry in 1 second.",' +
  '"extensions":{"code":"OVERLOADED"}}]}'

for (const [name, end] of Object.entries(ends)) {
  void t.test(`a message counts until ${name}`, async (t) => {
    const fake = acknowledged({ owner: 'A' })
    const { receive, port, started, session } = fake
    receive(long('1'), long('2'), long('3'))
    t.same(port.take(), [overloaded], 'that operation is refused, and the socket stays')
    end(fake)
    port.take()
    receive(long('3'))
    t.equal(started.length, 3)
    end(fake)
    receive(long('4'))
    t.equal(started.length, 3, 'its room is given back once')
    t.equal(session.state, 'acknowledged')
  })
}

void t.test('a message that its client completes counts until its resolvers end', async (t) => {
  const left = defer()
  const { receive, port, started } = acknowledged({ owner: 'A', left: left.promise })
  receive(long('1'), long('2'), complete('1'), long('3'))
  t.same(port.take(), [overloaded])
  left.resolve()
  await left.promise
  receive(long('3'))
  t.equal(started.length, 3)
})

void t.test('lists and objects count more, since parsed they take more', async (t) => {
  const { receive, port, started } = acknowledged({ owner: 'A' })
  const full = (id: string, piece: string): string =>
    subscribe(id, '{a}').replace('"query"', `"extensions":{"a":[${piece.repeat(300)}0]},"query"`)
  receive(full('1', '{},'), full('2', '[],'), full('3', '0,'))
  t.match(port.take(), [/^{"id":"2","type":"error"/])
  t.equal(started.length, 2)
})

void t.test('an operation that waits for its client to read counts, too', async (t) => {
  const { receive, port, session, started } = acknowledged({ owner: 'A' })
  receive(long('1'))
  port.unsent = 1000
  receive(long('2'))
  port.unsent = 0
  session.drained()
  receive(long('3'))
  t.same(port.take(), [overloaded])
  t.equal(started.length, 2)
})

void t.test('all sockets share the room, and each client has a part of it', async (t) => {
  const forRun = new ByteBudget(10_000, 50)
  const first = acknowledged({ owner: 'A', forRun })
  const second = acknowledged({ owner: 'A', forRun })
  const other = acknowledged({ owner: 'B', forRun })
  first.receive(long('1'), long('2'))
  second.receive(long('3'))
  t.same(second.port.take(), [overloaded])
  other.receive(long('1'))
  t.equal(other.started.length, 1)
  first.session.release()
  second.receive(long('3'))
  t.equal(second.started.length, 1, 'a socket that has closed holds nothing')
})

const longInit = JSON.stringify({ type: 'connection_init', payload: { a: ' '.repeat(3_000) } })

for (const [name, outcome, code] of [
  ['admitted', success('me'), undefined],
  ['denied', denied('no'), 4403],
] as const) {
  void t.test(`connection_init counts until its client is ${name}`, async (t) => {
    const forRun = new ByteBudget(10_000, 50)
    const known = defer<typeof outcome>()
    const open = () => fakeSession({ owner: 'A', forRun, authenticate: () => known.promise })
    const [first, second] = [open(), open()]
    first.receive(longInit)
    second.receive(longInit)
    t.match(second.port.take(), [/^<close 1013 /], 'a second one does not fit')
    known.resolve(outcome)
    await new Promise(setImmediate)
    t.match(first.port.take(), [code === undefined ? /ack/ : `<close ${code} no>`])
    const third = open()
    third.receive(longInit)
    t.equal(third.session.state, 'authenticating')
  })
}

void t.test('connection_init counts until authenticate ends, though the client left', async (t) => {
  const forRun = new ByteBudget(10_000, 50)
  const ended = defer()
  const authenticate: Faked['authenticate'] = (_, _payload, onClientGone) =>
    new Promise((resolve) => {
      onClientGone(() => {
        resolve(denied('gone'))
        return ended.promise
      })
    })
  const open = () => fakeSession({ owner: 'A', forRun, authenticate })
  const first = open()
  first.receive(longInit)
  first.session.gone()
  await new Promise(setImmediate)
  const second = open()
  second.receive(longInit)
  t.equal(second.session.state, 'closed')
  ended.resolve()
  await new Promise(setImmediate)
  const third = open()
  third.receive(longInit)
  t.equal(third.session.state, 'authenticating')
})
