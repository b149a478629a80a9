import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import t, { type Test } from 'tap'
import { checkInstallation } from '../../../../src/cli/doctor/check-installation.js'
import type { CheckFinding } from '../../../../src/cli/doctor/finding.js'
import { say } from '../../../cli/say.js'
import { temporaryFolder } from '../../temporary-folder.js'

/** A folder with these files; objects are JSON, and a link is where it leads. */
function project(t: Test, files: { readonly [path: string]: object | string }): string {
  const folder = temporaryFolder(t)
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path)
    mkdirSync(dirname(file), { recursive: true })
    if (typeof content === 'string' && content.startsWith('-> '))
      symlinkSync(join(folder, content.slice(3)), file)
    else writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  }
  return folder
}

const installed = (version: string, peerDependencies = {}) => ({ version, peerDependencies })
const dependencies = { old: '*', a: '*' }
const own = { 'package.json': { type: 'module', dependencies } }
const graphql = { 'node_modules/graphql/package.json': installed('17.1.0') }
const peers = { graphql: '^16.15.0 || ^17.0.0' }
const engine = { 'node_modules/graphwire/package.json': installed('0.1.0', peers) }

const old = {
  'node_modules/old/package.json': installed('1.0.0'),
  'node_modules/old/node_modules/graphql/package.json': installed('16.15.0'),
}

// oxfmt-ignore
const rows: readonly [title: string, files: { readonly [path: string]: object | string }, check: string, expected: Partial<CheckFinding> | { found: RegExp }][] = [
  ['all is well',                       { ...own, ...graphql, ...engine },             'graphql',           { state: 'ok', found: '17.1.0' }],
  ['one copy',                          { ...own, ...graphql, ...engine },             'copies of graphql', { state: 'ok', found: '1' }],
  ['no graphql',                        { ...own, ...engine },                         'graphql',           { state: 'fail', found: 'not installed' }],
  ['an old graphql',                    { ...own, ...engine, 'node_modules/graphql/package.json': installed('16.8.1') }, 'graphql', { state: 'fail', found: '16.8.1' }],
  ['no package.json',                   { ...graphql },                                'package.json',      { state: 'warn' }],
  ['a broken package.json',             { ...graphql, 'package.json': '{' },           'package.json',      { state: 'warn' }],
  ['a byte order mark',                 { ...graphql, 'package.json': '\uFEFF{"type":"module"}' }, 'package.json', { state: 'ok' }],
  ['a second copy within a package',    { ...own, ...graphql, ...engine, ...old },     'copies of graphql', { state: 'warn' }],
  ['graphwire loads another copy',      { ...own, ...graphql, ...engine, 'node_modules/graphwire/node_modules/graphql/package.json': installed('17.1.0') },
                                                                                       'copies of graphql', { state: 'fail' }],
]

for (const [title, files, check, expected] of rows) {
  void t.test(title, async (t) => {
    const findings = checkInstallation(project(t, files), '24.0.0')
    t.match(findingOf(findings, check), expected)
    for (const { state, why, remedy } of findings) {
      if (state !== 'ok') t.ok(why !== undefined && remedy !== undefined, 'teaches')
    }
  })
}

function findingOf(findings: readonly CheckFinding[], check: string): CheckFinding | undefined {
  return findings.find((one) => one.check === check)
}

const finding = (folder: string, check: string) =>
  findingOf(checkInstallation(folder, '24.0.0'), check)

void t.test('both copies are named with their paths', async (t) => {
  const folder = project(t, { ...own, ...graphql, ...old })
  const other = join('node_modules', 'old', 'node_modules', 'graphql')
  const found = `2: 17.1.0 in ${join('node_modules', 'graphql')}, 16.15.0 in ${other}`
  t.match(finding(folder, 'copies of graphql'), { found })
})

void t.test('the store of pnpm is one copy, however many links lead there', async (t) => {
  const store = 'node_modules/.pnpm'
  const folder = project(t, {
    ...own,
    [`${store}/graphql@17.1.0/node_modules/graphql/package.json`]: installed('17.1.0'),
    [`${store}/a@1.0.0/node_modules/a/package.json`]: installed('1.0.0', { graphql: '^16.0.0' }),
    [`${store}/a@1.0.0/node_modules/graphql`]: `-> ${store}/graphql@17.1.0/node_modules/graphql`,
    'node_modules/graphql': `-> ${store}/graphql@17.1.0/node_modules/graphql`,
    'node_modules/a': `-> ${store}/a@1.0.0/node_modules/a`,
  })
  t.match(finding(folder, 'copies of graphql'), { state: 'ok' })
})

