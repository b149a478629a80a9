import t from 'tap'
import { findJsonFault } from '../../../../src/cli/serve/load/file-fault.js'

/** A text up to the fault, the rest of it, and what should stand between the two. */
// oxfmt-ignore
const cases: readonly [before: string, after: string, expected: string][] = [
  ['',        '',       'a value'],
  ['  ',      'x',      'a value'],
  ['',        "'a'",    'a value'],
  ['',        '"a',     'a value'],
  ['',        '"a\nb"', 'a value'],
  ['',        String.raw`"\x41"`, 'a value'],
  ['',        'NaN',    'a value'],
  ['',        '+1',     'a value'],
  ['',        ']',      'a value'],
  ['0',       '1',      'the end of the file'],
  ['1',       '.',      'the end of the file'],
  ['{} ',     '{}',     'the end of the file'],
  ['[',       '',       'a value or "]"'],
  ['[',       ',',      'a value or "]"'],
  ['[1 ',     '2]',     '"," or "]"'],
  ['[1',      '}',      '"," or "]"'],
  ['[1,',     ']',      'a value'],
  ['{',       '',       'a name in double quotes or "}"'],
  ['{',       'a: 1}',  'a name in double quotes or "}"'],
  ['{',       '1: 1}',  'a name in double quotes or "}"'],
  ['{"a"',    '',       '":"'],
  ['{"a" ',   '1}',     '":"'],
  ['{"a":',   '}',      'a value'],
  ['{"a":1',  ']',      '"," or "}"'],
  ['{"a":1,', '}',      'a name in double quotes'],
  ['{"a":[{"b":null},true,', '// no', 'a value'],
  ['{"a":{"b":[-1.5e+3,"\\u00e9\\n\u0080"]}', '', '"," or "}"'],
]

for (const [before, after, expected] of cases) {
  void t.test(`${JSON.stringify(before + after)} lacks ${expected}`, async (t) => {
    t.throws(() => JSON.parse(before + after) as unknown, SyntaxError)
    const message = `Invalid JSON: expected ${expected}.`
    t.same(findJsonFault(before + after), { offset: before.length, message })
  })
}

void t.test('a string of 20 MB', async (t) => {
  const long = JSON.stringify('x\n'.repeat(10_000_000))
  t.match(findJsonFault(`{"a":${long}]`), { message: /"," or "}"/ })
  t.match(findJsonFault(`{"a":${long},"a":1}`), { message: /the name "a" twice/ })
})

/** A text up to the repeated name, and the rest of it; no rest if no name is repeated. */
// oxfmt-ignore
const repeated: readonly [before: string, after: string | undefined][] = [
  ['{"a":1,',                       '"a":1}'],
  ['{"a":1, ',                      '"\\u0061":2}'],
  ['{"":[],',                       '"":0}'],
  ['{"a":{"b":"a"},"c":[{"x":1,',   '"x":2}]}'],
  ['{"a":{"b":1},',                 '"a":1}'],
  ['{"__proto__":1,',               '"__proto__":1}'],
  ['{"a\\"":"{","b":"\\\\",',       '"a\\"" : 1}'],
  ['{"a":{"a":["a",{"a":"a:"}]},"b":"a"}', undefined],
  ['[{"a":1},{"a":1},"a","a"]',     undefined],
  ['"a"',                           undefined],
]
for (const [before, after] of repeated) {
  const text = before + (after ?? '')
  void t.test(`${text} has ${after === undefined ? 'no name' : 'a name'} twice`, async (t) => {
    JSON.parse(text)
    t.equal(findJsonFault(text)?.offset, after === undefined ? undefined : before.length)
  })
}
