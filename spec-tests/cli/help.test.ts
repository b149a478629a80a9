import { readFileSync } from 'node:fs'
import t from 'tap'
import { exitCodes } from '../../src/cli/process/exit-codes.js'
import { describeDefault } from '../../src/cli/arguments/define-command.js'
import { switchType, type AnyFlagTable, type Flag } from '../../src/cli/arguments/flag.js'
import { conformFlags } from '../../src/cli/conform/conform-flags.js'
import { documentsFlags } from '../../src/cli/documents/documents-command.js'
import { doctorFlags } from '../../src/cli/doctor/doctor-flags.js'
import { explainFlags } from '../../src/cli/explain/explain-flags.js'
import { initFlags } from '../../src/cli/init/init-flags.js'
import { serveFlags } from '../../src/cli/serve/flags/serve-flags.js'
import { checkTable } from '../generated.js'
import { say } from './say.js'

const root = new URL('../../../', import.meta.url)
const flags = Object.entries<Flag<unknown>>(serveFlags)

/** The rows of a table of flags. */
function rowsOf(table: object, cells: (flag: Flag<unknown>) => readonly string[]) {
  return Object.entries(table as { readonly [name: string]: Flag<unknown> }).map(([name, flag]) => [
    flag.type === switchType ? `\`--${name}\`` : `\`--${name} <${flag.type.placeholder}>\``,
    ...cells(flag),
  ])
}

for (const words of [['help'], ['--help'], ['-h'], ['help', 'serve'], ['serve', '--help']]) {
  void t.test(`graphwire ${words.join(' ')} shows all flags and exit codes`, async (t) => {
    const { code, out, err } = await say(words)
    t.equal(code, 0)
    t.equal(err, '')
    for (const [name, { type, env, doc }] of flags) {
      const row = out
        .split('\n')
        .find((line) => line.includes(`${name} `) && line.startsWith('  --'))
      t.match(row, type === switchType ? '(switch)' : `--${name} <${type.placeholder}>`)
      t.ok(row?.endsWith(` ${env.join(', ')}`), `${name} has its variables`)
      t.match(out.replaceAll(/\n {5,}/g, ' '), `${doc} Default: `)
    }
    for (const { code: exit, meaning } of Object.values(exitCodes)) {
      t.match(out, new RegExp(`^  ${exit} +${meaning}$`, 'm'))
    }
  })
}

void t.test('help is set in groups, a hundred columns wide at most', async (t) => {
  const { out } = await say(['serve', 'x', '--wrong', '--help'])
  const titles = out.split('\n').filter((line) => /^\w/.test(line))
  const groups = 'Schema and data, Address, Requests, Stored documents, Limits, TLS, Connections'
  const others = 'Shutdown, Log and metrics, Processes, Exit codes'
  t.equal(titles.join(', '), `Serves a schema over HTTP., Usage, ${groups}, ${others}`)
  t.notMatch(out, /^.{101}/m)
  t.match(out, '  --port <integer>              GRAPHWIRE_PORT, PORT\n')
  t.match(out, '      Port to listen on; 0 picks a free one. Default: 4000.\n')
  t.match(out, '  --[no-]introspection (switch) GRAPHWIRE_INTROSPECTION\n')
})

void t.test('no words at all show the help on stderr', async (t) => {
  const { code, out, err } = await say([])
  t.equal(code, 2)
  t.equal(out, '')
  t.match(err, 'Commands\n  serve ')
})

void t.test('--version shows name and version of the package', async (t) => {
  const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
    version: string
  }
  t.same(await say(['--version']), { code: 0, out: `graphwire ${version}\n`, err: '' })
})

void t.test('every flag has a variable of its own name', async (t) => {
  for (const [name, { env }] of flags) {
    t.equal(env[0], `GRAPHWIRE_${name.toUpperCase().replaceAll('-', '_')}`)
  }
})

// oxfmt-ignore
const tools: readonly [command: string, flags: AnyFlagTable, page: string][] = [
  ['conform',   conformFlags,   'conform'],
  ['explain',   explainFlags,   'tools'],
  ['doctor',    doctorFlags,    'tools'],
  ['init',      initFlags,      'tools'],
  ['documents', documentsFlags, 'documents'],
]

for (const [command, table, page] of tools) {
  void t.test(`docs/${page}.md has every flag of ${command}, and so has its help`, async (t) => {
    const isConform = command === 'conform'
    checkTable(t, `docs/${page}.md`, isConform ? 'flags' : `${command} flags`, [
      ['Flag', 'Default', 'Meaning'],
      ...rowsOf(table, (flag) => [
        describeDefault(flag),
        [flag.doc, ...(isConform ? flag.env.map((it) => `Variable: \`${it}\`.`) : [])].join(' '),
      ]),
    ])
    const { code, out } = await say([command, '--help'])
    t.equal(code, 0)
    for (const flag of Object.keys(table))
      t.match(out, new RegExp(`^ {2}--(?:\\[no-\\])?${flag} `, 'm'))
    t.match(out, `  graphwire ${command} `)
  })
}

void t.test('docs/cli.md has every flag, variable and exit code', async (t) => {
  checkTable(t, 'docs/cli.md', 'flags', [
    ['Flag', 'Variable', 'Default', 'Meaning'],
    ...rowsOf(serveFlags, (flag) => [
      flag.env.map((variable) => `\`${variable}\``).join(', '),
      describeDefault(flag),
      flag.doc,
    ]),
  ])
  checkTable(t, 'docs/cli.md', 'exit codes', [
    ['Code', 'Meaning'],
    ...Object.values(exitCodes).map(({ code, meaning }) => [String(code), meaning]),
  ])
})
