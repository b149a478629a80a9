import t, { type Test } from 'tap'
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
  'clash.json': '{ "w": "{ words { word } }", "o": "{ word }" }',
}

/** Checks files of a folder that has all of them; no message names the folder. */
async function check(t: Test, words: string, schema = 'a.graphql') {
  const folder = t.testdir(files)
  const inFolder = words.split(' ').map((word) => (word in files ? `${folder}/${word}` : word))
  const all = ['documents', 'check', ...inFolder, `--schema=${folder}/${schema}`]
  const { code, out, err } = await say(all)
  return { code, out: out.replaceAll(`${folder}/`, ''), err: err.replaceAll(`${folder}/`, '') }
}

// oxfmt-ignore
const checked: readonly [words: string, code: number, out: string | RegExp][] = [
  ['good.json',                   0, /^2 documents, all valid\n$/],
  ['good.json --max-depth=0',     1, /"w": The document nests fields 1 levels deep/],
  ['old.json',                    0, /^old\.json: "o": deprecated: The field Query\.old is deprecated\. Use word\.\n1 document, all valid\n$/],
  ['old.json good.json --unused', 0, /\nunused: Query\.words\n3 documents, all valid, 1 unused field\n$/],
]
for (const [words, code, out] of checked) {
  void t.test(`documents check ${words} ends with ${code}`, async (t) => {
    t.match(await check(t, words), { code, out, err: /^$/ })
  })
}

void t.test('each fault of a document is a line', async (t) => {
  const { code, out } = await check(t, 'good.json bad.json')
  t.equal(code, 1)
  // oxfmt-ignore
  t.match(out.trimEnd().split('\n'), [
    /^bad\.json: "sha256:2d71.*": The id is not the SHA-256 of the text/,
    /^bad\.json: "field": Cannot query field "wort" on type "Query"\. Did you mean "word"/,
    /^bad\.json: "syntax": Syntax Error/,
    /^bad\.json: "deep": The document nests fields 21 levels deep, more than the limit of 16\.$/,
    /^bad\.json: "dear": The document costs \d+, more than the limit of 25000\.$/,
    /^8 documents, 5 invalid$/,
  ])
  t.equal(out.split('\n').length, 7)
})

void t.test('--json has what was found', async (t) => {
  const { code, out } = await check(t, 'good.json old.json bad.json --json --max-depth=30')
  t.equal(code, 1)
  const { reports, ...others } = JSON.parse(out) as { reports: { id: string }[] }
  t.same(others, { documents: 9, invalid: 5, unused: [] })
  const deprecated = ['The field Query.old is deprecated. Use word.']
  t.same(reports[0], { file: 'old.json', id: 'o', faults: [], deprecated })
  const ids = reports.slice(2).map(({ id }) => id)
  t.same(ids, ['field', 'syntax', 'deep', 'dear'])
})

const shop = `
  type Query { me: User  node(id: ID!): Node  find: [Found!]!  old: Int @deprecated }
  type Mutation { rename(name: String!): User }
  interface Node { id: ID!  added: Int }
  interface Named implements Node { id: ID!  added: Int  name: String }
  type User implements Named & Node { id: ID!  added: Int  name: String  friends(of: Filter): [[User!]!]! }
  type Item implements Node { id: ID!  added: Int  price: Price! }
  type Price { amount: Int  currency: Currency }
  union Found = User | Item
  input Filter { name: String  price: Int }
  enum Currency { EUR  USD }
`

