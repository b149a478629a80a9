import { createHash } from 'node:crypto'
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { fixturesFolder, openFixtures } from '../../src/conformance/suite/fixture-files.js'
import { readSuite } from '../../src/conformance/suite/suite.js'
import { checkPublished, installing, pack, run, type Packed } from './published.js'
import { root } from './runtimes/runtime.js'
import { temporaryFolder } from './temporary-folder.js'

t.setTimeout(500_000)

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  version: string
  private: boolean
  exports: Record<string, unknown>
  devDependencies: Record<string, string>
}
const entries = Object.keys(manifest.exports).filter((entry) => !entry.endsWith('.json'))

/** The major of graphql under test, as the matrix chose it. */
const graphqlVersion =
  process.env['NODE_OPTIONS']?.includes('graphql-16') === true
    ? (manifest.devDependencies['graphql-16'] ?? '').split('@').at(-1)
    : manifest.devDependencies['graphql']

const folder = temporaryFolder(t)

/** A package as it is published, in a folder, and packed beside that folder. */
function packPackage(name: string, ...source: readonly string[]) {
  const staged = join(folder, `staged-${name}`)
  run(root, process.execPath, 'release/stage.mjs', staged, ...source)
  const packed = pack(staged, folder)
  return { name, staged, packed, paths: packed.files.map(({ path }) => path) }
}

const { staged, packed: tarball, paths } = packPackage('graphwire')
const { filename } = tarball
// The IDE has a test of its own.
const packages = readdirSync(join(root, 'packages'))
  .filter((name) => name !== 'ide')
  .map((name) => packPackage(name, `packages/${name}`))

for (const { name, paths: found, packed } of packages) {
  void t.test(`@graphwire/${name} holds its code, its page and its license`, async (t) => {
    const code = found.filter((path) => path.startsWith('dist/'))
    const data = code.filter((path) => !/\.(?:js|d\.ts)$/.test(path))
    t.strictSame(data, [])
    const others = found.filter((path) => !code.includes(path))
    t.strictSame(others.toSorted(), ['LICENSE', 'README.md', 'package.json'])
    t.ok(packed.unpackedSize < 250_000, `${packed.unpackedSize} bytes`)
  })
}

void t.test('the package holds what a user needs and nothing else', async (t) => {
  const allowed = [
    /^dist\/src\/.*\.(?:js|js\.map|d\.ts)$/,
    /^fixtures\/(?:README\.md|all\.json\.br|(?:meta|standard)\/[\w.]+)$/,
    /^docs\/(?:hosts\/)?[\w-]+\.md$/,
    /^docs\/proxies\/[\w.]+$/,
    /^examples\/[\w-]+\/(?:README\.md|(?:server|schema|client|worker|index|rpc)\.mjs|config\.capnp)$/,
    /^examples\/api(?:-test)?\.mjs$/,
    /^examples\/next\/app\/graphql\/route\.js$/,
    /^examples\/(?:guide|nest)\/[\w.-]+\.ts$/,
    /^(?:LICENSE|README\.md|package\.json)$/,
  ]
  const others = paths.filter((path) => !allowed.some((pattern) => pattern.test(path)))
  t.strictSame(others, [])
  const expected = ['LICENSE', 'README.md', 'dist/src/index.d.ts', 'docs/guide.md']
  for (const path of expected) t.ok(paths.includes(path), path)
})

void t.test('the package has at most 400 files and 600 kB', async (t) => {
  t.ok(paths.length <= 400, `${paths.length} files`)
  t.ok(tarball.size <= 600_000, `${tarball.size} bytes`)
})

