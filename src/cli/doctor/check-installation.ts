import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isJsonObject } from '../../base/json.js'
import { packageFile } from '../../base/package-file.js'
import { toFinding, type CheckFinding, type CheckVerdict } from './finding.js'

/** A package where Node finds it. */
interface InstalledPackage {
  readonly name: string
  readonly version: string
  /** Without symbolic links. */
  readonly path: string
  /** The range of graphql that it expects. */
  readonly peer: unknown
  /** The graphql that it loads; undefined if there is none. */
  readonly graphql: InstalledPackage | undefined
}

/** Checks Node, the copies of graphql that the project, graphwire and what the project depends on load, and what these expect. */
export function checkInstallation(folder: string, nodeVersion: string): readonly CheckFinding[] {
  const own = readManifest(fileURLToPath(packageFile('.')))
  const engines = own?.['engines'] as { readonly node: string }
  const peers = own?.['peerDependencies'] as { readonly graphql: string }
  const manifest = readManifest(folder)
  const names = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) =>
    Object.keys(manifest?.[kind] ?? {}),
  )
  const packages = [...new Set(['graphwire', ...names])].flatMap((name) => find(name, folder) ?? [])
  const used = find('graphql', folder)
  return [
    toFinding('node', checkNode(nodeVersion, engines.node)),
    toFinding('package.json', checkManifest(folder, manifest)),
    toFinding('graphql', checkGraphQL(used, peers.graphql)),
    ...(used === undefined
      ? []
      : [toFinding('copies of graphql', checkCopies(folder, used, packages))]),
    ...checkPeers(folder, packages),
  ]
}

function checkNode(version: string, range: string): CheckVerdict {
  if (isAllowed(version, range)) return version
  return [
    'fail',
    version,
    `graphwire needs Node ${range}.`,
    'Install a current LTS release of Node.',
  ]
}

function checkManifest(folder: string, manifest: PackageManifest | undefined): CheckVerdict {
  if (manifest?.['type'] === 'module') return '"type": "module"'
  if (manifest !== undefined) return 'CommonJS: .js files use require, which can load graphwire'
  return [
    'warn',
    `none in ${folder}`,
    'Without it, npm installs into a folder above, and Node takes .js files for CommonJS.',
    'Run the doctor in the folder of your project, or run `npm init`.',
  ]
}

function checkGraphQL(used: InstalledPackage | undefined, range: string): CheckVerdict {
  if (used === undefined) {
    return [
      'fail',
      'not installed',
      'graphwire uses the graphql of your project.',
      'Run `npm install graphql`.',
    ]
  }
  if (isAllowed(used.version, range)) return used.version
  return [
    'fail',
    used.version,
    `graphwire needs graphql ${range}.`,
    'Run `npm install graphql@17`, or 16.15 if another package needs graphql 16.',
  ]
}

/** Node loads the copy in the nearest node_modules, so packages may get different ones. */
function checkCopies(
  folder: string,
  used: InstalledPackage,
  packages: readonly InstalledPackage[],
): CheckVerdict {
  const all = [used, ...packages.flatMap(({ graphql }) => graphql ?? [])]
  const copies = new Map(all.map((copy) => [copy.path, copy]))
  if (copies.size === 1) return '1'
  const engine = packages.find(({ name }) => name === 'graphwire')?.graphql ?? used
  const isSplit = engine.path !== used.path
  const places = [...copies.values()].map(
    ({ version, path }) => `${version} in ${show(folder, path)}`,
  )
  return [
    isSplit ? 'fail' : 'warn',
    `${copies.size}: ${places.join(', ')}`,
    isSplit
      ? 'Your project and graphwire load different copies: a schema of one is no schema for the other.'
      : 'A schema that is made with one copy cannot be executed by another: "Cannot use GraphQLSchema from another module or realm".',
    'Run `npm ls graphql` to see who asks for which, and `npm dedupe`; or set "overrides": { "graphql": "$graphql" } in package.json.',
  ]
}

function checkPeers(
  folder: string,
  packages: readonly InstalledPackage[],
): readonly CheckFinding[] {
  const wrong = packages.flatMap(({ name, version, path, peer, graphql }) => {
    if (typeof peer !== 'string' || graphql === undefined) return []
    if (isAllowed(graphql.version, peer)) return []
    const verdict = [
      'warn',
      `${name} ${version} (${show(folder, path)}) expects graphql ${peer}, and loads ${graphql.version}`,
      'Its authors have not tested it with this version: it may fail, and `npm install` refuses it.',
      `Update ${name}, or use a version of graphql that it expects.`,
    ] as const
    return [toFinding(`peer of ${name}`, verdict)]
  })
  const asked = packages.filter(({ peer }) => peer !== undefined).length
  return wrong.length > 0 ? wrong : [toFinding('peers of graphql', `${asked} packages, all fit`)]
}

/** Whether a range of npm allows a version. A tag or a URL allows all. */
function isAllowed(version: string, range: string): boolean {
  const numbers = version.split(/[.-]/).map(Number)
  return range
    .replaceAll(/(\S+)\s+-\s+(\S+)/g, '>=$1 <=$2')
    .replaceAll(/([<>=^~])\s+/g, '$1')
    .split('||')
    .some((all) =>
      all
        .trim()
        .split(/\s+/)
        .every((one) => fits(numbers, one)),
    )
}

/** Whether a version fits a comparator such as `^16.5`; what that leaves out may be any number. */
function fits(numbers: readonly number[], comparator: string): boolean {
  const [, sign, ...bounds] = /^([<>=^~]*)v?(\d+)(?:\.(\d+))?(?:\.(\d+))?/.exec(comparator) ?? []
  const gaps = bounds.map((bound: string | undefined, at) =>
    bound === undefined ? 0 : (numbers[at] ?? 0) - Number(bound),
  )
  const gap = gaps.find((one) => one !== 0) ?? 0
  switch (sign) {
    case '<':
      return gap < 0
    case '<=':
      return gap <= 0
    case '>':
      return gap > 0
    case '>=':
      return gap >= 0
    case '^':
      return gap >= 0 && gaps[0] === 0
    case '~':
      return gap >= 0 && gaps[0] === 0 && gaps[1] === 0
    default:
      return gap === 0
  }
}

function show(folder: string, path: string): string {
  const from = relative(folder, path)
  return from.startsWith(`..${sep}..`) ? path : from
}

/** The package that Node loads by a name in a folder: that in the nearest node_modules. */
function find(name: string, folder: string): InstalledPackage | undefined {
  const places = createRequire(join(folder, 'package.json')).resolve.paths(name) ?? []
  const place = places.map((one) => join(one, name)).find((one) => existsSync(one))
  const manifest = place && readManifest(place)
  if (!manifest) return undefined
  const path = realpathSync(place)
  const { version, peerDependencies } = manifest
  return {
    name,
    version: typeof version === 'string' ? version : '0.0.0',
    path,
    peer: isJsonObject(peerDependencies) ? peerDependencies['graphql'] : undefined,
    graphql: name === 'graphql' ? undefined : find('graphql', path),
  }
}

type PackageManifest = { readonly [name: string]: unknown }

/** The manifest of a folder; undefined if there is none that can be read. */
function readManifest(folder: string): PackageManifest | undefined {
  try {
    const json: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    return isJsonObject(json) ? json : undefined
  } catch {
    return undefined
  }
}
