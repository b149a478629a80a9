import { readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { checkPublished, installing, pack, run } from '../published.js'
import { root } from '../runtimes/runtime.js'
import { temporaryFolder } from '../temporary-folder.js'

const source = join(root, 'packages/ide')

const folder = temporaryFolder(t)
const staged = join(folder, 'staged')
run(root, process.execPath, 'release/stage.mjs', staged, 'packages/ide')
const packed = pack(staged, folder)
const tarball = join(folder, packed.filename)

void t.test('the package holds its code, the assets and nothing else', async (t) => {
  const allowed =
    /^(?:dist\/\w+\.(?:js|d\.ts)|assets\/(?:[\w.-]+\.br|manifest\.json|licenses\.md)|LICENSE|README\.md|package\.json)$/
  const paths = packed.files.map(({ path }) => path)
  const others = paths.filter((path) => !allowed.test(path))
  t.strictSame(others, [])
  const assets = readdirSync(join(source, 'assets')).map((name) => `assets/${name}`)
  const expected = ['LICENSE', 'README.md', 'dist/index.js', 'dist/index.d.ts', ...assets]
  for (const path of ['assets/manifest.json', ...expected]) t.ok(paths.includes(path), path)
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
  run(folder, ...installing, tarball)
  const names = readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))
  t.strictSame(names, ['@graphwire'])
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

checkPublished([join(folder, 'node_modules/@graphwire/ide')], tarball, '@graphwire/ide')