void t.test('its fixtures are those of the manifest, in one file', async (t) => {
  const folderOfPackage = pathToFileURL(join(staged, 'fixtures/'))
  const packed = openFixtures(folderOfPackage)
  const { files } = JSON.parse(packed.read('manifest.json')) as { files: Record<string, string> }
  const fixtures = packed.paths.filter((path) => path !== 'manifest.json')
  t.strictSame(fixtures, Object.keys(files).toSorted())
  for (const [path, sha256] of Object.entries(files)) {
    if (createHash('sha256').update(packed.read(path)).digest('hex') !== sha256) t.fail(path)
  }
  t.strictSame(readSuite(folderOfPackage), readSuite(fixturesFolder))
  t.throws(() => packed.read('core/nothing.json'), { message: 'all.json.br has no such file' })
  t.throws(() => packed.read('constructor'), { message: 'all.json.br has no such file' })
})

void t.test('a plain `npm pack`, as of an install from git, has the fixtures', async (t) => {
  const listing = run(root, 'npm', 'pack', '--dry-run', '--json', '--ignore-scripts')
  const [{ files } = { files: [] }] = JSON.parse(listing) as Packed[]
  const packed = new Set(files.map(({ path }) => path))
  for (const path of openFixtures(fixturesFolder).paths.filter((it) => it.endsWith('.json'))) {
    if (!packed.has(`fixtures/${path}`)) t.fail(path)
  }
})

void t.test('files name the maps that are packed, and no others', async (t) => {
  const code = paths.filter((path) => /\.(?:js|d\.ts)$/.test(path))
  const named = code.flatMap((path) => {
    const text = readFileSync(join(staged, path), 'utf8')
    const [, map] = /\/\/# sourceMappingURL=(.*)/.exec(text) ?? []
    return map === undefined ? [] : join(dirname(path), map)
  })
  const maps = paths.filter((path) => path.endsWith('.map'))
  t.strictSame(named.toSorted(), maps.toSorted())
})

const membersForUsers =
  'bin bugs dependencies description engines exports homepage keywords license name peerDependencies peerDependenciesMeta repository sideEffects type types typesVersions version'

void t.test('its manifest has what users of the package need and nothing else', async (t) => {
  const packed = JSON.parse(readFileSync(join(staged, 'package.json'), 'utf8')) as object
  t.equal(Object.keys(packed).toSorted().join(' '), membersForUsers)
  t.match(packed, { version: manifest.version, exports: manifest.exports })
  t.equal(manifest.private, true, 'the repository itself cannot be published by mistake')
})

void t.test('each link of its pages leads into the package or the repository', async (t) => {
  const repository = 'https://github.com/graphwire/graphwire'
  let outside = 0
  for (const page of paths.filter((path) => path.endsWith('.md'))) {
    const text = readFileSync(join(staged, page), 'utf8')
    for (const [, picture, target = ''] of text.matchAll(/(!\[[^\]]*)?\]\(([^)#\s<]+)/g)) {
      const view = picture === undefined ? 'blob' : 'raw'
      const source = `${repository}/${view}/v${manifest.version}/`
      if (target.startsWith(source)) {
        outside += 1
        t.ok(existsSync(join(root, target.slice(source.length))), `${page}: ${target}`)
      } else if (!/^[a-z]+:/.test(target)) {
        t.ok(existsSync(join(staged, dirname(page), target)), `${page}: ${target}`)
      }
    }
  }
  t.ok(outside > 0, 'such as CONTRIBUTING.md')
})

void t.test('the packed tarball installs as three packages, and every entry loads', async (t) => {
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  run(folder, ...installing, `./${filename}`, `graphql@${graphqlVersion}`)
  const names = readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))
  t.strictSame(names.toSorted(), ['graphql', 'graphwire', 'ws'])

  const tarballs = packages.map(({ packed }) => `./${packed.filename}`)
  run(folder, ...installing, ...tarballs)
  const modules = [
    ...entries.map((entry) => `graphwire${entry.slice(1)}`),
    ...packages.map(({ name }) => `@graphwire/${name}`),
  ]
  const namesBy = (load: string, type: string): unknown => {
    const code = `(async () => {
      const names = {}
      for (const name of ${JSON.stringify(modules)}) names[name] = Object.keys(await ${load}(name))
      console.log(JSON.stringify(names))
    })()`
    return JSON.parse(run(folder, process.execPath, `--input-type=${type}`, '--eval', code))
  }
  const imported = namesBy('import', 'module') as { readonly [name: string]: readonly string[] }
  for (const name of modules) t.not(imported[name]?.length, 0, name)
  t.strictSame(namesBy('require', 'commonjs'), imported)

  t.match(run(folder, 'npx', '--no-install', 'graphwire', '--version'), manifest.version)
  const list = ['conform', 'http://localhost/graphql', '--list', '--standard']
  const listed = run(root, process.execPath, 'dist/src/cli/main.js', ...list)
  t.equal(run(folder, 'npx', '--no-install', 'graphwire', ...list), listed, 'the same suite')

  writeFileSync(join(folder, 'user.ts'), userCode)
  writeFileSync(join(folder, 'user.cts'), commonJsCode)
  // What Nest itself declares does not hold so strictly.
  const strict = modules.filter((name) => name !== '@graphwire/nest')
  const every = strict.map((name, at) => `export * as it${at} from '${name}'`)
  writeFileSync(join(folder, 'every.ts'), every.join('\n'))
  const flags = '--noEmit --strict --exactOptionalPropertyTypes --module nodenext --types node'
  const types = ['--target', 'es2023', '--typeRoots', join(root, 'node_modules/@types')]
  const words = [...flags.split(' '), ...types, 'user.ts', 'user.cts', 'every.ts']
  run(folder, process.execPath, join(root, 'node_modules/typescript/bin/tsc'), ...words)
  t.pass('its types hold without skipLibCheck')
})

