import { Socket } from 'node:net'
import t from 'tap'
import { HandOver, type HandOverReceiver } from '../../../../../src/cli/serve/workers/hand-over.js'

/** A receiver that takes what the test says. */
function createPuppet(handOver: HandOver) {
  const given: Socket[] = []
  const underWay: { readonly id: number; readonly failed: () => void }[] = []
  const receiver: HandOverReceiver = {
    send(id, socket, failed) {
      given.push(socket)
      underWay.push({ id, failed })
    },
  }
  return Object.assign(receiver, {
    given,
    /** Says of the oldest that is under way whether it has arrived. */
    settle(hasArrived: boolean) {
      const oldest = underWay.shift()
      if (hasArrived) handOver.arrived(receiver, oldest?.id ?? 0)
      else oldest?.failed()
    },
    /** Says of the newest that it has arrived. */
    overtake: () => handOver.arrived(receiver, underWay.splice(0).at(-1)?.id ?? 0),
  })
}

function stage(receivers: number, maxHeld = 1000) {
  const handOver = new HandOver(maxHeld)
  const puppets = Array.from({ length: receivers }, () => createPuppet(handOver))
  for (const puppet of puppets) handOver.add(puppet)
  const hand = (count: number, remoteAddress?: string): Socket[] => {
    const sockets = Array.from({ length: count }, () => new Socket())
    for (const socket of sockets)
      Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress })
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
  puppets[0]?.settle(true)
  t.equal(socket?.destroyed, true)
})

void t.test('one that takes nothing gets no more than a few', async (t) => {
  const { hand, puppets, counts } = stage(2)
  hand(100)
  for (let taken = 0; taken < 100; taken++) puppets[1]?.settle(true)
  t.same(counts(), [16, 84])
})

void t.test('what a receiver did not get goes to another, before the younger ones', async (t) => {
  const { handOver, hand, puppets } = stage(1)
  const sockets = hand(20)
  const other = createPuppet(handOver)
  if (puppets[0] !== undefined) handOver.ended(puppets[0])
  handOver.add(other)
  t.same(other.given, sockets.slice(0, 16))
})

void t.test('one that a later one has overtaken did not arrive', async (t) => {
  const { hand, puppets } = stage(1)
  const sockets = hand(3)
  puppets[0]?.overtake()
  const cut = sockets.map(({ destroyed }) => destroyed)
  t.same(cut, [false, false, true])
  t.same(puppets[0]?.given.slice(3), sockets.slice(0, 2))
})

void t.test('a receiver cannot confirm what another was sent', async (t) => {
  const { handOver, hand, puppets } = stage(2)
  const [socket] = hand(1)
  for (const puppet of puppets) if (puppet.given.length === 0) handOver.arrived(puppet, 1)
  t.equal(socket?.destroyed, false)
})

void t.test('connections wait for the first receiver', async (t) => {
  const { handOver, hand } = stage(0)
  hand(3)
  let isEmpty = false
  const emptied = handOver.emptied().then(() => (isEmpty = true))
  await new Promise(setImmediate)
  t.equal(isEmpty, false)
  const puppet = createPuppet(handOver)
  handOver.add(puppet)
  await emptied
  t.equal(puppet.given.length, 3)
})

void t.test('of more than can be held, the youngest are closed', async (t) => {
  const { handOver, hand } = stage(0, 3)
  const sockets = hand(5)
  const cut = sockets.map(({ destroyed }) => destroyed)
  t.same(cut, [false, false, false, true, true])
  t.equal(handOver.close(), 3, 'and those that wait at the end are counted')
  t.ok(sockets.every(({ destroyed }) => destroyed))
})

void t.test('an address with many waits behind one with few', async (t) => {
  const { handOver, hand } = stage(0, 30)
  const many = hand(40, '192.0.2.1')
  const few = hand(3, '192.0.2.2')
  const open = (sockets: readonly Socket[]): number =>
    sockets.filter((one) => !one.destroyed).length
  t.same([open(many), open(few)], [27, 3], 'and makes room for it')
  const puppet = createPuppet(handOver)
  handOver.add(puppet)
  t.same(puppet.given.slice(0, 6), [many[0], few[0], many[1], few[1], many[2], few[2]])
})

void t.test('the networks of clients take turns', async (t) => {
  const { handOver, hand } = stage(0)
  const many = [1, 2, 3].flatMap((host) => hand(1, `2001:db8::${host}`))
  const few = hand(1, '2001:db8:0:1::1')
  const puppet = createPuppet(handOver)
  handOver.add(puppet)
  t.same(puppet.given, [many[0], few[0], many[1], many[2]])
})

void t.test('of clients with one connection each, the first ones keep it', async (t) => {
  const { handOver, hand } = stage(0, 3)
  const sockets = [1, 2, 3, 4].flatMap((host) => hand(1, `192.0.2.${host}`))
  t.same(
    sockets.map(({ destroyed }) => destroyed),
    [false, false, false, true],
  )
  const puppet = createPuppet(handOver)
  handOver.add(puppet)
  t.equal(puppet.given.length, 3)
  puppet.settle(true)
  hand(1, '192.0.2.5')
  t.equal(puppet.given.length, 4, 'a later one is passed on at once')
})

void t.test('a connection without a receiver is closed', async (t) => {
  const { handOver, hand, puppets } = stage(1)
  const [socket] = hand(1)
  for (let attempt = 0; attempt < 5; attempt++) puppets[0]?.settle(false)
  t.equal(socket?.destroyed, true)
  t.equal(puppets[0]?.given.length, 5)
  t.equal(handOver.close(), 1)
})
