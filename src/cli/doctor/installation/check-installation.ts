import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { readdir, readFile, realpath } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { isJsonObject } from '../../../base/json.js'
import { fine, type Finding } from '../findings/finding.js'
import { isInVersionRange } from './version-range.js'

/** The manifest of graphwire itself. */
interface OwnManifest {
  readonly engines: { readonly node: string }
  readonly peerDependencies: { readonly graphql: string }
}

/** Checks Node, the copies of graphql, and what other packages expect of them. */
export async function checkInstallation(
  folder: string,
  nodeVersion: string,
): Promise<readonly Finding[]> {
  const own = readOwnManifest()
  const packages = await findPackages(folder)
  return [
    checkNode(nodeVersion, own.engines.node),
    ...(await checkProject(folder)),
    ...checkGraphQL(folder, packages, own.peerDependencies.graphql),
    ...checkPeers(folder, packages),
  ]
}

function readOwnManifest(): OwnManifest {
  const file = new URL('../../../../../package.json', import.meta.url)
  return JSON.parse(readFileSync(file, 'utf8')) as OwnManifest
}

function checkNode(version: string, range: string): Finding {
  const check = 'node'
  if (isInVersionRange(version, range) !== false) return fine(check, version)
  return {
    check,
    state: 'fail',
    found: version,
    why: `graphwire needs Node ${range}.`,
    remedy: 'Install a current LTS release of Node.',
  }
}

async function checkProject(folder: string): Promise<readonly Finding[]> {
  const manifest = await readManifest(folder)
  if (manifest === undefined) {
    return [
      {
        check: 'package.json',
        state: 'warn',
        found: `none in ${folder}`,
        why: 'Without it, npm installs into a folder above, and Node takes .js files for CommonJS.',
        remedy: 'Run the doctor in the folder of your project, or run `npm init`.',
      },
    ]
  }
  if (manifest['type'] === 'module') return [fine('package.json', '"type": "module"')]
  return [fine('package.json', 'CommonJS: .js files use require, which can load graphwire')]
}

/** Node loads the copy in the nearest node_modules, so packages may get different ones. */
function checkGraphQL(
  folder: string,
  packages: readonly InstalledPackage[],
  range: string,
): readonly Finding[] {
  const copies = packages.filter(({ name }) => name === 'graphql')
  const [first, ...others] = copies
  const check = 'graphql'
  if (first === undefined) {
    return [
      {
        check,
        state: 'fail',
        found: 'not installed',
        why: 'graphwire uses the graphql of your project.',
        remedy: 'Run `npm install graphql`.',
      },
    ]
  }
  const used = loadedBy(folder, copies) ?? first
  const fits = isInVersionRange(used.version, range)
  const version: Finding =
    fits === false
      ? {
          check,
          state: 'fail',
          found: used.version,
          why: `graphwire needs graphql ${range}.`,
          remedy: 'Run `npm install graphql@17`, or 16.15 if another package needs graphql 16.',
        }
      : fine(check, used.version)
  if (others.length === 0) return [version, fine('copies of graphql', '1')]
  return [version, describeCopies(folder, copies, packages)]
}

function describeCopies(
  folder: string,
  copies: readonly InstalledPackage[],
  packages: readonly InstalledPackage[],
): Finding {
  const engine = packages.find(({ name }) => name === 'graphwire')
  const own = loadedBy(folder, copies)
  const other = engine === undefined ? own : loadedBy(engine.path, copies)
  const isSplit = own !== undefined && other !== undefined && own.path !== other.path
  const places = copies.map(({ version, path }) => `${version} in ${show(folder, path)}`)
  return {
    check: 'copies of graphql',
    state: isSplit ? 'fail' : 'warn',
    found: `${copies.length}: ${places.join(', ')}`,
    why: isSplit
      ? 'Your project and graphwire load different copies: a schema of one is no schema for the other.'
      : 'A schema that is made with one copy cannot be executed by another: "Cannot use GraphQLSchema from another module or realm".',
    remedy:
      'Run `npm ls graphql` to see who asks for which, and `npm dedupe`; or set "overrides": { "graphql": "$graphql" } in package.json.',
  }
}