void t.test('npm refuses an OpenTelemetry API that would get no spans', async (t) => {
  const user = temporaryFolder(t)
  const older = { dependencies: { '@opentelemetry/api': '1.8.0' } }
  writeFileSync(join(user, 'package.json'), JSON.stringify(older))
  const otel = packages.find(({ name }) => name === 'otel')?.packed.filename ?? ''
  const tarballs = [filename, otel].map((name) => join(folder, name))
  const install = () =>
    run(user, ...installing, '--dry-run', ...tarballs, `graphql@${graphqlVersion}`)
  t.throws(install, { message: 'peer @opentelemetry/api@"^1.9.0"' })
})

void t.test('declarations can name types of a package that pnpm would hide', async (t) => {
  const scope = join(folder, 'node_modules/@graphwire')
  for (const [name, code] of Object.entries(declaringCode)) {
    const hidden = join(scope, name, 'node_modules/@graphwire/json-schema')
    cpSync(join(scope, 'json-schema'), hidden, { recursive: true })
    writeFileSync(join(folder, `${name}.ts`), code)
  }
  rmSync(join(scope, 'json-schema'), { recursive: true })
  const flags = '--declaration --strict --skipLibCheck --module nodenext --target es2023'
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  run(folder, process.execPath, compiler, ...flags.split(' '), 'mcp.ts', 'rest.ts')
  for (const name of ['mcp', 'rest']) {
    t.match(readFileSync(join(folder, `${name}.d.ts`), 'utf8'), `import("@graphwire/${name}"`)
  }
})

void t.test('a stack trace points into the source, by its URL in the repository', async (t) => {
  const code = `import { createHandler } from 'graphwire'
    try { createHandler({}) } catch ({ stack }) { console.log(stack) }`
  const flags = ['--enable-source-maps', '--input-type=module', '--eval']
  const stack = run(folder, process.execPath, ...flags, code)
  const source = `https://github.com/graphwire/graphwire/raw/v${manifest.version}/`
  const [path = '', line = ''] = stack.split(`at checkSchema (${source}`)[1]?.split(':') ?? []
  const text = readFileSync(join(root, path), 'utf8').split('\n')[Number(line) - 1]
  t.match(text, 'throw new SchemaError(', stack)
})

