import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { ask, start } from '../../binary.js'

const good = 'type Query { word: String }'
const bad = 'type Query {\n  word: Strin\n}\n'

function startProject(folder: string, ...words: string[]) {
  const server = start(['serve', 'a.graphql', '--watch', '--port=0', ...words], { cwd: folder })
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text)
  return { server, write }
}

for (const workers of [1, 2]) {
  void t.test(`with ${workers} workers, a broken schema leaves the old one up`, async (t) => {
    const folder = t.testdir({ 'a.graphql': good, 'a.json': '{ "word": "old" }' })
    const { server, write } = startProject(folder, '--data=a.json', `--workers=${workers}`)
    const url = await server.url()
    t.match(await ask(url, '{ word }'), { body: '{"data":{"word":"old"}}' })

    write('a.graphql', bad)
    await server.line(/^a\.graphql:2:9: .*Strin/)
    await server.line(/^ 2 \| {3}word: Strin$/)
    await server.line(/^still serving the old schema$/)
    t.match(await ask(url, '{ word }'), { body: '{"data":{"word":"old"}}' })

    write('a.graphql', `${good}\nextend type Query { more: String }`)
    await server.line(/^reloaded a\.graphql with a\.json, 1 type$/)
    for (let asked = 0; asked < workers * 2; asked++) {
      t.match(await ask(url, '{ more }'), { body: '{"data":{"more":null}}' })
    }

    write('a.json', '{ "word": ')
    await server.line(/^a\.json:1:11: Unexpected end of JSON input/)
    await server.line(/^still serving the old schema$/)
    write('a.json', '{ "word": "new" }')
    await server.line(/^reloaded /)
    t.match(await ask(url, '{ word }'), { body: '{"data":{"word":"new"}}' })

    const { code, stdout, stderr } = await server.stop()
    t.equal(code, 0)
    t.equal(stdout, '')
    t.match(stderr, '\n  watch          on\n')
    t.equal(stderr.match(/^listening on /gm)?.length, 1)
  })
}

void t.test('an editor that replaces the file by another is noticed', async (t) => {
  const folder = t.testdir({ 'a.graphql': good })
  const { server, write } = startProject(folder)
  await server.url()
  write('a.tmp', `${good} type More { a: Int }`)
  renameSync(join(folder, 'a.tmp'), join(folder, 'a.graphql'))
  await server.line(/^reloaded a\.graphql, 2 types$/)
  t.match(await server.stop(), { code: 0 })
})

void t.test('a worker that dies of broken files comes back with the next change', async (t) => {
  const folder = t.testdir({
    'a.graphql': good,
    'a.mjs': `export const resolvers = { Query: { word: () => process.exit(9) } }`,
  })
  const { server, write } = startProject(folder, '--resolvers=a.mjs')
  const url = await server.url()
  write('a.graphql', bad)
  await server.line(/^still serving the old schema$/)
  await t.rejects(ask(url, '{ word }'))
  await server.line(/^a worker ended with code 9, starting another$/)
  await server.line(/^a\.graphql:2:9: /)
  write('a.mjs', `export const resolvers = { Query: { word: () => 'back' } }`)
  await server.line(/^waiting for a change$/)
  write('a.graphql', good)
  await server.line(/^reloaded /)
  t.match(await ask(url, '{ word }'), { body: /back/ })
  t.match(await server.stop(), { code: 0 })
})
