import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { askWith, start } from '../binary.js'

const files: { readonly [name: string]: string } = {
  'a.graphql': 'type Query { word: String other: String }',
  'a.json': '{ "word": "up", "other": "side" }',
  'web.json': '{ "w": "{ word }" }',
  'ios.json': JSON.stringify({
    format: 'apollo-persisted-query-manifest',
    version: 1,
    operations: [{ id: 'i', name: 'I', type: 'query', body: 'query I { other }' }],
  }),
  'clash.json': '{ "w": "{ other }" }',
  'wrong.json': '{ "x": "{ nothing }" }',
}

const serve = ['serve', 'a.graphql', '--data=a.json', '--port=0']

/** The code of the first error of a request, or its data. */
async function send(url: string, params: object): Promise<unknown> {
  const { body } = await askWith(url, params)
  const { data } = JSON.parse(body) as { data?: unknown }
  return data ?? /"code":"(\w+)"/.exec(body)?.[1]
}

void t.test('documents of several manifests are served, and others as well', async (t) => {
  const cwd = t.testdir(files)
  const server = start([...serve, '--documents=web.json,ios.json'], { cwd })
  const url = await server.url()
  t.same(await send(url, { documentId: 'w' }), { word: 'up' })
  t.same(await send(url, { documentId: 'i' }), { other: 'side' })
  t.same(await send(url, { query: '{ word }' }), { word: 'up' })
  const { stderr } = await server.stop()
  t.match(stderr, '\n  documents      2 stored\n')
})

void t.test('--trusted-only, also from a variable, executes no others', async (t) => {
  const env = { GRAPHWIRE_DOCUMENTS: 'web.json', GRAPHWIRE_TRUSTED_ONLY: '1' }
  const server = start(serve, { cwd: t.testdir(files), env })
  const url = await server.url()
  t.same(await send(url, { documentId: 'w' }), { word: 'up' })
  t.equal(await send(url, { query: '{ word }' }), 'DOCUMENT_ID_REQUIRED')
  const { stderr } = await server.stop()
  t.match(stderr, '\n  documents      1 stored, no others are executed\n')
})

void t.test('--report-only=trustedOnly executes and prints them', async (t) => {
  const flags = ['--documents=web.json', '--trusted-only', '--report-only=trustedOnly']
  const server = start([...serve, ...flags], { cwd: t.testdir(files) })
  t.same(await send(await server.url(), { query: '{ other }' }), { other: 'side' })
  await server.line(/^graphwire: trustedOnly would refuse sha256:[0-9a-f]{64}: "\{ other \}"$/)
  await server.stop()
})

void t.test('--watch-documents serves a new manifest, or the old if it is broken', async (t) => {
  const cwd = t.testdir(files)
  const flags = ['--documents=web.json', '--trusted-only', '--watch-documents']
  const server = start([...serve, ...flags], { cwd })
  const url = await server.url()
  // Editors and tools replace a file with another.
  const write = (text: string): void => {
    writeFileSync(join(cwd, 'new'), text)
    renameSync(join(cwd, 'new'), join(cwd, 'web.json'))
  }
  t.equal(await send(url, { documentId: 'v' }), 'DOCUMENT_NOT_FOUND')
  write('{ "w": "{ word }", "v": "{ other }" }')
  await server.line(/^reloaded /)
  t.same(await send(url, { documentId: 'v' }), { other: 'side' })
  write('{ "v": "{ nothing }" }')
  await server.line(/the document "v": Cannot query field "nothing"/)
  await server.line(/^still serving the old/)
  t.same(await send(url, { documentId: 'v' }), { other: 'side' })
  const { code, stderr } = await server.stop()
  t.equal(code, 0)
  t.match(stderr, '\n  watch          documents\n')
})

// oxfmt-ignore
const refused: readonly [words: string, message: RegExp][] = [
  ['--documents=web.json,clash.json', /clash\.json: the id "w" names another document in an earlier file/],
  ['--documents=wrong.json',          /the document "x": Cannot query field "nothing"/],
  ['--trusted-only',                  /trustedOnly requires documents/],
]
for (const [words, message] of refused) {
  void t.test(`${words} is refused with exit code 3`, async (t) => {
    const ended = await start([...serve, words], { cwd: t.testdir(files) }).ended
    t.match(ended, { code: 3, stderr: message })
  })
}
