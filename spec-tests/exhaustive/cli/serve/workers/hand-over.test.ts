import { Socket } from 'node:net'
import t from 'tap'
import {
  createTransfers,
  HandOver,
  type Receiver,
} from '../../../../../src/cli/serve/workers/hand-over.js'

/** A receiver that takes what the test says, in order. */
interface Puppet extends Receiver {
  readonly given: readonly Socket[]
  /** Says of the oldest that is under way whether it has arrived. */
  settle(arrived: boolean): Promise<void>
}

function createPuppet(): Puppet {
  const given: Socket[] = []
  const underWay: ((arrived: boolean) => void)[] = []
  return {
    given,
    pending: () => underWay.length,
    take(socket) {
      given.push(socket)
      return new Promise((resolve) => underWay.push(resolve))
    },
    async settle(arrived) {
      underWay.shift()?.(arrived)
      await new Promise(setImmediate)
    },
  }
}

function stage(receivers: number, maxHeld = 1000) {
  const handOver = new HandOver(maxHeld)
  const puppets = Array.from({ length: receivers }, createPuppet)
  for (const puppet of puppets) handOver.add(puppet)
  const hand = (count: number): Socket[] => {
    const sockets = Array.from({ length: count }, () => new Socket())
    for (const socket of sockets) handOver.hand(socket)
    return sockets
  }
  const counts = (): number[] => puppets.map(({ given }) => given.length)
  return { handOver, puppets, hand, counts }
}

void t.test('connections go to the receivers in turn', async (t) => {
  const { hand, counts } = stage(3)
  hand(9)
  t.same(counts(), [3, 3, 3])
})

void t.test('our copy is closed when the receiver has it, and not before', async (t) => {
  const { hand, puppets } = stage(1)
  const [socket] = hand(1)
  t.equal(socket?.destroyed, false)
  await puppets[0]?.settle(true)
  t.equal(socket?.destroyed, true)
})

void t.test('one that takes nothing gets no more than a few', async (t) => {
  const { hand, puppets, counts } = stage(2)
  hand(100)
  for (let taken = 0; taken < 100; taken++) await puppets[1]?.settle(true)
  t.same(counts(), [16, 84])
})

void t.test('what a receiver did not get goes to another, before the younger ones', async (t) => {
  const { handOver, hand, puppets } = stage(1)
  const [first] = hand(20)
  const other = createPuppet()
  if (puppets[0] !== undefined) handOver.remove(puppets[0])
  await puppets[0]?.settle(false)
  handOver.add(other)
  t.equal(other.given[0], first)
  t.equal(other.given.length, 5)
})

void t.test('connections wait for the first receiver', async (t) => {
  const { handOver, hand } = stage(0)
  hand(3)
  let isEmpty = false
  const emptied = handOver.emptied().then(() => (isEmpty = true))
  await new Promise(setImmediate)
  t.equal(isEmpty, false)
  const puppet = createPuppet()
  handOver.add(puppet)
  await emptied
  t.equal(puppet.given.length, 3)
})

void t.test('of more than can be held, the youngest are closed', async (t) => {
  const { handOver, hand } = stage(0, 3)
  const sockets = hand(5)
  t.same(
    sockets.map(({ destroyed }) => destroyed),
    [false, false, false, true, true],
  )
  t.equal(handOver.close(), 3, 'and those that wait at the end are counted')
  t.ok(sockets.every(({ destroyed }) => destroyed))
})

void t.test('a connection without a receiver is closed', async (t) => {
  const { handOver, hand, puppets } = stage(1)
  const [socket] = hand(1)
  for (let attempt = 0; attempt < 5; attempt++) await puppets[0]?.settle(false)
  t.equal(socket?.destroyed, true)
  t.equal(puppets[0]?.given.length, 5)
  t.equal(handOver.close(), 1)
})

void t.test('transfers arrive, fail or are overtaken', async (t) => {
  const sent: number[] = []
  const failures: (() => void)[] = []
  const { send, arrived, size, close } = createTransfers<string>((id, _thing, failed) => {
    sent.push(id)
    failures.push(failed)
  })
  const results = ['a', 'b', 'c', 'd', 'e'].map((thing) => send(thing))
  t.same(sent, [1, 2, 3, 4, 5])
  arrived(1)
  failures[1]?.()
  arrived(4)
  t.equal(size(), 1)
  close()
  t.same(await Promise.all(results), [true, false, false, true, false])
  t.equal(await send('f'), false)
  t.equal(sent.length, 5, 'nothing is sent after the end')
})
