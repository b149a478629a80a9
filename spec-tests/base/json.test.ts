import t from 'tap'
import { weightOf } from '../../src/base/json.js'

// oxfmt-ignore
const cases: readonly (readonly [piece: string, parsed: number])[] = [
  ['0,',               8],
  ['0.5,',            24],
  ['"abcd",',         11],
  ['"abcd":0,',       67],
  ['[],',             40],
  ['{},',             64],
  ['{"abcd":0},',    162],
  ['{"34":0},',      360],
  ['{"34" : 0},',    360],
  ['{"\\u0034":0},',  112],
  ['{"999":0},',     208],
]
for (const [piece, parsed] of cases) {
  void t.test(`a tenth of the ${parsed} bytes of ${piece} on Node 20 counts`, async (t) => {
    t.ok(10 * weightOf(piece) >= parsed)
    t.equal(weightOf(new TextEncoder().encode(piece)), weightOf(piece), 'as bytes, too')
  })
}

void t.test('digits of values, and colons in texts, change little', async (t) => {
  const text = '"a:1","1",12'
  t.equal(weightOf(text), text.length)
})
