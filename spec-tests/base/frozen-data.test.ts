import t from 'tap'
import { freezeData, isFrozenData, toFrozenCopy } from '../../src/base/frozen-data.js'

/** Lists in lists, below the first as many as the depth. */
function nested(depth: number): unknown[] {
  return depth === 0 ? [] : [nested(depth - 1)]
}

/** Whether a value is data that can be frozen: at most 10,000 values, of which a list is one and its length another, in 100 levels. */
// oxfmt-ignore
const rows: readonly [title: string, make: () => unknown, isData: boolean][] = [
  ['null',                  () => null,                                 true],
  ['a text',                () => 'a',                                  true],
  ['lists and objects',     () => [{ a: [1, null, { b: undefined }] }], true],
  ['without a prototype',   () => Object.create(null),                  true],
  ['a list of 9,998',       () => Array.from({ length: 9998 }),         true],
  ['a list of 9,999',       () => Array.from({ length: 9999 }),         false],
  ['100 lists in lists',    () => nested(99),                          true],
  ['101 lists in lists',    () => nested(100),                          false],
  ['a function',            () => ({ a: () => 1 }),                     false],
  ['a symbol',              () => [Symbol('a')],                        false],
  ['a symbol as a name',    () => ({ [Symbol('a')]: 1 }),               false],
  ['a date',                () => [new Date(0)],                        false],
  ['a getter',              () => ({ get a() { return 1 } }),           false],
]
for (const [title, make, isData] of rows) {
  void t.test(`${title}: ${isData ? 'is' : 'is not'} data that can be frozen`, async (t) => {
    const value = make()
    t.equal(freezeData(value), isData)
    t.equal(isFrozenData(value), isData)
    const thawed = make()
    const copy = toFrozenCopy(thawed)
    t.equal(isFrozenData(copy), isData)
    t.equal(copy === thawed, !isData || typeof thawed !== 'object' || thawed === null)
    if (isData) t.same(copy, thawed)
  })
}
