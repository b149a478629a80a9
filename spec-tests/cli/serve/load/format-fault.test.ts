import t from 'tap'
import { formatFault, formatJsonError } from '../../../../src/cli/serve/load/file-fault.js'

// oxfmt-ignore
const cases: readonly [name: string, text: string, line: number, column: number, shown: readonly string[]][] = [
  ['the first character',         'ab',                  1,   1, ['f:1:1: No.', ' 1 | ab', '   | ^']],
  ['a line after CRLF',           'a\r\nbcd',            2,   2, ['f:2:2: No.', ' 2 | bcd', '   |  ^']],
  ['a tab before the fault',      '\t\tab',              1,   4, ['f:1:4: No.', ' 1 | \t\tab', '   | \t\t ^']],
  ['the end of the text',         'ab\n',                2,   1, ['f:2:1: No.', ' 2 | ', '   | ^']],
  ['a line with a longer number', `${'\n'.repeat(99)}a`, 100, 1, ['f:100:1: No.', ' 100 | a', '     | ^']],
  [
    'a long line, of which it shows a part',
    `${'x'.repeat(500)}!${'y'.repeat(500)}`,
    1,
    501,
    ['f:1:501: No.', ` 1 | ${'x'.repeat(59)}!${'y'.repeat(60)}`, `   | ${' '.repeat(59)}^`],
  ],
]

for (const [name, text, line, column, shown] of cases) {
  void t.test(`a caret points at ${name}`, async (t) => {
    t.same(formatFault('No.', [{ file: 'f', text, line, column }]).split('\n'), shown)
  })
}

void t.test('a fault without a place is its message', async (t) => {
  t.equal(formatFault('No.', []), 'No.')
})

void t.test('an error of JSON has a place if V8 names one', async (t) => {
  const message = 'Expected a comma in JSON at position 5 (line 2 column 3)'
  const shown = formatJsonError('f', '{\n"a"b', new SyntaxError(message))
  t.equal(shown, `f:2:4: ${message}\n 2 | "a"b\n   |    ^`)
  t.match(formatJsonError('f', '{', new SyntaxError('Unexpected end of JSON input')), /^f:1:2: /)
  t.equal(formatJsonError('f', 'x', new SyntaxError('No.')), 'f: No.')
})
