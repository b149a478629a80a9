import t from 'tap'
import { TurnLines } from '../../src/base/turn-lines.js'
import { Turns } from '../../src/base/turns.js'
import { acknowledged, complete, subscribe, type FakeSession } from './fake-endpoint.js'

const perTurn = 16
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
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
  const after: number[][] = [read(sockets)]
  while (read(sockets).some((count) => count < 40)) {
    await turn()
    after.push(read(sockets))
  }
  // The first has read 14 messages; then they take turns.
  t.same(after.slice(0, 3), [
    [7, 0],
    [11, 4],
    [15, 8],
  ])
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

void t.test('what waits for a turn', async (t) => {
  await t.test('is not read once its socket has closed', async (t) => {
    const turns = new Turns(1, 1)
    const { session, started } = acknowledged({ turns, rules })
    session.receive(subscribe('1'))
    session.gone()
    await turn()
    t.same(started, [])
  })

  await t.test('is not limited by the size of one message', async (t) => {
    const turns = new Turns(perTurn, perTurn)
    const { session } = acknowledged({ turns, rules })
    for (let sent = 0; sent < 40; sent += 1) session.receive(ping(200))
    t.equal(session.state, 'acknowledged', 'more than maxMessageBytes wait')
  })

  await t.test('has the budget of all that waits', async (t) => {
    const turns = new Turns(1, 1)
    const { session, port } = acknowledged({ turns, rules })
    for (let sent = 0; sent < 40; sent += 1) session.receive(ping(300))
    t.match(port.take().slice(-2), [/^<close 1008 /, '<terminate>'])
  })

  await t.test('has a budget of its own, apart from what is incomplete', async (t) => {
    const turns = new Turns(1, 1)
    const { session } = acknowledged({ turns, rules })
    session.receivePart(9000)
    for (let sent = 0; sent < 20; sent += 1) session.receive(ping(300))
    t.equal(session.state, 'acknowledged')
  })

  await t.test('is limited where its client sends more than it may', async (t) => {
    const turns = new Turns(1, 1)
    const slow = { ...rules, messageBurst: 5, messagesPerSecond: 5 }
    const { session, port } = acknowledged({ turns, rules: slow })
    for (let sent = 0; sent < 30; sent += 1) session.receive(ping(200))
    t.match(port.take().slice(-2), [/^<close 1008 /, '<terminate>'])
  })

  await t.test('that is a bug closes the socket', async (t) => {
    const turns = new Turns(1, 1)
    const { session, port, bugs } = acknowledged({
      turns,
      begun() {
        throw new Error('bug')
      },
    })
    session.receive(subscribe('1'))
    await turn()
    t.same(port.take(), ['<close 4500 Internal server error>'])
    t.match(bugs, [{ message: 'bug' }])
  })
})
