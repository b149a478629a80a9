import t from 'tap'
import { ByteBudget } from '../../src/base/byte-budget.js'

/** Who takes so many bytes, or gives them back, and whether there was room. */
type Step = readonly [client: string | undefined, bytes: number, hasRoom: boolean]

// oxfmt-ignore
const cases: readonly (readonly [name: string, steps: readonly Step[]])[] = [
  ['one client has its share, and no more',      [['A', 50, true], ['A', 1, false]]],
  ['another has room beside it',                 [['A', 50, true], ['B', 50, true]]],
  ['all together can hold the whole, and no more',        [['A', 50, true], ['B', 40, true], ['C', 11, false], ['C', 10, true]]],
  ['a client without an address has no share',      [[undefined, 100, true], [undefined, 1, false]]],
  ['but counts',                                 [[undefined, 90, true], ['A', 11, false]]],
  ['what is given back is free',                 [['A', 50, true], ['A', -20, true], ['A', 20, true], ['A', 1, false]]],
  ['what is refused does not count',             [['A', 51, false], ['A', 50, true]]],
]

for (const [name, steps] of cases) {
  void t.test(name, async (t) => {
    const budget = new ByteBudget(100, 50)
    for (const [client, bytes, hasRoom] of steps) {
      t.equal(budget.add(client, bytes), hasRoom, `${client} ${bytes}`)
    }
  })
}

void t.test('the only item of a client may exceed its share', async (t) => {
  const budget = new ByteBudget(100, 50)
  t.equal(budget.add('A', 40, 0), true)
  t.equal(budget.add('A', 40, 40), true, 'the same goes on')
  t.equal(budget.add('A', 10, 0), false, 'another does not')
  t.equal(budget.add('B', 30, 0), false, 'nor beyond the sum of all')
})
