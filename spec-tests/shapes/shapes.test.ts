import t from 'tap'
import { numberFrom } from '../../src/shapes/shapes.js'

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
