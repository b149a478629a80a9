import t from 'tap'
import { parseEntityTags } from '../../src/http/entity-tags.js'

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
