import { setImmediate as turn } from 'node:timers/promises'
import t from 'tap'
import { longTurns } from '../../src/base/long-turns.js'
import { TurnLines } from '../../src/base/turn-lines.js'
import { Turns } from '../../src/base/turns.js'
import { thrower } from './thrower.js'

for (const owner of [undefined, 'all']) {
  void t.test(`all share the limit of a turn, and go on in order: owner ${owner}`, async (t) => {
    const turns = new Turns(256, 1)
    const order: number[] = []
    for (let at = 0; at < 1000; at += 1) {
      turns.wait({ owner, proceed: () => (order.push(at), turns.note(1)) })
    }
    let before = 0
    let count = 0
    while (order.length < 1000) {
      await turn()
      count += 1
      t.ok(order.length - before <= 256, `${order.length - before} in a turn`)
      before = order.length
    }
    t.ok(count >= 4 && count < 12, `${count} turns`)
    t.strictSame(order, [...Array(1000).keys()])
  })
}

void t.test('a large amount counts as several, and the next turn begins at zero', async (t) => {
  const turns = new Turns(256, 1)
  turns.note(123)
  t.equal(turns.isOver, false)
  turns.note(133)
  t.equal(turns.isOver, true)
  await turn()
  t.equal(turns.isOver, false)
})

void t.test('however little each takes, not all go on in one turn', async (t) => {
  let count = 0
  for (let at = 0; at < 3000; at += 1) longTurns.wait({ proceed: () => (count += 1) })
  for (let before = 0; count < 3000; before = count) {
    await turn()
    t.ok(count - before <= 1024, `${count - before} in a turn`)
  }
})

for (const [most, visits, expected] of [
  [16, 1, 1],
  [16, 3, 3],
  [16, 16, 16],
  [5, 16, 5],
] as const) {
  void t.test(`of ${most} in a turn, one that has ${visits} visits does ${expected}`, async (t) => {
    const turns = new Turns(most, visits)
    let count = 0
    const proceed = (): void => {
      count += 1
      turns.note(1)
      if (count < 100) turns.wait({ proceed })
    }
    turns.wait({ proceed })
    await turn()
    t.equal(count, expected)
    count = 100
  })
}

void t.test('one that goes on for ever does not keep the others from their turn', async (t) => {
  const turns = new Turns(256, 1)
  let isStopped = false
  const proceed = (): void => {
    turns.note(500)
    if (!isStopped) turns.wait({ proceed })
  }
  turns.wait({ proceed })
  await new Promise<void>((resolve) => turns.wait({ proceed: resolve }))
  isStopped = true
  await turn()
  t.pass()
})

void t.test('a turn is over after a time, too, and the next one is new', async (t) => {
  const turns = new Turns(16, 1, 1)
  t.equal(turns.isOver, false, 'nothing was done')
  turns.note(0)
  const until = performance.now() + 2
  while (performance.now() < until);
  t.equal(turns.isLong, true)
  t.equal(turns.isOver, true)
  await turn()
  t.equal(turns.isOver, false)
  turns.wait({ proceed: () => turns.note(1) })
  await turn()
  await turn()
  t.equal(turns.isOver, false, 'visits end with their turn')
})

void t.test('what waits goes on, though each turn is used up before', async (t) => {
  const turns = new Turns(1, 1)
  let isDone = false
  turns.wait({ proceed: () => (isDone = true) })
  for (let count = 0; count < 5 && !isDone; count += 1) {
    turns.note(9)
    await turn()
  }
  t.ok(isDone)
})

void t.test('lines of one owner take turns as one', async (t) => {
  const lines = new TurnLines<string>(new Turns(1, 1))
  const log: string[] = []
  const add = (key: string, owner?: string): void =>
    lines.add(key, { run: () => log.push(key), isGone: () => false }, owner)
  for (const key of ['a1', 'a2', 'a3', 'a1']) add(key, 'a')
  for (const key of ['b', 'a', 'b']) add(key)
  for (let at = 0; at < 8; at += 1) await turn()
  t.strictSame(log, ['a1', 'b', 'a2', 'b', 'a3', 'a', 'a1'])
})

void t.test('the heaviest of lines is refused, and what cannot be refused stays', async (t) => {
  const lines = new TurnLines<string>(new Turns(1, 1), 10)
  const log: string[] = []
  const add = (key: string, name: string, weight: number, canRefuse = true): void => {
    lines.add(key, {
      run: () => log.push(`${name} runs`),
      isGone: () => false,
      weight,
      ...(canRefuse ? { refuse: () => log.push(`${name} refused`) } : {}),
    })
  }
  add('a', 'a1', 3)
  add('b', 'b1', 4)
  add('b', 'b2', 1, false)
  add('a', 'a2', 2)
  t.strictSame(log, [], 'all weigh 10')
  add('b', 'b3', 1)
  t.strictSame(log, ['b1 refused', 'b3 refused'])
  add('c', 'c1', 4)
  t.equal(log.length, 2, 'all weigh 10 again')
  for (let at = 0; at < 6; at += 1) await turn()
  t.strictSame(log.slice(2).toSorted(), ['a1 runs', 'a2 runs', 'b2 runs', 'c1 runs'])
  add('a', 'a3', 10)
  t.equal(log.length, 6, 'what has run weighs nothing')
})

void t.test('of lines, those of the heaviest owner are refused first', async (t) => {
  const lines = new TurnLines<string>(new Turns(1, 1), 10)
  const log: string[] = []
  const add = (key: string, owner: string, weight: number): void => {
    const refuse = (): void => void log.push(key)
    lines.add(key, { run: () => undefined, isGone: () => false, weight, refuse }, owner)
  }
  add('b', 'B', 4)
  for (const key of ['a1', 'a2', 'a3']) add(key, 'A', key === 'a2' ? 3 : 2)
  t.strictSame(log, ['a2'])
})

void t.test('mocked timers do not stop the turns', async (t) => {
  const { setImmediate: real } = globalThis
  const turns = new Turns(1, 1)
  globalThis.setImmediate = (() => t.fail('mocked')) as unknown as typeof real
  t.teardown(() => (globalThis.setImmediate = real))
  await turns.another()
  t.pass('another turn has come')
})

void t.test('one that throws does not keep the others from their turn', async (t) => {
  const turns = new Turns(2, 1)
  const thrown: unknown[] = []
  process.setUncaughtExceptionCaptureCallback((bug) => thrown.push(bug))
  t.teardown(() => process.setUncaughtExceptionCaptureCallback(null))
  const bug = new Error('thrown')
  for (let at = 0; at < 2; at += 1) turns.wait({ proceed: thrower(bug) })
  await turns.another()
  t.strictSame(thrown, [bug, bug])
})
