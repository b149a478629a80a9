import t from 'tap'
import { parseContentType } from '../../../src/conformance/wire/content-type.js'
import { finish } from '../finish.js'

// oxfmt-ignore
const rows: readonly [field: string, found: string][] = [
  ['application/json',                'application/json'],
  ['Application/JSON \t',             'application/json'],
  ['a/b;charset=UTF-8',               'a/b in UTF-8'],
  ['a/b \t; \tCharset="utf-8" ; x=y', 'a/b in utf-8'],
  ['a/b; x="charset=utf-16; \\" \\\\"; charset=utf-8', 'a/b in utf-8'],
  ['a/b; x=charset=utf-8',            'none'],
  ['a/b; charset=a; charset=b',       'a/b in a'],
  ['a/b; charset=""',                 'a/b in '],
  ['a/b;',                            'a/b'],
  ['a/b ; ;; ; x=y;',                 'a/b'],
  ['',                                'none'],
  [' a/b',                            'none'],
  ['a',                               'none'],
  ['a/b/c',                           'none'],
  ['a/b, c/d',                        'none'],
  ['a/b c',                           'none'],
  ['a/b; x',                          'none'],
  ['a/b; x=',                         'none'],
  ['a/b; x =y',                       'none'],
  ['a/b; x="y',                       'none'],
  ['a/b; x="y"z',                     'none'],
]
for (const [field, found] of rows) {
  void t.test(`Content-Type: ${field} is ${found}`, async (t) => {
    const type = parseContentType(field)
    const charset = type?.parameters.get('charset')
    const shown = charset === undefined ? '' : ` in ${charset}`
    t.equal(type === undefined ? 'none' : `${type.essence}${shown}`, found)
  })
}

const many = 60_000
const hostile: readonly string[] = [
  `a/b${'; '.repeat(many)}!`,
  `a/b${' '.repeat(many)}!`,
  `a/b;${' \t'.repeat(many)}!`,
  `a/b${';a=b '.repeat(many)}!`,
  `a/b${';a="\\"" '.repeat(many)}!`,
  `a/b;a="${'\\'.repeat(many)}`,
  'a'.repeat(many),
  `a/b;${'a'.repeat(many)}`,
]
for (const field of hostile) {
  void t.test(`a Content-Type such as ${field.slice(0, 20)}... takes no time`, async (t) => {
    const type = finish(() => parseContentType(field))
    t.equal(type, undefined)
  })
}
