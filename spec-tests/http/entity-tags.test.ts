import t from 'tap'
import { isKnown, parseEntityTags } from '../../src/http/entity-tags.js'

const strong = (opaque: string) => ({ opaque, isWeak: false })
const weak = (opaque: string) => ({ opaque, isWeak: true })

// oxfmt-ignore
const cases: [field: string, tags: ReturnType<typeof parseEntityTags>][] = [
  ['"a"',             [strong('a')]],
  ['W/"a"',           [weak('a')]],
  ['""',              [strong('')]],
  ['"a", W/"b" ,"c"', [strong('a'), weak('b'), strong('c')]],
  [', "a",, "b",',    [strong('a'), strong('b')]],
  ['"a,b"',           [strong('a,b')]],
  ['"a\\", "b"',      [strong('a\\'), strong('b')]],
  ['"\xe9"',          [strong('\xe9')]],
  [' * ',             '*'],
  ['',                undefined],
  [',',               undefined],
  ['a',               undefined],
  ['"a',              undefined],
  ['"a b"',           undefined],
  ['"a" "b"',         undefined],
  ['w/"a"',           undefined],
  ['W/ "a"',          undefined],
  ['*, "a"',          undefined],
  ['"a", *',          undefined],
]
for (const [field, tags] of cases) {
  void t.test(`entity tags: ${JSON.stringify(field)}`, async (t) => {
    t.strictSame(parseEntityTags(field), tags)
  })
}

// oxfmt-ignore
const conditions: [field: string | undefined, isKnown: boolean][] = [
  [undefined,         false],
  ['"a"',             true],
  ['W/"a"',           true],
  ['"b", "a"',        true],
  ['"b","c,a"',       false],
  ['"b"',             false],
  [' * ',             true],
  ['*, "a"',          false],
  ['"a" "a"',         false],
  ['a',               false],
  ['',                false],
]
for (const [field, expected] of conditions) {
  void t.test(`If-None-Match: ${field ?? 'none'}, of "a"`, async (t) => {
    t.equal(isKnown(field === undefined ? [] : ['If-None-Match', field], 'a'), expected)
  })
}
