import t from 'tap'
import { formatFault, placeAt } from '../../../../src/cli/serve/load/file-fault.js'

// oxfmt-ignore
const cases: readonly [name: string, text: string, offset: number, expected: readonly string[]][] =
  [
    ['the first character',         'ab',                  0,  ['f:1:1: No.', ' 1 | ab', '   | ^']],
    ['a later line',                'a\nbcd\n',            4,  ['f:2:3: No.', ' 2 | bcd', '   |   ^']],
    ['a line after CRLF',           'a\r\nbcd',            4,  ['f:2:2: No.', ' 2 | bcd', '   |  ^']],
    ['a line after CR',             'a\rb',                2,  ['f:2:1: No.', ' 2 | b', '   | ^']],
    ['a tab before the fault',      '\t\tab',              3,  ['f:1:4: No.', ' 1 | \t\tab', '   | \t\t ^']],
    ['the end of the text',         'ab\n',                3,  ['f:2:1: No.', ' 2 | ', '   | ^']],
    [
      'a long line, of which it shows a part',
      `${'x'.repeat(500)}!${'y'.repeat(500)}`,
      500,
      ['f:1:501: No.', ` 1 | ${'x'.repeat(59)}!${'y'.repeat(60)}`, `   | ${' '.repeat(59)}^`],
    ],
    ['a line with a longer number', `${'\n'.repeat(99)}a`, 99, ['f:100:1: No.', ' 100 | a', '     | ^']],
  ]

for (const [name, text, offset, expected] of cases) {
  void t.test(`a caret points at ${name}`, async (t) => {
    t.same(formatFault('No.', [placeAt('f', text, offset)]).split('\n'), expected)
  })
}

void t.test('a fault without a place is its message', async (t) => {
  t.equal(formatFault('No.', []), 'No.')
})
