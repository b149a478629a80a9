import t from 'tap'
import { sha256 } from '../../../src/base/sha256.js'
import { say } from '../say.js'

const text = '{ word }'

const files: { readonly [name: string]: string } = {
  'a.graphql':
    'type Query { word: String words(first: Int): [Query] old: String @deprecated(reason: "Use word.") }',
  'bad.graphql': 'type Query { word: Strin }',
  'good.json': JSON.stringify({ [`sha256:${sha256(text)}`]: text, w: text }),
  'bad.json': JSON.stringify({
    [`sha256:${sha256('x')}`]: text,
    field: '{ wort }',
    syntax: '{',
    deep: `${'{ words '.repeat(20)}{ word }${'}'.repeat(20)}`,
    dear: 'query Dear { words(first: 100) { words(first: 1000) { word } } }',
    variable: 'query ($n: Int!) { words(first: $n) { word } }',
  }),
  'number.json': '{ "x": 1 }',
  'old.json': '{ "o": "{ old }" }',
}

async function check(folder: string, ...words: string[]) {
  const inFolder = words.map((word) => (word in files ? `${folder}/${word}` : word))
  const { code, out, err } = await say(['documents', ...inFolder])
  return { code, out: out.replaceAll(`${folder}/`, ''), err: err.replaceAll(`${folder}/`, '') }
}

void t.test('valid documents', async (t) => {
  const folder = t.testdir(files)
  const schema = `--schema=${folder}/a.graphql`
  t.match(await check(folder, 'check', 'good.json', schema), {
    code: 0,
    out: '2 documents, all valid\n',
    err: '',
  })
})

void t.test('each fault of a document is a line', async (t) => {
  const folder = t.testdir(files)
  const { code, out } = await check(
    folder,
    'check',
    'good.json',
    'bad.json',
    `--schema=${folder}/a.graphql`,
  )
  t.equal(code, 1)
  const lines = out.trimEnd().split('\n')
  t.equal(lines.pop(), '8 documents, 5 invalid')
  // oxfmt-ignore
  const expected: readonly RegExp[] = [
    /^bad\.json: "sha256:2d71.*": The id is not the SHA-256 of the text/,
    /^bad\.json: "field": Cannot query field "wort" on type "Query"\. Did you mean "word"/,
    /^bad\.json: "syntax": Syntax Error/,
    /^bad\.json: "deep": The document nests fields 21 levels deep, more than the limit of 16\.$/,
    /^bad\.json: "dear": The document costs \d+, more than the limit of 10000\.$/,
  ]
  t.equal(lines.length, expected.length, out)
  for (const [at, pattern] of expected.entries()) t.match(lines[at], pattern)
})

void t.test('limits are flags', async (t) => {
  const folder = t.testdir(files)
  const schema = `--schema=${folder}/a.graphql`
  t.match(await check(folder, 'check', 'good.json', schema, '--max-depth=0'), {
    code: 1,
    out: /"w": The document nests fields 1 levels deep/,
  })
})

void t.test('what is deprecated is a line, but no fault', async (t) => {
  const folder = t.testdir(files)
  t.match(await check(folder, 'check', 'old.json', `--schema=${folder}/a.graphql`), {
    code: 0,
    out: 'old.json: "o": deprecated: The field Query.old is deprecated. Use word.\n1 document, all valid\n',
  })
})

void t.test('--json has what was found', async (t) => {
  const folder = t.testdir(files)
  const words = ['check', 'good.json', 'old.json', 'bad.json', '--json', '--max-depth=30']
  const { code, out } = await check(folder, ...words, `--schema=${folder}/a.graphql`)
  t.equal(code, 1)
  const { reports, ...counts } = JSON.parse(out) as { reports: { id: string }[] }
  t.same(counts, { documents: 9, invalid: 5 })
  t.same(reports[0], {
    file: 'old.json',
    id: 'o',
    faults: [],
    deprecated: ['The field Query.old is deprecated. Use word.'],
  })
  t.same(
    reports.slice(2).map(({ id }) => id),
    ['field', 'syntax', 'deep', 'dear'],
  )
})

// oxfmt-ignore
const refused: readonly [words: readonly string[], code: number, message: RegExp][] = [
  [[],                                             2, /documents requires one of check, build, diff, got ""/],
  [['chekc'],                                      2, /documents requires one of check, build, diff, got "chekc"/],
  [['toString'],                                   2, /documents requires one of check, build, diff, got "toString"/],
  [['check', 'good.json', '--out=x', '--schema=a'], 2, /--out is a flag of documents build/],
  [['check', 'good.json'],                         2, /documents check requires --schema/],
  [['check', '--schema=a.graphql'],                2, /documents check requires a manifest/],
  [['check', 'good.json', '--schema=none.graphql'], 3, /none\.graphql: no such file/],
  [['check', 'number.json', '--schema'],           2, /--schema/],
]
for (const [words, code, message] of refused) {
  void t.test(`documents ${words.join(' ')} is refused with exit code ${code}`, async (t) => {
    const done = await check(t.testdir(files), ...words)
    t.equal(done.code, code)
    t.match(done.err, message)
  })
}

void t.test('a broken manifest or schema is refused', async (t) => {
  const folder = t.testdir(files)
  const broken = await check(folder, 'check', 'number.json', `--schema=${folder}/a.graphql`)
  t.match(broken, { code: 3, err: /number\.json: expected the text of the document "x", got 1/ })
  const schema = await check(folder, 'check', 'good.json', `--schema=${folder}/bad.graphql`)
  t.match(schema, { code: 3, err: /Unknown type "Strin"/ })
})
