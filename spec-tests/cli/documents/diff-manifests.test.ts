import t, { type Test } from 'tap'
import { sha256 } from '../../../src/base/sha256.js'
import { say } from '../say.js'

type Texts = { readonly [id: string]: string }

const short = (id: string): string => id.replaceAll(/(sha256:.{4})[0-9a-f]{60}/g, '$1')

async function diff(t: Test, before: object, after: object, ...words: string[]) {
  const folder = t.testdir({
    'a.json': JSON.stringify(before),
    'b.json': JSON.stringify(after),
    'new.graphql': 'type Query { word: String size: Int }',
  })
  const inFolder = words.map((word) => word.replace('--schema=', `--schema=${folder}/`))
  const files = [`${folder}/a.json`, `${folder}/b.json`]
  const { code, out, err } = await say(['documents', 'diff', ...files, ...inFolder])
  return { code, out: short(out.replaceAll(`${folder}/`, '')), err }
}

const hashed = (...texts: string[]): Texts =>
  Object.fromEntries(texts.map((text) => [`sha256:${sha256(text)}`, text]))
const idOf = (text: string): string => JSON.stringify(short(`sha256:${sha256(text)}`))

const a = 'query A { word }'
const otherA = 'query A { word again: word }'
const b = 'query B { word }'
const apollo = (...bodies: string[]) => ({
  format: 'apollo-persisted-query-manifest',
  version: 1,
  operations: bodies.map((body) => ({ id: sha256(body), name: 'X', type: 'query', body })),
})

// oxfmt-ignore
const rows: readonly [what: string, before: object, after: object, lines: readonly string[]][] = [
  ['nothing',                           hashed(a, b),            hashed(b, a),                ['0 added, 0 removed, 0 changed']],
  ['another document',                  hashed(a),               hashed(a, b),                [`added    ${idOf(b)} (B)`, '1 added, 0 removed, 0 changed']],
  ['a removed document',                   hashed(a, b),            hashed(a),                   [`removed  ${idOf(b)} (B)`, '0 added, 1 removed, 0 changed']],
  ['a text, and so its hash',           hashed(a),               hashed(otherA),              [`changed  ${idOf(a)} (A): ${idOf(otherA)}`, '0 added, 0 removed, 1 changed']],
  ['a text under the same id',          { x: a },                { x: otherA },               ['changed  "x" (A): another text', '0 added, 0 removed, 1 changed']],
  ['a name',                            hashed(a),               hashed(b),                   [`added    ${idOf(b)} (B)`, `removed  ${idOf(a)} (A)`, '1 added, 1 removed, 0 changed']],
  ['a name that two documents have',    hashed(a),               hashed(otherA, `${a} #`),    [`added    ${idOf(otherA)} (A)`, `added    ${idOf(`${a} #`)} (A)`, `removed  ${idOf(a)} (A)`, '2 added, 1 removed, 0 changed']],
  ['documents without names',           hashed('{ word }'),      hashed('{ a: word }'),       [`added    ${idOf('{ a: word }')}`, `removed  ${idOf('{ word }')}`, '1 added, 1 removed, 0 changed']],
  ['what is not GraphQL',               { x: '{' },              { y: '}' },                  ['added    "y"', 'removed  "x"', '1 added, 1 removed, 0 changed']],
  ['the format',                        apollo(a),               { [sha256(a)]: a },          ['0 added, 0 removed, 0 changed']],
]
for (const [what, before, after, lines] of rows) {
  void t.test(`${what} changes`, async (t) => {
    t.same(await diff(t, before, after), { code: 0, out: `${lines.join('\n')}\n`, err: '' })
  })
}

const gone = 'query Gone { wort }'
const missing = 'query Size { sized }'

void t.test('with a schema, the documents that it breaks, and their manifests', async (t) => {
  const before = { gone, kept: a, both: missing }
  const after = { kept: a, both: missing, fresh: gone }
  const found = await diff(t, before, after, '--schema=new.graphql')
  t.equal(found.code, 1)
  t.same(found.out.trimEnd().split('\n'), [
    'changed  "gone" (Gone): "fresh"',
    'broken   "gone" (Gone) in a.json: Cannot query field "wort" on type "Query". Did you mean "word"?',
    'broken   "both" (Size) in a.json: Cannot query field "sized" on type "Query". Did you mean "size"?',
    'broken   "both" (Size) in b.json: Cannot query field "sized" on type "Query". Did you mean "size"?',
    'broken   "fresh" (Gone) in b.json: Cannot query field "wort" on type "Query". Did you mean "word"?',
    '0 added, 0 removed, 1 changed, 4 broken',
  ])
  t.equal((await diff(t, { a }, { b }, '--schema=new.graphql')).code, 0)
})

void t.test('limits are flags', async (t) => {
  const found = await diff(t, { a }, { a }, '--schema=new.graphql', '--max-depth=0')
  t.equal(found.code, 1)
  t.match(found.out, /broken {3}"a" \(A\) in a\.json: The document nests fields 1 levels deep/)
})

void t.test('--json has the same', async (t) => {
  const words = ['--json', '--schema=new.graphql']
  const { code, out } = await diff(t, { a, gone }, { b, gone }, ...words)
  t.equal(code, 1)
  const broken = { file: /a\.json$/, id: 'gone', name: 'Gone', faults: [/"wort"/] }
  t.match(JSON.parse(out), {
    added: [{ id: 'b', name: 'B' }],
    removed: [{ id: 'a', name: 'A' }],
    changed: [],
    broken: [broken, { file: /b\.json$/ }],
  })
  t.notOk('broken' in (JSON.parse((await diff(t, { a }, { a }, '--json')).out) as object))
})