void t.test('packages of a workspace are found above its folder', async (t) => {
  const folder = project(t, { ...own, ...graphql, 'packages/api/package.json': { type: 'module' } })
  const api = join(folder, 'packages', 'api')
  t.match(finding(api, 'graphql'), { state: 'ok', found: '17.1.0' })
})

void t.test('a Node that is too old', async (t) => {
  const [node] = checkInstallation(project(t, own), '18.20.0')
  t.match(node, { check: 'node', state: 'fail', found: '18.20.0' })
})

const module = (text: string) => `import { buildSchema } from '${import.meta.resolve('graphql')}'
export default { schema: buildSchema('type Query { a: Int }'), ${text} }`

// oxfmt-ignore
const options: readonly [options: string, words: readonly string[], check: string, state: CheckFinding['state'], found: RegExp][] = [
  ['',                                          [],                          'introspection', 'ok',   /^on \(fine while developing\)$/],
  ['',                                          ['--production'],            'introspection', 'ok',   /^off$/],
  ['introspection: true',                       ['--production'],            'introspection', 'warn', /^on$/],
  ["cors: { origins: '*' }",                    ['--production'],            'cors',          'warn', /^\*$/],
  ["cors: { origins: '*' }",                    [],                          'cors',          'ok',   /fine while developing/],
  ["cors: { origins: ['https://a.example'] }",  ['--production'],            'cors',          'ok',   /^https:\/\/a\.example$/],
  ['cors: { origins: () => true }',             ['--production'],            'cors',          'ok',   /^as a function says$/],
  ['maskErrors: false',                         ['--production'],            'masking',       'fail', /^off$/],
  ["reportOnly: ['maxDepth', 'maxCost']",       ['--production'],            'limits',        'warn', /maxDepth, maxCost$/],
  ["reportOnly: 'all'",                         ['--production'],            'limits',        'warn', /all$/],
  ['maxDepth: 40, maxBodyBytes: 5e7',           [],                          'raised limits', 'warn', /^maxBodyBytes 50000000 \(default 1048576\), maxDepth 40 \(default 16\)$/],
  ['maxDepth: 10',                              [],                          'raised limits', 'ok',   /^none$/],
  ["context: ({ head }) => head.raw.headers['x-forwarded-for']", [],         'proxy trust',   'warn', /x-forwarded-for/],
  ['',                                          [],                          'proxy trust',   'ok',   /nothing/],
  ['trustedProxies: 2',                         [],                          'proxy trust',   'ok',   /^X-Forwarded-For names the client \(trustedProxies 2\)$/],
  ['keepAliveTimeout: 65_000',                  ['--balancer-idle', '60'],   'keep-alive',    'ok',   /^65 s, longer/],
  ['',                                          ['--balancer-idle', '60'],   'keep-alive',    'fail', /^5 s, not longer/],
  ['',                                          [],                          'credentials',   'ok',   /everyone/],
]

for (const [text, words, check, state, found] of options) {
  void t.test(`{ ${text} } ${words.join(' ')}: ${check} is ${state}`, async (t) => {
    const file = join(project(t, { ...own, ...graphql, 'api.mjs': module(text) }), 'api.mjs')
    const { code, out, err } = await say(['doctor', file, '--json', ...words])
    t.equal(err, '')
    const { findings } = JSON.parse(out) as { findings: readonly CheckFinding[] }
    t.match(findingOf(findings, check), { state, found })
    t.equal(code, findings.some((given) => given.state === 'fail') ? 1 : 0)
  })
}

void t.test('NODE_ENV=production is production, and --no-production is not', async (t) => {
  const folder = project(t, { ...own, ...graphql, 'api.mjs': module('maskErrors: false') })
  const env = { NODE_ENV: 'production' }
  t.equal((await say(['doctor', join(folder, 'api.mjs')], env)).code, 1)
  t.equal((await say(['doctor', join(folder, 'api.mjs'), '--no-production'], env)).code, 0)
})
