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
  const { reports, ...others } = JSON.parse(out) as { reports: { id: string }[] }
  t.same(others, { documents: 9, invalid: 5, unused: [] })
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
    const isHash = what.includes('hash')
    const id = isHash ? `sha256:${sha256('')}` : undefined
    const manifests = documents.map((document, at) => [
      `${at}.json`,
      JSON.stringify({ [id ?? at]: document }),
    ])
    const folder = t.testdir({
      'shop.graphql': shop,
      'none.json': '{}',
      ...(Object.fromEntries(manifests) as object),
    })
    const paths = ['none.json', ...manifests.map(([name]) => name)].map(
      (name) => `${folder}/${name}`,
    )
    const words = ['documents', 'check', ...paths, `--schema=${folder}/shop.graphql`]
    const unused = shopFields.filter((field) => !used.includes(field))
    const json = JSON.parse((await say([...words, '--json'])).out) as { unused: unknown }
    t.same(
      json.unused,
      unused.map((field) => ({ field, deprecated: field === 'Query.old' })),
    )
    const { out } = await say([...words, '--unused'])
    const lines = out.split('\n').filter((line) => line.startsWith('unused: '))
    t.same(
      lines,
      unused.map((field) => `unused: ${field}${field === 'Query.old' ? ' (deprecated)' : ''}`),
    )
    t.match(out, new RegExp(`, ${unused.length} unused fields\n$`))
    t.notMatch((await say(words)).out, 'unused')
  })
}

void t.test('an id that names two documents is a fault, since no server takes both', async (t) => {
  const folder = t.testdir({
    ...files,
    'clash.json': '{ "w": "{ words { word } }", "o": "{ word }" }',
  })
  const all = ['good.json', 'old.json', 'clash.json'].map((name) => `${folder}/${name}`)
  const schema = `--schema=${folder}/a.graphql`
  const { code, out } = await say(['documents', 'check', ...all, ...all, schema])
  t.equal(code, 1)
  const clash = (id: string, file: string): string =>
    `${folder}/clash.json: "${id}": The id names another document in ${folder}/${file}.`
  const lines = out
    .split('\n')
    .filter((line) => line.includes('clash.json') && !line.includes('deprecated'))
  t.same(lines, [...lines.slice(0, 2), ...lines.slice(0, 2)])
  t.same(lines.slice(0, 2), [clash('w', 'good.json'), clash('o', 'old.json')])
  t.match(out, /\n10 documents, 4 invalid\n$/)
})

void t.test('fields that are not used are no fault', async (t) => {
  const folder = t.testdir(files)
  const schema = `--schema=${folder}/a.graphql`
  t.match(await check(folder, 'check', 'old.json', 'good.json', schema, '--unused'), {
    code: 0,
    out: /\nunused: Query\.words\n3 documents, all valid, 1 unused field\n$/,
  })
})

void t.test('a broken manifest or schema is refused', async (t) => {
  const folder = t.testdir(files)
  const broken = await check(folder, 'check', 'number.json', `--schema=${folder}/a.graphql`)
  t.match(broken, { code: 3, err: /number\.json: expected the text of the document "x", got 1/ })
  const schema = await check(folder, 'check', 'good.json', `--schema=${folder}/bad.graphql`)
  t.match(schema, { code: 3, err: /Unknown type "Strin"/ })
})
