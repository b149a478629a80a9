import t from 'tap'
import { Shares } from '../../src/base/shares.js'

// oxfmt-ignore
const rows: [total: number, percent: number, most: number][] = [
  [10,        50,  5],
  [10,        100, 10],
  [29,        100, 29],
  [3,         50,  1],
  [1,         50,  1],
  [0,         50,  1],
  [1000,      1,   10],
]
for (const [total, percent, most] of rows) {
  void t.test(`${percent} % of ${total} are ${most}`, async (t) => {
    const shares = new Shares(total, percent)
    const taken = []
    for (; shares.hasRoomFor('one'); taken.push(shares.take('one')))
      t.ok(shares.hasRoomFor('other'))
    t.equal(taken.length, most)
    taken[0]?.()
    t.ok(shares.hasRoomFor('one'), 'what was given back may be taken again')
  })
}

void t.test('without a limit, and for unknown clients, there is always room', async (t) => {
  const endless = new Shares(Infinity, 1)
  for (let at = 0; at < 9; at += 1) endless.take('one')
  t.ok(endless.hasRoomFor('one'))
  const single = new Shares(1, 1)
  single.take(undefined)
  t.ok(single.hasRoomFor(undefined))
})
