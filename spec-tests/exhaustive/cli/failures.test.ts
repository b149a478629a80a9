import { createServer } from 'node:net'
import t from 'tap'
import { listen } from '../../hosts/start-node.js'
import { run, start } from './binary.js'

const cwd = t.testdir({
  'ok.graphql': 'type Query { a: String }',
  'me.gql': 'query Me { me }',
  'broken.graphql': 'type Query {\n  a: Foo\n}\n',
  'exits.mjs': 'process.exit(7)',
  'ends.mjs': 'process.exit(0)',
  'ends-later.mjs': 'setTimeout(process.exit, 1, 0)\nexport default { Query: {} }',
  'never.mjs': 'await new Promise(() => {})',
  dangling: t.fixture('symlink', '/nowhere'),
})

const onFullDisk = `
  const stdio = ['ignore', require('node:fs').openSync('/dev/full', 'w'), 'inherit']
  const child = require('node:child_process').spawn(process.execPath, process.argv.slice(1), { stdio })
  child.on('exit', process.exit)
`
for (const words of [['--version'], ['conform', '--list'], ['documents', 'build', 'me.gql']]) {
  void t.test(`graphwire ${words.join(' ')} ends with 2 if stdout is full`, async (t) => {
    const stderr = /^graphwire: Cannot write to stdout: ENOSPC/m
    t.match(await run(words, { cwd, parent: onFullDisk }), { code: 2, stderr })
  })
}

const caret = /^broken\.graphql:2:6: [^\n]*Foo[^\n]*\n 2 \| {3}a: Foo\n {3}\| {6}\^$/

// oxfmt-ignore
const cases: readonly [words: readonly string[], code: number, stderr: RegExp][] = [
  [['serve', '--port=x'],                                                  2, /^graphwire: --port: expected .*\nRun "graphwire serve --help"/],
  [['serve', 'broken.graphql'],                                            3, caret],
  [['serve', 'broken.graphql', '--workers=3'],                             3, caret],
  [['serve', 'broken.graphql', '--watch', '--port=0'],                     3, caret],
  [['serve', 'never.mjs'],                                                 3, /^graphwire: a module is waiting for a promise that never settles\.$/],
  [['serve', 'exits.mjs', '--workers=2', '--port=0'],                      3, /^A worker ended with code 7 before it was ready\.$/],
  [
    ['serve', 'ends.mjs', '--workers=2', '--port=0'],
    3,
    /^graphwire: a module ended the process with process\.exit\(0\)\.\nA worker ended with code 3 before it was ready\.$/,
  ],
  [['init', 'dangling', '--yes'],                                          3, /^Cannot write \S*\/dangling\/package\.json: /],
  [['serve', 'ends.mjs'],                                                  3, /^graphwire: a module ended the process with process\.exit\(0\)\.$/],
  [['serve', 'ok.graphql', '--resolvers=ends.mjs'],                        3, /^graphwire: a module ended the process with process\.exit\(0\)\.$/],
  [['serve', 'ok.graphql', '--resolvers=ends-later.mjs', '--port=0'],      3, /graphwire: a module ended the process with process\.exit\(0\)\.$/],
  [['init', '/dev/null/x/y', '--yes'],                                     3, /^Cannot write \/dev\/null\/x\/y\/package\.json: /],
  [['serve', 'ok.graphql', '--host=192.0.2.1'],                            3, /^Cannot listen on .*192\.0\.2\.1/],
  [['serve', 'ok.graphql', '--host=192.0.2.1', '--port=0', '--workers=2'], 3, /^Cannot listen on /],
]

for (const [words, code, stderr] of cases) {
  void t.test(`graphwire ${words.join(' ')} ends with ${code}`, async (t) => {
    const ended = await run(words, { cwd })
    t.match(ended, { code, stdout: '', stderr })
    t.notMatch(ended.stderr, /dist\/src|node:internal/, 'without a stack of ours')
  })
}

for (const more of [[], ['--workers=2']]) {
  void t.test(['a port in use ends with 4', ...more].join(' and '), async (t) => {
    const other = createServer()
    const port = await listen(other)
    const words = ['serve', 'ok.graphql', '--host=127.0.0.1', `--port=${port}`, ...more]
    const stderr = `graphwire: Port ${port} of 127.0.0.1 is in use: `
    t.match(await run(words, { cwd }), { code: 4, stdout: /^$/, stderr })
    other.close()
  })
}

void t.test('a module that never ends loading is given up by a signal', async (t) => {
  const text = 'console.error("loading")\nsetInterval(() => {}, 1000)\nawait new Promise(() => {})'
  const folder = t.testdir({ 'never.mjs': text })
  const server = start(['serve', 'never.mjs', '--port=0'], { cwd: folder })
  await server.line(/^loading$/)
  t.match(await server.stop(), { code: 0 })
})
