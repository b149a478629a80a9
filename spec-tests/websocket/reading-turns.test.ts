import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as turn } from 'node:timers/promises'
import t from 'tap'
import { TurnLines } from '../../src/base/turn-lines.js'
import { Turns } from '../../src/base/turns.js'
import { thrower } from '../base/thrower.js'
import { acknowledged, complete, subscribe, type FakeSession } from './fake-endpoint.js'

const perTurn = 16
/** One operation at a time may run on a socket, and its messages need not wait. */
const rules = { maxStreamsPerSocket: 1, messagesPerSecond: 1000, messageBurst: 1000 }

function ping(length: number): string {
  return JSON.stringify({ type: 'ping', payload: { text: 'a'.repeat(length) } })
}

/** How many operations have started on each socket. */
function read(sockets: readonly FakeSession[]): number[] {
  return sockets.map(({ started }) => started.length)
}

void t.test('all sockets together read a bounded number of messages in a turn', async (t) => {
  const turns = new Turns(perTurn, perTurn)
  // Each reads an init.
  const sockets = [acknowledged({ turns, rules }), acknowledged({ turns, rules })]
  for (const { session } of sockets) {
    for (let id = 0; id < 40; id += 1) {
      session.receive(subscribe(String(id)))
      session.receive(complete(String(id)))
    }
  }
  const after = [read(sockets).join()]
  while (read(sockets).some((count) => count < 40)) {
    await turn()
    after.push(read(sockets).join())
  }
  // The first has read 14 messages; then they take turns.
  t.same(after.slice(0, 3), ['7,0', '11,4', '15,8'])
  t.equal(after.length, 11, 'turns')
  for (const { started, port } of sockets) {
    t.same(port.take(), [], 'each operation was completed before the next one, so there was room')
    for (const { stopped } of started) t.same(stopped, ['client-complete'])
  }
})

void t.test('a client with many sockets keeps that of another waiting no longer', async (t) => {
  const turns = new Turns(perTurn, perTurn)
  const lines = new TurnLines<string | object>(turns)
  const many = Array.from({ length: 50 }, () => acknowledged({ turns, lines, rules, owner: 'a' }))
  const other = acknowledged({ turns, lines, rules, owner: 'b' })
  // Their first messages have to wait, too.
  await turn()
  turns.note(perTurn)
  for (const { session } of [...many, other]) session.receive(subscribe('1'))
  t.same(read([...many, other]), Array(51).fill(0))
  await turn()
  t.same(read([other]), [1])
  t.ok(read(many).filter((count) => count > 0).length < 20)
  while (read(many).includes(0)) await turn()
})

void t.test('messages are handled in the asynchronous context of their socket', async (t) => {
  const users = new AsyncLocalStorage<string>()
  const turns = new Turns(perTurn, perTurn)
  const lines = new TurnLines<string | object>(turns)
  const seen: unknown[] = []
  const begun = (): void => void seen.push(users.getStore())
  const [ada, bob] = ['ada', 'bob'].map((user) =>
    users.run(user, () => acknowledged({ turns, lines, rules, begun })),
  )
  users.run('eve', () => ada?.session.receive(subscribe('1')))
  turns.note(perTurn)
  users.run('eve', () => bob?.session.receive(subscribe('1')))
  while (seen.length < 2) await turn()
  t.same(seen, ['ada', 'bob'])
})

const slow = { ...rules, messageBurst: 5, messagesPerSecond: 5 }

/** How many pings of a length wait for a turn, and whether their socket is cut for it. */
// oxfmt-ignore
const waits: readonly [title: string, turns: Turns, rules: object, held: number, count: number, length: number, isCut: boolean][] = [
  ['is not limited by the size of one message',            new Turns(perTurn, perTurn), rules, 0,    40, 200, false],
  ['has the budget of all that waits',                     new Turns(1, 1),             rules, 0,    40, 300, true],
  ['has a budget of its own, apart from what is incomplete', new Turns(1, 1),           rules, 9000, 20, 300, false],
  ['is limited where its client sends more than it may',   new Turns(1, 1),             slow,  0,    30, 200, true],
]
for (const [title, turns, ofRow, held, count, length, isCut] of waits) {
  void t.test(`what waits for a turn ${title}`, async (t) => {
    const { session, port } = acknowledged({ turns, rules: ofRow })
    if (held > 0) session.receivePart(held)
    for (let sent = 0; sent < count; sent += 1) session.receive(ping(length))
    if (isCut) t.match(port.take().slice(-2), [/^<close 1008 /, '<terminate>'])
    else t.equal(session.state, 'acknowledged')
  })
}

void t.test('what waited until its client had read is read in turns', async (t) => {
  const { session, port, started } = acknowledged({ turns: new Turns(4, 4), rules })
  port.unsent = 1000
  for (let id = 0; id < 12; id += 1) {
    session.receive(subscribe(String(id)))
    session.receive(complete(String(id)))
  }
  port.unsent = 0
  session.drained()
  t.ok(started.length < 4)
  for (let turns = 0; turns < 12; turns += 1) await turn()
  t.equal(started.length, 12)
})

void t.test('what waits for a turn is not read once its socket has closed', async (t) => {
  const { session, started } = acknowledged({ turns: new Turns(1, 1), rules })
  session.receive(subscribe('1'))
  session.gone()
  await turn()
  t.same(started, [])
})

void t.test('what waits for a turn and is a bug closes the socket', async (t) => {
  const begun = thrower(new Error('bug'))
  const { session, port, bugs } = acknowledged({ turns: new Turns(1, 1), begun })
  session.receive(subscribe('1'))
  await turn()
  t.same(port.take(), ['<close 4500 Internal server error>'])
  t.match(bugs, [{ message: 'bug' }])
})
