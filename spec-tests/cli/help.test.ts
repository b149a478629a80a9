import t from 'tap'
import { exitCodes } from '../../src/cli/process/exit.js'
import type { Flag } from '../../src/cli/arguments/flag.js'
import { serveFlags } from '../../src/cli/serve/flags/serve-flags.js'
import { readFixtures } from '../conformance/read-fixtures.js'
import { checkTable } from '../generated.js'
import { commands } from '../../site/pages/flags-page.js'
import { say } from './say.js'

const flags = Object.entries<Flag<unknown>>(serveFlags)

for (const words of [['help'], ['--help'], ['-h']]) {
  void t.test(`graphwire ${words.join(' ')} shows the commands and examples`, async (t) => {
    const { code, out, err } = await say(words)
    t.equal(code, 0)
    t.equal(err, '')
    t.ok(out.split('\n').length <= 20)
    for (const [command] of commands) t.match(out, new RegExp(`^  ${command} +[A-Z].*\\.$`, 'm'))
    t.equal(out.match(/^ {2}graphwire /gm)?.length, 4)
  })
}

void t.test('no words at all show the same on stderr', async (t) => {
  const { out } = await say(['help'])
  t.same(await say([]), { code: 2, out: '', err: out })
})

void t.test('help is set in groups, in the columns of the terminal and at most 80', async (t) => {
  const { out } = await say(['serve', 'x', '--wrong', '--help'])
  const titles = out.split('\n').filter((line) => /^\w/.test(line))
  const groups = 'Schema and data, Address, Requests, Stored documents, Limits, TLS, Connections'
  const others = 'Shutdown, Log and metrics, Processes, Exit codes'
  t.equal(titles.join(', '), `Serves a schema over HTTP., Usage, ${groups}, ${others}`)
  t.match(out, '  --port <integer>              GRAPHWIRE_PORT, PORT\n')
  t.match(out, '      Port to listen on; 0 picks a free one. Default: 4000.\n')
  t.match(out, '  --[no-]introspection          GRAPHWIRE_INTROSPECTION\n')
  for (const columns of [40, 60, 80, 120]) {
    for (const words of [['help'], ...commands.map(([command]) => [command, '--help'])]) {
      const { out: shown } = await say(words, {}, { columns })
      for (const line of shown.split('\n')) {
        // A word is never cut, so the longest ones may stand out.
        const [, text = ''] = /^ *(.*)$/.exec(line) ?? []
        t.ok(line.length <= Math.min(columns, 80) || !text.includes(' '), line)
      }
    }
  }
})

void t.test('titles are bold where there are colours', async (t) => {
  t.match((await say(['help'], {}, { colour: true })).out, '\u001b[1mCommands\u001b[0m\n')
})

void t.test('--version shows name and version of the package', async (t) => {
  const { version } = readFixtures('../package.json') as { version: string }
  t.same(await say(['--version']), { code: 0, out: `graphwire ${version}\n`, err: '' })
})

void t.test('every flag has a variable of its own name', async (t) => {
  for (const [name, { env }] of flags) {
    t.equal(env[0], `GRAPHWIRE_${name.toUpperCase().replaceAll('-', '_')}`)
  }
})

for (const [command, table] of commands) {
  void t.test(`the help of ${command} has each of its flags`, async (t) => {
    const { code, out } = await say([command, '--help'])
    t.equal(code, 0)
    t.same(await say(['help', command]), { code, out, err: '' })
    const text = out.replaceAll(/\s+/g, ' ')
    for (const [name, { env, doc }] of Object.entries<Flag<unknown>>({ ...table })) {
      t.match(out, new RegExp(`^ {2}--(?:\\[no-\\])?${name}\\b`, 'm'))
      for (const variable of env) t.match(out, variable)
      t.ok(text.includes(`${doc} Default: `), doc)
    }
    t.match(out, `  graphwire ${command} `)
    for (const { code: exit, meaning } of Object.values(exitCodes)) {
      t.match(out, new RegExp(`^  ${exit} +${meaning}$`, 'm'))
    }
  })
}

void t.test('docs/cli.md has every exit code', async (t) => {
  checkTable(t, 'docs/cli.md', 'exit codes', [
    ['Code', 'Meaning'],
    ...Object.values(exitCodes).map(({ code, meaning }) => [String(code), meaning]),
  ])
})
