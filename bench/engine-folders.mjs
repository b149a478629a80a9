import { cp, mkdir, realpath, symlink } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const bench = fileURLToPath(new URL('.', import.meta.url))
const root = fileURLToPath(new URL('..', import.meta.url))

/** Where each major version of graphql is installed: that of the peers, and that of the tests. */
const installations = new Map([
  [16, join(bench, 'node_modules/graphql')],
  [17, join(root, 'node_modules/graphql')],
])

/**
 * A folder for each major of graphql, in which graphwire as it is built in `checkout`, the servers and that graphql lie
 * as after an installation: every import of `graphql` there finds that version.
 */
export async function createEngineFolders(workshop, checkout = root) {
  if (!existsSync(join(checkout, 'dist/src/index.js'))) {
    throw new Error(`Run "npm run build" in ${checkout} first.`)
  }
  const folders = new Map()
  for (const [major, installation] of installations) {
    const folder = join(workshop, checkout === root ? 'here' : 'before', `graphql-${major}`)
    const modules = join(folder, 'node_modules')
    const engine = join(modules, 'graphwire')
    await mkdir(engine, { recursive: true })
    await cp(join(checkout, 'package.json'), join(engine, 'package.json'))
    await cp(join(checkout, 'dist/src'), join(engine, 'dist/src'), { recursive: true })
    await symlink(await realpath(installation), join(modules, 'graphql'))
    for (const name of ['undici', 'ws']) {
      await symlink(await realpath(join(root, 'node_modules', name)), join(modules, name))
    }
    for (const part of ['servers', 'micro', 'workloads.mjs']) {
      await cp(join(bench, part), join(folder, part), { recursive: true })
    }
    folders.set(major, folder)
  }
  return folders
}