/** The copy in the nearest node_modules at or above a folder, where Node looks for it. */
function loadedBy(
  folder: string,
  copies: readonly InstalledPackage[],
): InstalledPackage | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const place = join(at, 'node_modules', 'graphql')
    const real = existsSync(place) ? realpathSync(place) : undefined
    const found = copies.find(({ path }) => path === real)
    if (found !== undefined || dirname(at) === at) return found
  }
}

function checkPeers(folder: string, packages: readonly InstalledPackage[]): readonly Finding[] {
  const copies = packages.filter(({ name }) => name === 'graphql')
  const wrong = packages.flatMap((one): Finding[] => {
    const range = one.peers['graphql']
    const loaded = loadedBy(one.path, copies)
    if (range === undefined || loaded === undefined) return []
    if (isInVersionRange(loaded.version, range) !== false) return []
    return [
      {
        check: `peer of ${one.name}`,
        state: 'warn',
        found: `${one.name} ${one.version} (${show(folder, one.path)}) expects graphql ${range}, and loads ${loaded.version}`,
        why: 'Its authors have not tested it with this version: it may fail, and `npm install` refuses it.',
        remedy: `Update ${one.name}, or use a version of graphql that it expects.`,
      },
    ]
  })
  const asked = packages.filter(({ peers }) => peers['graphql'] !== undefined).length
  return wrong.length > 0 ? wrong : [fine('peers of graphql', `${asked} packages, all fit`)]
}

function show(folder: string, path: string): string {
  const from = relative(folder, path)
  return from.startsWith(`..${sep}..`) ? path : from
}

/** A package in a folder of node_modules. */
interface InstalledPackage {
  /** The name by which it is imported, which is that of its folder. */
  readonly name: string
  readonly version: string
  /** Without symbolic links. */
  readonly path: string
  readonly peers: { readonly [name: string]: string }
}

/** More packages than any project has; a doctor must come to an end. */
const maxPackages = 20_000

/** Every package that a project can load: those of its folder and of the folders above it, and those inside packages. */
async function findPackages(folder: string): Promise<readonly InstalledPackage[]> {
  const found = new Map<string, InstalledPackage>()
  for (let at = folder; ; at = dirname(at)) {
    await collect(join(at, 'node_modules'), found)
    if (dirname(at) === at) return [...found.values()]
  }
}

async function collect(modules: string, found: Map<string, InstalledPackage>): Promise<void> {
  for (const name of await listNames(modules)) {
    const path = await realpath(join(modules, name)).catch(() => undefined)
    if (path === undefined || found.has(path) || found.size >= maxPackages) continue
    const one = await readPackage(name, path)
    if (one === undefined) continue
    found.set(path, one)
    await collect(join(path, 'node_modules'), found)
    // pnpm keeps what a package imports beside it: node_modules/.pnpm/name@1/node_modules/.
    const beside = join(modules, '..', '..', '.pnpm')
    if (path.startsWith(beside)) await collect(dirname(path), found)
  }
  const store = join(modules, '.pnpm')
  for (const entry of await list(store)) await collect(join(store, entry, 'node_modules'), found)
}

async function listNames(modules: string): Promise<readonly string[]> {
  const entries = await list(modules)
  const names = await Promise.all(
    entries.map(async (entry) => {
      if (entry.startsWith('.')) return []
      if (!entry.startsWith('@')) return [entry]
      return (await list(join(modules, entry))).map((name) => `${entry}/${name}`)
    }),
  )
  return names.flat()
}

async function list(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => [])
}

async function readPackage(name: string, path: string): Promise<InstalledPackage | undefined> {
  const manifest = await readManifest(path)
  if (manifest === undefined) return undefined
  const { version, peerDependencies } = manifest
  return {
    name,
    version: typeof version === 'string' ? version : '0.0.0',
    path,
    peers: isJsonObject(peerDependencies) ? onlyTexts(peerDependencies) : {},
  }
}

/** The manifest of a folder; undefined if there is none that can be read. */
async function readManifest(
  folder: string,
): Promise<{ readonly [name: string]: unknown } | undefined> {
  try {
    const json: unknown = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))
    return isJsonObject(json) ? json : undefined
  } catch {
    return undefined
  }
}

function onlyTexts(json: { readonly [name: string]: unknown }): {
  readonly [name: string]: string
} {
  return Object.fromEntries(
    Object.entries(json).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value] as const] : [],
    ),
  )
}
