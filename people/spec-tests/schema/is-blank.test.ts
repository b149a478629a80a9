import t from 'tap'
import { isBlank } from '../../schema/errors.js'

/** By kind, as Unicode has them. */
// oxfmt-ignore
const blank: readonly [what: string, text: string][] = [
  ['nothing',              ''],
  ['spaces of all widths', ' \t\r\n\u0085\u00A0\u1680\u2000\u2003\u200A\u2028\u2029\u202F\u205F\u3000'],
  ['controls',             '\u0001\u001B\u007F\u009F'],
  ['ignorable',            '\u00AD\u034F\u061C\u180E\u200B\u200D\u202E\u2064\u3164\uFE0F\uFEFF\uFFA0\u{1D173}\u{E0041}\u{E0100}'],
  ['a blank of Braille',   '\u2800'],
  ['all kinds together',   ' \u200B\u2800\u3164\t'],
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
  ['an ideograph',        '\u4E2D'],
  ['a letter that joins', '\u0646\u200C'],
  ['a control of Arabic numbers, which is drawn', '\u0600'],
  ['a dot of Braille',    '\u2801'],
  ['a mark by itself',    '\u0301'],
  ['a flag',              '\u{1F3F4}\u{E0067}\u{E007F}'],
]
void t.test('what can be seen', async (t) => {
  for (const [what, text] of visible) t.equal(isBlank(text), false, what)
})
