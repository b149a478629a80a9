import { execFileSync } from 'node:child_process'
import { chmodSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { sha256 } from '../../../../src/base/sha256.js'
import { createHandler, buildSchema } from '../../../../src/index.js'
import { testClient } from '../../../../src/hosts/testing.js'
import { say } from '../../../cli/say.js'

type Files = { readonly [name: string]: string | Files }

const sdl = 'type Query { me: Person } type Person { id: ID! name: String friend: Person }'
const friend = 'fragment Friend on Person { id friend { ...Name } }'
const name = 'fragment Name on Person { name }'

const texts = [
  'query Friends {\n  me {\n    ...Friend\n    ...Name\n  }\n}',
  'fragment Friend on Person {\n  id\n  friend {\n    ...Name\n  }\n}',
  'fragment Name on Person {\n  name\n}',
]
const me = 'query Me {\n  me {\n    id\n  }\n}'
const stored = [texts.join('\n\n'), me]
const manifest = Object.fromEntries(stored.map((text) => [`sha256:${sha256(text)}`, text]))

/** Builds in a folder with these files. */
async function build(t: Test, files: Files, ...words: string[]) {
  const folder = t.testdir(files)
  const before = process.cwd()
  process.chdir(folder)
  try {
    return { folder, ...(await say(['documents', 'build', ...words])) }
  } finally {
    process.chdir(before)
  }
}

const friends = 'query Friends { me { ...Friend ...Name } }'

// oxfmt-ignore
const same: readonly [what: string, files: Files, patterns: readonly string[]][] = [
  ['one file',                    { 'a.graphql': `${friends} query Me { me { id } } ${friend} ${name}` },               ['a.graphql']],
  ['another order',               { 'a.graphql': `${name} query Me { me { id } } ${friend} ${friends}` },               ['*.graphql']],
  ['files below a folder',        { src: { a: { 'f.graphql': friend, b: { 'n.graphql': name } }, 'q.graphql': `${friends} query Me { me { id } }` } }, ['src/**/*.graphql']],
  ['comments and other blanks',   { 'a.graphql': `# Friends\n${friends.replaceAll(' ', '\n')},, ${friend}`, 'b.gql': `${name} query Me { me { id } }` }, ['*.{graphql,gql}']],
  ['a file that is named twice',  { 'a.graphql': `${friends} ${friend}`, 'b.graphql': `${name} query Me { me { id } }` }, ['a.graphql', '?.graphql']],
  ['a fragment that is not used', { 'a.graphql': `${friends} ${friend} ${name} fragment Other on Person { id } query Me { me { id } }` }, ['**/*.graphql']],
  ['a byte order mark',           { 'a.graphql': `\uFEFF${friends} ${friend} ${name} query Me { me { id } }` }, ['**']],
  ['a file by two paths',        { src: { 'a.graphql': `${friends} ${friend} ${name} query Me { me { id } }` } }, ['src/*.graphql', './src/a.graphql', 'src//../src/a.graphql']],
  ['locks of editors',           { 'a.graphql': `${friends} ${friend} ${name} query Me { me { id } }`, '.#a.graphql': '{', '._a.graphql': '\0' }, ['**/*.graphql']],
  ['hidden and installed files',  { 'a.graphql': `${friends} ${friend} ${name} query Me { me { id } }`, node_modules: { 'x.graphql': '{' }, '.git': { 'y.graphql': '{' } }, ['**/*.graphql']],
  ['a schema among them',         { 'a.graphql': `${friends} ${friend} ${name} query Me { me { id } }`, 'schema.graphql': sdl }, ['*.graphql']],
]
for (const [what, files, patterns] of same) {
  void t.test(`${what}: the same manifest`, async (t) => {
    const { code, out, err } = await build(t, files, ...patterns)
    t.equal(code, 0, err)
    t.equal(out, `${JSON.stringify(manifest, undefined, 2)}\n`)
    const skipped = 'schema.graphql: skipped, it only defines types\n'
    t.equal(err, `${'schema.graphql' in files ? skipped : ''}2 documents\n`)
  })
}

void t.test('the manifest is served', async (t) => {
  const files = { 'a.graphql': `query Me { me { ...Name } } ${name}` }
  const { folder, out, err } = await build(t, files, '*.graphql', '--out=m.json')
  t.equal(out, '')
  t.equal(err, '1 document in m.json\n')
  t.same(readdirSync(folder), ['a.graphql', 'm.json'], 'and nothing else is left behind')
  const text = readFileSync(join(folder, 'm.json'), 'utf8')
  const documents = JSON.parse(text) as { [id: string]: string }
  const schema = buildSchema(sdl, { Query: { me: () => ({ name: 'Ada' }) } })
  const send = testClient(createHandler({ schema, documents, trustedOnly: true }))
  const [documentId] = Object.keys(documents)
  const response = await send({ json: { documentId } })
  t.equal(response.status, 200)
  t.same(response.json(), { data: { me: { name: 'Ada' } } })
})

void t.test('--json has the ids of the operations, and where they are', async (t) => {
  const second = `query Me { me { id } } ${name}`
  const files = { 'a.graphql': `${friends} ${friend}`, 'b.graphql': second }
  const { code, out } = await build(t, files, '*.graphql', '--json', '--out=m.json')
  t.equal(code, 0)
  const [friendsId, meId] = Object.keys(manifest)
  t.same(JSON.parse(out), {
    documents: [
      { id: friendsId, name: 'Friends', type: 'query', file: 'a.graphql' },
      { id: meId, name: 'Me', type: 'query', file: 'b.graphql' },
    ],
    skipped: [],
    faults: [],
  })
})

// oxfmt-ignore
const faults: readonly [what: string, files: Files, message: string][] = [
  ['no name',             { 'a.graphql': 'query A { me { id } }\n{ me { id } }' },                     'a.graphql:2:1: The operation has no name, which its client needs to find it.'],
  ['a name twice',        { 'a.graphql': 'query A { me { id } }', 'b.graphql': 'query A { me { id } }' }, 'b.graphql:1:7: There is another operation "A" at a.graphql:1.'],
  ['a fragment twice',    { 'a.graphql': `query A { me { ...Name } } ${name}`, 'b.graphql': name },     'b.graphql:1:10: There is another fragment "Name" at a.graphql:1.'],
  ['no fragment',         { 'a.graphql': 'query A { me {\n ...Nme } } query B { me { id } }' },         'a.graphql:2:2: There is no fragment "Nme" in the files.'],
  ['no fragment, deeper', { 'a.graphql': 'query A { me { ...Friend } } query B { me { ...Friend } }', 'b.graphql': friend }, 'b.graphql:1:41: There is no fragment "Name" in the files.'],
  ['syntax',              { 'a.graphql': 'query A {\n me { ' },                                         'a.graphql:2:7: Syntax Error: Expected Name, found <EOF>.'],
  ['too deep',            { 'a.graphql': `query A ${'{ a '.repeat(50_000)}${'}'.repeat(50_000)}` },       'a.graphql:1:1: The document is nested too deeply.'],
  ['types with it',       { 'a.graphql': `query A { me { id } } type B { c: Int }` },                  'a.graphql:1:28: Documents of clients contain operations and fragments only.'],
]
for (const [what, files, message] of faults) {
  void t.test(`${what} is a fault, and nothing is written`, async (t) => {
    const { folder, code, out, err } = await build(t, files, '*.graphql', '--out=m.json')
    t.equal(code, 1)
    t.equal(out.split('\n')[0], message)
    t.equal(out.split('\n').length, 4, 'with its line and a caret, once')
    t.equal(err, '1 fault, no manifest was written\n')
    t.notOk(readdirSync(folder).includes('m.json'))
    const json = await build(t, files, '*.graphql', '--out=m.json', '--json')
    t.equal(json.code, 1)
    const shown = JSON.parse(json.out) as { faults: [Record<string, string>] }
    const [{ file, line, column, message: text }] = shown.faults
    t.equal(`${file}:${line}:${column}: ${text}`, message)
  })
}

void t.test('with --schema, documents must fit it and the limits', async (t) => {
  const old = sdl.replace('friend:', 'enemy:')
  const files = { 'a.graphql': `${friends} ${friend} ${name}`, 's.gql': sdl, 'old.gql': old }
  t.equal((await build(t, files, '*.graphql', '--schema=s.gql')).code, 0)
  const broken = await build(t, files, '*.graphql', '--schema=old.gql')
  t.equal(broken.code, 1)
  t.match(broken.out, 'a.graphql:1:7: Cannot query field "friend" on type "Person".')
  const deep = await build(t, files, '*.graphql', '--schema=s.gql', '--max-depth=2')
  t.equal(deep.code, 1)
  t.match(deep.out, 'The document nests fields 3 levels deep, more than the limit of 2.')
})

void t.test('fragments that contain themselves end, and are refused with a schema', async (t) => {
  const text = 'query A { me { ...B } } fragment B on Person { friend { ...B } }'
  const files = { 'a.graphql': text, 's.gql': sdl }
  t.equal((await build(t, files, '*.graphql')).code, 0)
  const { code, out } = await build(t, files, '*.graphql', '--schema=s.gql')
  t.equal(code, 1)
  t.match(out, /Cannot spread fragment "B" within itself/)
})

for (const [what, to, link, pattern] of [
  ['a folder that contains itself by a link', '.', 'self', '**/*.graphql'],
  ['a link to a folder among all files', '.', 'self', '**'],
  ['a file that a link names again', 'a.graphql', 'b.graphql', '*.graphql'],
] as const) {
  void t.test(`${what} is read once`, async (t) => {
    const folder = t.testdir({ 'a.graphql': 'query A { me { id } }' })
    symlinkSync(to, join(folder, link))
    const said = await say(['documents', 'build', `${folder}/${pattern}`])
    t.match(said, { code: 0, err: /^1 document\n$/ })
  })
}

const twenty = Array.from({ length: 20_000 }, (_, at) => at)
const chain = twenty.map((at) => {
  return `fragment F${at} on Person { ${at < twenty.length - 1 ? `...F${at + 1}` : 'id'} }\n`
})
// oxfmt-ignore
const large: readonly [what: string, text: string, said: string][] = [
  ['a fragment may need 20,000 others, one by one', `query A { me { ...F0 } }\n${chain.join('')}`,                 '1 document in m.json\n'],
  ['a file may have 20,000 operations',             twenty.map((at) => `query Q${at} { me { id } }\n`).join(''), '20000 documents in m.json\n'],
]
for (const [what, text, err] of large) {
  void t.test(what, async (t) => {
    t.match(await build(t, { 'a.graphql': text }, 'a.graphql', '--out=m.json'), { code: 0, err })
  })
}

void t.test('--out keeps a link and permissions, and writes to a device', async (t) => {
  const real = { 'm.json': '{ "old": "{ me { id } }" }' }
  const folder = t.testdir({ 'a.graphql': 'query A { me { id } }', real })
  symlinkSync('real/m.json', join(folder, 'm.json'))
  const words = ['documents', 'build', join(folder, 'a.graphql')]
  chmodSync(join(folder, 'real/m.json'), 0o600)
  t.equal((await say([...words, `--out=${folder}/m.json`])).code, 0)
  t.equal(statSync(join(folder, 'm.json')).mode & 0o777, 0o600)
  t.ok(lstatSync(join(folder, 'm.json')).isSymbolicLink())
  t.match(readFileSync(join(folder, 'real/m.json'), 'utf8'), 'query A')
  t.same(readdirSync(join(folder, 'real')), ['m.json'])

  execFileSync('mkfifo', [join(folder, 'pipe')])
  const reading = readFile(join(folder, 'pipe'), 'utf8')
  t.equal((await say([...words, `--out=${folder}/pipe`])).code, 0)
  t.ok(lstatSync(join(folder, 'pipe')).isFIFO())
  // Nobody would write into it any more if it had been replaced.
  const handle = lstatSync(join(folder, 'pipe')).isFIFO() ? await reading : ''
  t.match(handle, 'query A')
})

// oxfmt-ignore
const refused: readonly [words: readonly string[], message: RegExp][] = [
  [['none.graphql'],                       /^none\.graphql: no such file/],
  [['none/*.graphql'],                     /^none\/: no such file/],
  [['*.gql'],                              /^\*\.gql: matches no file/],
  [['schema.sdl'],                         /^schema\.sdl: no operations/],
  [['latin.txt'],                          /^latin\.txt: not valid UTF-8/],
  [['a.graphql', '--schema=none.graphql'], /^none\.graphql: no such file/],
  [['a.graphql', '--out=none/m.json'],     /^none\/m\.json: its folder does not exist\./],
  [['a.graphql', '--out=folder'],          /^folder: /],
  [['*.graphql', '--out=./a.graphql'],     /^\.\/a\.graphql: --out would overwrite a file that is not a manifest; delete it first/],
  [['*.graphql', '--out=link'],            /^link: --out would overwrite a file that is not a manifest/],
]
for (const [words, message] of refused) {
  void t.test(`documents build ${words.join(' ')} is refused with exit code 3`, async (t) => {
    const text = 'query A { me { id } }'
    const files = {
      'a.graphql': text,
      'schema.sdl': sdl,
      folder: {},
      'latin.txt': Buffer.from([0xe9]) as unknown as string,
      link: t.fixture('symlink', 'a.graphql') as unknown as string,
    }
    const { folder, ...done } = await build(t, files, ...words)
    t.match(done, { code: 3, err: message })
    t.equal(readFileSync(join(folder, 'a.graphql'), 'utf8'), text)
    t.equal(readFileSync(join(folder, 'schema.sdl'), 'utf8'), sdl)
    t.notOk(readdirSync(folder).some((file) => file.endsWith('.tmp')))
  })
}