/** Documents, and the fields of the shop that they use. */
// oxfmt-ignore
const uses: readonly [what: string, documents: readonly string[], used: readonly string[]][] = [
  ['no document',                  [],                                                            []],
  ['a leaf, and its parents',      ['{ me { friends { name } } }'],                               ['Query.me', 'User.friends', 'User.name']],
  ['several documents',            ['{ me { id } }', 'mutation { rename(name: "") { added } }'],  ['Mutation.rename', 'Query.me', 'User.added', 'User.id']],
  ['several operations',           ['query A { me { id } } query B { old }'],                     ['Query.me', 'Query.old', 'User.id']],
  ['an alias',                     ['{ a: me { old: id } }'],                                     ['Query.me', 'User.id']],
  ['a fragment',                   ['{ me { ...F } } fragment F on User { friends { ...G } } fragment G on User { id }'], ['Query.me', 'User.friends', 'User.id']],
  ['an interface: all its types',  ['{ node(id: 1) { id } }'],                                    ['Item.id', 'Named.id', 'Node.id', 'Query.node', 'User.id']],
  ['an interface of an interface', ['{ node(id: 1) { ... on Named { name added } } }'],           ['Named.added', 'Named.name', 'Query.node', 'User.added', 'User.name']],
  ['a type: not its interfaces',   ['{ node(id: 1) { ... on Item { id price { amount } } } }'],   ['Item.id', 'Item.price', 'Price.amount', 'Query.node']],
  ['a union',                      ['{ find { __typename ... on Node { id } ... on User { name } ... { ... on Item { added } } } }'], ['Item.added', 'Item.id', 'Named.id', 'Node.id', 'Query.find', 'User.id', 'User.name']],
  ['what is left out',             ['{ me @skip(if: true) { id @include(if: false) } }'],         ['Query.me', 'User.id']],
  ['introspection',                ['{ __typename __schema { types { name fields { name } } } __type(name: "User") { name } }'], []],
  ['what is not valid',            ['{ me { id nick } }', '{', '{ me { name } }'],                ['Query.me', 'User.name']],
  ['an id that is not the hash',   ['{ old }'],                                                   ['Query.old']],
]
const shopFields = `
  Item.added Item.id Item.price Mutation.rename Named.added Named.id Named.name Node.added Node.id
  Price.amount Price.currency Query.find Query.me Query.node Query.old
  User.added User.friends User.id User.name
`
  .trim()
  .split(/\s+/)
for (const [what, documents, used] of uses) {
  void t.test(`fields are used by ${what}`, async (t) => {
    const id = what.includes('hash') ? `sha256:${sha256('')}` : undefined
    const manifests = documents.map((document, at): [string, string] => [
      `${at}.json`,
      JSON.stringify({ [id ?? at]: document }),
    ])
    const all = { 'none.json': '{}', ...Object.fromEntries(manifests) }
    const folder = t.testdir({ 'shop.graphql': shop, ...all })
    const paths = Object.keys(all).map((name) => `${folder}/${name}`)
    const words = ['documents', 'check', ...paths, `--schema=${folder}/shop.graphql`]
    const unused = shopFields
      .filter((field) => !used.includes(field))
      .map((field) => ({ field, deprecated: field === 'Query.old' }))
    const json = JSON.parse((await say([...words, '--json'])).out) as { unused: unknown }
    t.same(json.unused, unused)
    const { out } = await say([...words, '--unused'])
    const lines = out.split('\n').filter((line) => line.startsWith('unused: '))
    const shown = unused.map((one) => `${one.field}${one.deprecated ? ' (deprecated)' : ''}`)
    t.same(lines.join('\n'), shown.map((field) => `unused: ${field}`).join('\n'))
    t.match(out, new RegExp(`, ${unused.length} unused fields\n$`))
    t.notMatch((await say(words)).out, 'unused')
  })
}

void t.test('an id that names two documents is a fault, since no server takes both', async (t) => {
  const all = 'good.json old.json clash.json'
  const { code, out } = await check(t, `${all} ${all}`)
  t.equal(code, 1)
  const clash = (id: string, file: string): string =>
    `clash.json: "${id}": The id names another document in ${file}.`
  const lines = out.split('\n').filter((line) => /^clash\.json: (?!.*deprecated)/.test(line))
  const once = [clash('w', 'good.json'), clash('o', 'old.json')]
  t.same(lines, [...once, ...once])
  t.match(out, /\n10 documents, 4 invalid\n$/)
})

void t.test('a broken manifest or schema is refused', async (t) => {
  const broken = await check(t, 'number.json')
  t.match(broken, { code: 3, err: /number\.json: expected the text of the document "x", got 1/ })
  const schema = await check(t, 'good.json', 'bad.graphql')
  t.match(schema, { code: 3, err: /Unknown type "Strin"/ })
})
