import { readFileSync } from 'node:fs'
import t from 'tap'
import { exitCodes } from '../../src/cli/exit-codes.js'
import { switchType, type Flag } from '../../src/cli/flag.js'
import { runCli } from '../../src/cli/run-cli.js'
import { serveFlags } from '../../src/cli/serve/flags.js'

const root = new URL('../../../', import.meta.url)
const flags = Object.entries<Flag<unknown>>(serveFlags)

async function say(...words: string[]): Promise<{ code: number; out: string; err: string }> {
  let out = ''
  let err = ''
  const code = await runCli(words, {
    env: {},
    out: (text) => (out += text),
    err: (text) => (err += text),
  })
  return { code, out, err }
}

for (const words of [['help'], ['--help'], ['-h'], ['help', 'serve'], ['serve', '--help']]) {
  void t.test(
    `graphwire ${words.join(' ')} shows every flag and exit code on stdout`,
    async (t) => {
      const { code, out, err } = await say(...words)
      t.equal(code, 0)
      t.equal(err, '')
      for (const [name, { type, env, doc }] of flags) {
        const row = out
          .split('\n')
          .find((line) => line.includes(`${name} `) && line.startsWith('  --'))
        t.match(row, type === switchType ? '(switch)' : `--${name} <${type.placeholder}>`)
        t.ok(row?.endsWith(` ${env.join(', ')}`), `${name} has its variables`)
        t.match(out, `      ${doc} Default: `)
      }
      for (const { code: exit, meaning } of Object.values(exitCodes)) {
        t.match(out, new RegExp(`^  ${exit} +${meaning}$`, 'm'))
      }
    },
  )
}

void t.test('help is set in groups, a hundred columns wide at most', async (t) => {
  const { out } = await say('serve', 'x', '--wrong', '--help')
  t.same(
    out.split('\n').filter((line) => /^\w/.test(line)),
    [
      'Serves a schema over HTTP.',
      'Usage',
      'What is served',
      'Where',
      'How requests are answered',
      'What a request may be',
      'Connections',
      'Stopping',
      'Processes',
      'Exit codes',
    ],
  )
  t.same(
    out.split('\n').filter((line) => line.length > 100),
    [],
  )
  t.match(out, '  --port <integer>              GRAPHWIRE_PORT, PORT\n')
  t.match(out, '      The port; 0 takes a free one. Default: 4000.\n')
  t.match(out, '  --[no-]introspection (switch) GRAPHWIRE_INTROSPECTION\n')
})

void t.test('no words at all show the help on stderr', async (t) => {
  const { code, out, err } = await say()
  t.equal(code, 2)
  t.equal(out, '')
  t.match(err, 'Commands\n  serve ')
})

void t.test('--version shows name and version of the package', async (t) => {
  const { version } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
    version: string
  }
  t.same(await say('--version'), { code: 0, out: `graphwire ${version}\n`, err: '' })
})

const refused: readonly [words: readonly string[], message: RegExp][] = [
  [['servr'], /^graphwire: Unknown command "servr"\. Did you mean serve\?$/m],
  [['hlep'], /Did you mean help\?$/m],
  [['help', 'srve'], /Unknown command "srve"\. Did you mean serve\?$/m],
  [['--hlep'], /Expected a command before --hlep\. Did you mean --help\?$/m],
  [['--port', '1', 'serve'], /Expected a command before --port\.$/m],
  [['constructor'], /Unknown command "constructor"\.$/m],
  [['serve', '--prot', '1'], /Unknown flag --prot\. Did you mean --port\?$/m],
  [['serve', 'a.gql', '--', '--help'], /serve takes one schema, and was given a\.gql, --help\.$/m],
  [['serve'], /serve needs the file of a schema, or --standard\.$/m],
  [['serve', 'a.gql', 'b.gql'], /serve takes one schema, and was given a\.gql, b\.gql\.$/m],
  [['serve', 'a.txt'], /a\.txt is no schema: expected SDL \(.*\) or a module \(.*\)\.$/m],
  [['serve', '--standard', 'a.gql'], /--standard brings its own .* leave out a\.gql\.$/m],
  [['serve', '--standard', '--data=a'], /--standard brings its own .* leave out --data\.$/m],
  [['serve', '--standard', '--watch'], /--watch has no file to watch beside --standard\.$/m],
  [['serve', 'a.js', '--resolvers=b.js'], /--resolvers goes with SDL: the module a\.js has/m],
  [['serve', 'a.gql', '--path', 'x'], /The flag --path takes a path such as \/graphql, .* "x"\.$/m],
]

for (const [words, message] of refused) {
  void t.test(`graphwire ${words.join(' ')} is refused with exit code 2`, async (t) => {
    const { code, out, err } = await say(...words)
    t.equal(code, 2)
    t.equal(out, '')
    t.match(err, message)
    t.match(err, /^Run "graphwire (?:help|serve --help)" to see what there is\.$/m)
  })
}

void t.test('every flag has a variable of its own name', async (t) => {
  for (const [name, { env }] of flags) {
    t.equal(env[0], `GRAPHWIRE_${name.toUpperCase().replaceAll('-', '_')}`)
  }
})

void t.test('docs/cli.md tells every flag, variable and exit code', async (t) => {
  const text = readFileSync(new URL('docs/cli.md', root), 'utf8')
  for (const [name, { env, doc }] of flags) {
    const row =
      text
        .split('\n')
        .find((line) => line.startsWith(`| \`--${name}`) && line.includes(env[0] ?? '-')) ?? ''
    t.match(row, doc, `--${name}`)
    for (const variable of env) t.match(row, `\`${variable}\``)
  }
  for (const { code, meaning } of Object.values(exitCodes)) {
    t.match(text, `| ${code} | ${meaning} |`)
  }
})
