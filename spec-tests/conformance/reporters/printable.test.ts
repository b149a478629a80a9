import t from 'tap'
import { toPrintable, toPrintableLine } from '../../../src/conformance/reporters/words/printable.js'
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
  const { length } = finish(() => toPrintableLine(`a${' '.repeat(1_000_000)}b`))
  t.equal(length, 1_000_002)
})

void t.test('what is not printable is escaped, and the rest left alone', async (t) => {
  const odd = 'a\u0000\u001b\u0085\u202e\ud800\ufeff'
  t.equal(toPrintable(odd), 'a\\x00\\x1b\\x85\\u{202e}\\u{d800}\\u{feff}')
  t.equal(toPrintable('é 漢 👩‍🚀\t\n'), 'é 漢 👩‍🚀\t\n')
  t.equal(toPrintable('a\r\nb\rc'), 'a\nb\\x0dc')
})
