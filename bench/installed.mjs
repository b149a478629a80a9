import { readFile, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** How many packages the roots need in a folder, themselves included, and the bytes of their files. */
export async function installed(folder, roots) {
  const lockfile = await readFile(join(folder, 'node_modules/.package-lock.json'), 'utf8')
  const { packages } = JSON.parse(lockfile)
  const found = new Set()
  const visit = (from, name) => {
    const path = resolvePackage(packages, from, name)
    if (path === undefined || found.has(path)) return
    found.add(path)
    for (const needed of needsOf(packages[path])) visit(path, needed)
  }
  for (const root of roots) visit('', root)
  let bytes = 0
  for (const path of found) bytes += await sizeOf(join(folder, path))
  return { packages: found.size, bytes }
}

/** The nearest package of that name, as Node finds it from the package at `from`. */
function resolvePackage(packages, from, name) {
  const path = `${from === '' ? '' : `${from}/`}node_modules/${name}`
  if (path in packages) return path
  if (from === '') return undefined
  return resolvePackage(
    packages,
    from.slice(0, from.lastIndexOf('node_modules/')).replace(/\/$/, ''),
    name,
  )
}

function needsOf({ dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta }) {
  const peers = Object.keys(peerDependencies ?? {}).filter(
    (name) => !peerDependenciesMeta?.[name]?.optional,
  )
  return [...Object.keys({ ...dependencies, ...optionalDependencies }), ...peers]
}

async function sizeOf(folder) {
  let bytes = 0
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isFile()) bytes += (await stat(path)).size
    else if (entry.isDirectory() && entry.name !== 'node_modules') bytes += await sizeOf(path)
  }
  return bytes
}
