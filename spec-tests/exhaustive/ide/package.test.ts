import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { installed, skip } from '../installed.js'

t.setTimeout(120_000)

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const source = join(root, 'packages/ide')

/** Runs a command without the redirection of the matrix and the hooks of tap. */
function run(cwd: string, ...command: string[]): string {
  return execFileSync('env', ['-u', 'NODE_OPTIONS', ...command], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

interface Packed {
  readonly filename: string
  readonly unpackedSize: number
  readonly files: readonly { readonly path: string }[]
}

const folder = mkdtempSync(join(tmpdir(), 'graphwire-ide-'))
t.teardown(() => rmSync(folder, { recursive: true, force: true }))
const [packed] = JSON.parse(
  run(source, 'npm', 'pack', '--json', '--ignore-scripts', '--pack-destination', folder),
) as [Packed]
const tarball = join(folder, packed.filename)

void t.test('the package holds its code, the assets and nothing else', async (t) => {
  const allowed =
    /^(?:dist\/\w+\.(?:js|d\.ts)|assets\/(?:[\w.-]+\.br|manifest\.json|licenses\.md)|LICENSE|README\.md|package\.json)$/
  const paths = packed.files.map(({ path }) => path)
  t.strictSame(
    paths.filter((path) => !allowed.test(path)),
    [],
  )
  for (const path of [
    'LICENSE',
    'README.md',
    'dist/index.js',
    'dist/index.d.ts',
    'assets/manifest.json',
  ]) {
    t.ok(paths.includes(path), path)
  }
  for (const name of readdirSync(join(source, 'assets')))
    t.ok(paths.includes(`assets/${name}`), name)
  t.ok(packed.unpackedSize <= 1_800_000, `${packed.unpackedSize} bytes`)
})

void t.test('it has no dependencies, and the version of graphwire', async (t) => {
  const read = (place: string): { [name: string]: unknown } =>
    JSON.parse(readFileSync(join(place, 'package.json'), 'utf8')) as { [name: string]: unknown }
  const { version, engines, ...manifest } = read(source)
  const own = read(root)
  t.equal(version, own['version'])
  t.strictSame(engines, own['engines'])
  for (const name of ['dependencies', 'peerDependencies', 'scripts'])
    t.notOk(name in manifest, name)
})

void t.test('it installs alone, and gives the page to import and to require', async (t) => {
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  const options = ['--no-audit', '--no-fund', '--prefer-offline', '--no-package-lock']
  run(folder, 'npm', 'install', ...options, tarball)
  t.strictSame(
    readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.')),
    ['@graphwire'],
  )
  const use = `const { status, body } = createIde().page({ headers: [] }, { edition: '2026-09' })
    console.log(status, body.includes('src="?ide='))`
  for (const [type, load] of [
    ['module', `import { createIde } from '@graphwire/ide'`],
    ['commonjs', `const { createIde } = require('@graphwire/ide')`],
  ] as const) {
    const code = `${load}\n${use}`
    t.equal(run(folder, process.execPath, `--input-type=${type}`, '--eval', code), '200 true\n')
  }
})

const checkers: readonly [name: string, args: readonly string[], clean: RegExp][] = [
  ['publint', ['run', join(folder, 'node_modules/@graphwire/ide'), '--strict'], /All good!/],
  [
    'attw',
    [tarball, '--profile', 'node16', '--ignore-rules', 'cjs-resolves-to-esm', '--no-color'],
    /"@graphwire\/ide" /,
  ],
]

for (const [name, args, clean] of checkers) {
  const program = join(installed, 'node_modules/.bin', name)
  void t.test(`${name} finds nothing`, { skip }, async (t) => {
    t.match(run(folder, program, ...args), clean)
  })
}
