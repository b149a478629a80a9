import { readdir, readFile, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isJsonObject } from '../../../base/json.js'

/** A package in a folder of node_modules. */
export interface InstalledPackage {
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
export async function findPackages(folder: string): Promise<readonly InstalledPackage[]> {
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
export async function readManifest(
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
