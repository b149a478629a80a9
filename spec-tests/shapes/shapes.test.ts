import t from 'tap'
import { describeWholeNumber, hasMethods, numberFrom } from '../../src/shapes/shapes.js'
import { showValue } from '../../src/shapes/show-value.js'

// oxfmt-ignore
const numbers: readonly (readonly [value: unknown, fits: boolean])[] = [
  [0.5, true],
  [3, true],
  [3.1, false],
  [0.4, false],
  [NaN, false],
  ['2', false],
  [undefined, false],
]

void t.test('a number from 0.5 to 3', async (t) => {
  for (const [value, fits] of numbers) t.equal(numberFrom(0.5, 3).fits(value), fits, String(value))
})

// oxfmt-ignore
const called: readonly (readonly [value: unknown, hasIt: boolean])[] = [
  [[],                true],
  [{ at: () => 1 },   true],
  [{ at: 1 },         false],
  ['a text has it',   false],
  [null,              false],
]

void t.test('an object with a method', async (t) => {
  for (const [value, hasIt] of called) t.equal(hasMethods(value, 'at'), hasIt, showValue(value))
})

void t.test('words for numbers and kinds', async (t) => {
  const most = Number.MAX_SAFE_INTEGER
  t.equal(describeWholeNumber(1, most - 1), `a whole number from 1 to ${most - 1}`)
  t.equal(describeWholeNumber(1, most), 'a whole number of at least 1')
  t.equal(showValue(new Int8Array()), 'an Int8Array')
  t.equal(
    showValue(() => 1),
    'a function',
  )
})
