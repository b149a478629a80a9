import t from 'tap'
import { inAnotherTurn, isTurnOver, noteSent } from '../../src/streams/turns.js'

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

void t.test(
  'all streams together send a bounded number of events in a turn, in order',
  async (t) => {
    await turn()
    const order: number[] = []
    for (let stream = 0; stream < 1000; stream += 1) {
      inAnotherTurn(() => {
        order.push(stream)
        noteSent('event')
      })
    }
    let before = 0
    let turns = 0
    while (order.length < 1000) {
      await turn()
      turns += 1
      t.ok(order.length - before <= 256, `${order.length - before} events in a turn`)
      before = order.length
    }
    t.ok(turns >= 4 && turns < 12, `${turns} turns`)
    t.strictSame(
      order,
      order.toSorted((a, b) => a - b),
    )
  },
)

void t.test('a long event counts as several, and the next turn is a new one', async (t) => {
  await turn()
  t.equal(isTurnOver(), false)
  noteSent('x'.repeat(500_000))
  t.equal(isTurnOver(), false)
  noteSent('x'.repeat(600_000))
  t.equal(isTurnOver(), true)
  await turn()
  t.equal(isTurnOver(), false)
})

void t.test('one that goes on for ever does not keep the others from their turn', async (t) => {
  await turn()
  let isStopped = false
  const again = (): void => {
    noteSent('x'.repeat(2_000_000))
    if (!isStopped) inAnotherTurn(again)
  }
  inAnotherTurn(again)
  await new Promise<void>((resolve) => inAnotherTurn(resolve))
  isStopped = true
  await turn()
  t.pass()
})
