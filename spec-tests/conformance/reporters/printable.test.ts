import t from 'tap'
import { toPrintableLine } from '../../../src/conformance/reporters/words/printable.js'
import { finish } from '../finish.js'

// oxfmt-ignore
const rows: readonly [text: string, line: string][] = [
  [' a  b ',              'a  b'],
  ['a \r\n\t b\n\n \n c', 'a b c'],
  ['\n \na\n',            'a'],
]
for (const [text, line] of rows) {
  void t.test(`${JSON.stringify(text)} becomes one line`, async (t) => {
    t.equal(toPrintableLine(text), line)
  })
}

void t.test('white space without end takes no time', async (t) => {
  t.equal(
    finish(() => toPrintableLine(`a${' '.repeat(1_000_000)}b`).length),
    1_000_002,
  )
})
