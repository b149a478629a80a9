import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, relative, sep } from 'node:path'
import { isJsonObject, type JsonObject } from '../../shapes/index.js'
import { readPackage } from '../process/package.js'
import { toFinding, type CheckFinding, type CheckVerdict } from './finding.js'

/** Checks Node, and the copies of graphql that the project, graphwire and what the project depends on load. */
export function checkInstallation(folder: string, nodeVersion: string): readonly CheckFinding[] {
  const { engines, peerDependencies } = readPackage()
  const manifest = readManifest(folder)
  const names = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((kind) =>
    Object.keys(manifest?.[kind] ?? {}),
  )
  const used = find('graphql', folder)
  const isFit = isWithin(nodeVersion, engines.node)
  const copies = used && checkCopies(folder, used, names)
  return [
    toFinding('node', isFit ? nodeVersion : ['fail', nodeVersion, 'node', engines.node]),
    toFinding('package.json', checkManifest(folder, manifest)),
    toFinding('graphql', checkGraphQL(used && versionIn(used), peerDependencies.graphql)),
    ...(copies ? [toFinding('copies of graphql', copies)] : []),
  ]
}

/** Whether a version is within a range of our own manifest, such as `>=20.19` or `^16.15.0 || ^17.0.0`. */
function isWithin(version: string, range: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return range.split('||').some((one) => {
    const [least = 0, leastMinor = 0] = (one.match(/\d+/g) ?? []).map(Number)
    return major === least ? minor >= leastMinor : major > least && one.includes('>=')
  })
}

function checkManifest(folder: string, manifest: JsonObject | undefined): CheckVerdict {
  if (manifest?.['type'] === 'module') return '"type": "module"'
  if (manifest !== undefined) return 'CommonJS: .js files use require, which can load graphwire'
  return ['warn', `none in ${folder}`, 'no manifest']
}

function checkGraphQL(version: string | undefined, range: string): CheckVerdict {
  if (version !== undefined && isWithin(version, range)) return version
  return ['fail', version ?? 'not installed', 'no graphql', range]
}

/** Node loads the copy in the nearest node_modules, so packages may get different ones. */
function checkCopies(folder: string, used: string, names: readonly string[]): CheckVerdict {
  const loadedBy = (name: string): string | undefined => {
    const place = find(name, folder)
    return place && find('graphql', place)
  }
  const engine = loadedBy('graphwire') ?? used
  const copies = new Set([used, engine, ...names.flatMap((name) => loadedBy(name) ?? [])])
  if (copies.size === 1) return '1'
  const places = Array.from(copies, (path) => `${versionIn(path)} in ${show(folder, path)}`)
  const isWorking = engine === used
  return [isWorking ? 'warn' : 'fail', `${copies.size}: ${places.join(', ')}`, 'copies']
}

function show(folder: string, path: string): string {
  const from = relative(folder, path)
  return from.startsWith(`..${sep}..`) ? path : from
}

/** The folder of the package that Node loads by a name in a folder, without symbolic links. */
function find(name: string, folder: string): string | undefined {
  const places = createRequire(join(folder, 'package.json')).resolve.paths(name) ?? []
  const place = places.map((one) => join(one, name)).find((one) => readManifest(one))
  return place && realpathSync(place)
}

function versionIn(folder: string): string {
  return String(readManifest(folder)?.['version'])
}

function readManifest(folder: string): JsonObject | undefined {
  const file = join(folder, 'package.json')
  try {
    if (!existsSync(file)) return undefined
    // Drops a byte order mark.
    const json: unknown = JSON.parse(new TextDecoder().decode(readFileSync(file)))
    return isJsonObject(json) ? json : undefined
  } catch {
    return undefined
  }
}
