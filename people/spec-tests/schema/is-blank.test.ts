import t from 'tap'
import { isBlank } from '../../schema/check-values.js'

// oxfmt-ignore
const blank: readonly [what: string, text: string][] = [
  ['nothing',                            ''],
  ['spaces of all widths',               ' \t\r\n\u0085\u00A0\u1680\u2000\u2003\u200A\u2028\u2029\u202F\u205F\u3000'],
  ['controls',                           '\u0001\u001B\u007F\u009F'],
  ['a zero width space',                 '\u200B'],
  ['joiners',                            '\u200C\u200D\u2060\uFEFF'],
  ['a soft hyphen',                      '\u00AD'],
  ['a grapheme joiner',                  '\u034F'],
  ['directions',                         '\u061C\u200E\u200F\u202A\u202E\u2066\u2069'],
  ['a vowel separator of Mongolian',     '\u180E\u180B'],
  ['invisible operators',                '\u2061\u2062\u2063\u2064'],
  ['fillers of Hangul',                  '\u115F\u1160\u3164\uFFA0'],
  ['inherent vowels of Khmer',           '\u17B4\u17B5'],
  ['selectors of variations',            '\uFE00\uFE0F\u{E0100}'],
  ['tags',                               '\u{E0001}\u{E0041}\u{E007F}'],
  ['a blank of Braille',                 '\u2800'],
  ['controls of shorthand',              '\u{1BCA0}\u{1BCA3}'],
  ['controls of music',                  '\u{1D173}\u{1D17A}'],
  ['all kinds together',                 ' \u200B\u2800\u3164\t'],
]
void t.test('what cannot be seen', async (t) => {
  for (const [what, text] of blank) {
    t.equal(isBlank(text), true, what)
    for (const one of text) t.equal(isBlank(one), true, `U+${one.codePointAt(0)?.toString(16)}`)
    t.equal(isBlank(`${text}A${text}`), false, `what is between ${what} can`)
  }
})

// oxfmt-ignore
const visible: readonly [what: string, text: string][] = [
  ['a letter',            'A'],
  ['an ideograph',        '\u4E2D'],
  ['a digit',             '7'],
  ['a full stop',         '.'],
  ['a letter that joins', '\u0646\u200C'],
  ['a control of Arabic numbers, which is drawn', '\u0600'],
  ['a dot of Braille',    '\u2801'],
  ['a mark by itself',    '\u0301'],
  ['a flag',              '\u{1F3F4}\u{E0067}\u{E007F}'],
  ['a hieroglyph',        '\u{13000}'],
]
void t.test('what can be seen', async (t) => {
  for (const [what, text] of visible) t.equal(isBlank(text), false, what)
})
