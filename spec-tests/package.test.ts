import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'

const root = fileURLToPath(new URL('../../', import.meta.url))
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  version: string
  exports: Record<string, unknown>
  devDependencies: Record<string, string>
}
const entries = Object.keys(manifest.exports).filter((entry) => !entry.endsWith('.json'))

/** Runs a command without the redirection of the matrix and the hooks of tap: a package is on its own. */
function run(cwd: string, ...command: string[]): string {
  return execFileSync('env', ['-u', 'NODE_OPTIONS', ...command], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

/** The major of graphql under test, as the matrix chose it. */
const graphqlVersion =
  process.env['NODE_OPTIONS']?.includes('graphql-16') === true
    ? (manifest.devDependencies['graphql-16'] ?? '').split('@').at(-1)
    : manifest.devDependencies['graphql']

void t.test('the package holds what a user needs and nothing else', async (t) => {
  const [packed] = JSON.parse(
    run(root, 'npm', 'pack', '--dry-run', '--json', '--ignore-scripts'),
  ) as [{ files: { path: string }[] }]
  const paths = packed.files.map(({ path }) => path)
  const allowed = [
    /^dist\/src\/.*\.(?:js|d\.ts)(?:\.map)?$/,
    /^src\/.*\.(?:ts|md)$/,
    /^fixtures\/.*\.(?:json|graphql|md)$/,
    /^(?:LICENSE|README\.md|CHANGELOG\.md|package\.json)$/,
  ]
  t.strictSame(
    paths.filter((path) => !allowed.some((pattern) => pattern.test(path))),
    [],
  )
  for (const path of ['LICENSE', 'README.md', 'CHANGELOG.md', 'dist/src/index.d.ts']) {
    t.ok(paths.includes(path), path)
  }
})

void t.test('the packed tarball installs as three packages, and every entry loads', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'graphwire-package-'))
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const [packed] = JSON.parse(
    run(root, 'npm', 'pack', '--json', '--ignore-scripts', '--pack-destination', folder),
  ) as [{ filename: string }]
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  const options = ['--no-audit', '--no-fund', '--prefer-offline', '--no-package-lock']
  run(folder, 'npm', 'install', ...options, `./${packed.filename}`, `graphql@${graphqlVersion}`)
  const installed = readdirSync(join(folder, 'node_modules')).filter(
    (name) => !name.startsWith('.'),
  )
  t.strictSame(installed.toSorted(), ['graphql', 'graphwire', 'undici'])

  for (const entry of entries) {
    const name = `graphwire${entry.slice(1)}`
    const imported = run(
      folder,
      process.execPath,
      '--input-type=module',
      '--eval',
      `import * as it from '${name}'; console.log(Object.keys(it).length)`,
    )
    t.ok(Number(imported) > 0, `import ${name}`)
    const required = run(
      folder,
      process.execPath,
      '--input-type=commonjs',
      '--eval',
      `console.log(Object.keys(require('${name}')).length)`,
    )
    t.equal(required, imported, `require ${name}`)
  }

  const binary = join(folder, 'node_modules/.bin/graphwire')
  t.match(run(folder, process.execPath, binary, '--version'), manifest.version)

  writeFileSync(join(folder, 'user.ts'), userCode)
  run(
    folder,
    process.execPath,
    join(root, 'node_modules/typescript/bin/tsc'),
    '--noEmit',
    '--strict',
    '--exactOptionalPropertyTypes',
    '--module',
    'nodenext',
    '--target',
    'es2023',
    '--typeRoots',
    join(root, 'node_modules/@types'),
    '--types',
    'node',
    'user.ts',
  )
  t.pass('its types hold without skipLibCheck')
})

const userCode = `
import { buildSchema } from 'graphql'
import * as graphql from 'graphql'
import type { IncomingMessage } from 'node:http'
import { createHandler, failure, success } from 'graphwire'
import { toFetch } from 'graphwire/fetch'
import { serve, toNodeListener } from 'graphwire/node'
import { testClient } from 'graphwire/testing'

const schema = buildSchema('type Query { a: String }')
const handler = createHandler<IncomingMessage, { id: number }>({
  schema,
  graphql,
  authenticate: (head) => head.raw.url === '/' ? success({ id: 1 }) : failure({ kind: 'forbidden' }),
  context: ({ principal, head, signal }) => ({ id: principal.id + 1, url: head.raw.url, signal }),
})
export const listener = toNodeListener(handler)
export const fetchHandler: (request: Request) => Promise<Response> = toFetch(createHandler({ schema }))
export const send = testClient(handler)
export const served = () => serve({ schema, port: 0, context: ({ head }) => head.raw.socket })
`
