import t from 'tap'
import { cutText } from '../../src/base/cut-text.js'

// oxfmt-ignore
const cases: readonly [text: string, maxLength: number, cut: string][] = [
  ['abc',   3, 'abc'],
  ['abcd',  3, 'abc...'],
  ['ab😀',  4, 'ab😀'],
  ['ab😀c', 4, 'ab😀...'],
  ['ab😀c', 3, 'ab...'],
  ['',      1, ''],
]

for (const [text, maxLength, cut] of cases) {
  void t.test(`${JSON.stringify(text)} cut at ${maxLength}`, async (t) => {
    t.equal(cutText(text, maxLength), cut)
  })
}