/** The files that a module of the package loads at once, without those of other packages. */
function loadedBy(path: string, loaded: Set<string> = new Set()): Set<string> {
  if (loaded.has(path)) return loaded
  loaded.add(path)
  const code = readFileSync(join(staged, 'dist/src', path), 'utf8')
  for (const [, file = ''] of code.matchAll(/^(?:import|export) .*?"(\.[^"]+)";$/gm)) {
    loadedBy(join(dirname(path), file), loaded)
  }
  return loaded
}

// oxfmt-ignore
const loads: readonly [file: string, chunks: string][] = [
  ['index',                      'base engine'],
  ['http/index',                 'base'],
  ['shapes/index',               'base'],
  ['hosts/node/index',           'base engine hosts node options'],
  ['hosts/fetch/index',          'base hosts websocket'],
  ['compiled/index',             'base compiled engine'],
  ['conformance/index',          'base conformance files suite'],
  ['chunks/run-cli',             'start'],
  ['chunks/commands',            'base cli files hosts options start suite'],
  ['chunks/run-explain',         'base cli files hosts options start suite topics'],
  ['chunks/run-server',          'base cli compiled engine files hosts node options serve start suite'],
]
for (const [file, chunks] of loads) {
  void t.test(`${file} loads ${chunks}`, async (t) => {
    const [, ...loaded] = [...loadedBy(`${file}.js`)].map((path) => basename(path, '.js'))
    t.equal(loaded.toSorted().join(' '), chunks)
  })
}

void t.test('what applications import can be transformed to CommonJS, as Jest does', async (t) => {
  for (const name of entries.filter((entry) => entry !== './conformance')) {
    const { default: file } = manifest.exports[name] as { default: string }
    for (const path of loadedBy(file.replace('./dist/src/', ''))) {
      const code = readFileSync(join(staged, 'dist/src', path), 'utf8')
      t.notMatch(code, 'import.meta', `${name}: ${path}`)
    }
  }
})

const published = [staged, ...packages.map((one) => one.staged)]
checkPublished(published, join(folder, filename), 'graphwire/fetch')

const declaringCode = {
  mcp: `
import type { McpOptions } from '@graphwire/mcp'
export const ofTools = ({ scalars }: McpOptions) => ({ scalars, date: scalars?.['Date'] })
`,
  rest: `
import { buildSchema } from 'graphql'
import { createApiDescription, type ApiDescriptionOptions } from '@graphwire/rest'

const schema = buildSchema('type Query { a: String }')
export const ofRoutes = ({ scalars }: ApiDescriptionOptions<unknown>) => scalars
export const api = createApiDescription({ schema, routes: [], info: { title: 'a', version: '1' } })
`,
}

const userCode = `
import { buildSchema } from 'graphql'
import * as graphql from 'graphql'
import type { IncomingMessage } from 'node:http'
import { createHandler, failure, success } from 'graphwire'
import { toFetch } from 'graphwire/fetch'
import { chooseType, parseTemplate, problem, type HttpResponse } from 'graphwire/http'
import { serve, toNodeListener } from 'graphwire/node'
import { createPubSub, type Channel } from '@graphwire/pubsub'
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
export const type: 'a/b' | undefined = chooseType('*/*', ['a/b'])
export const names: readonly string[] = [parseTemplate('/{id}')].flatMap((one) => (one.ok ? one.value.names : []))
export const ids: Channel<{ id: number }> = createPubSub<{ [topic: \`id:\${string}\`]: { id: number } }>().subscribe('id:1')
export const refused: HttpResponse = problem({ status: 404, code: 'NOT_FOUND', detail: 'Not found.' })
export const served = () => serve({ schema, port: 0, context: ({ head }) => head.raw.socket })
`

const commonJsCode = `
import { buildSchema, createHandler, type Options } from 'graphwire'
import { toNodeListener } from 'graphwire/node'

interface Context { readonly user: string }
const schema = buildSchema<Context>('type Query { me: String }', {
  Query: { me: (_parent, _args, { user }) => user },
})
const options: Options = { schema, context: (): Context => ({ user: 'me' }) }
export const listener = toNodeListener(createHandler(options))
`
